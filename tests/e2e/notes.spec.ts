import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Marker } from '#contract/markers-api.ts';
import type { Note } from '#contract/notes-api.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { openSpeech } from './player-steps.ts';
import { outboxOf } from './steps.ts';

const itemsOf = <T>(page: Page, id: string, kind: 'notes' | 'markers'): Promise<T[]> =>
  page.evaluate(
    async ([recordingId, what]) =>
      ((await (await fetch(`/api/recordings/${recordingId}/${what}`)).json()) as { items: T[] }).items,
    [id, kind] as const,
  );

test(
  'a note is saved while it is typed, shown with its formatting, changed, restored by Undo and deleted',
  { tag: '@core' },
  async ({ page }) => {
    const { id } = await openSpeech(page);
    await page.getByRole('button', { name: 'Add note' }).click();
    const field = page.getByRole('textbox', { name: /^Note at/ });
    await expect(field).toBeFocused();
    await page.keyboard.type('The ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('lighthouse');
    await expect
      .poll(async () => (await itemsOf<Note>(page, id, 'notes'))[0]?.text)
      .toBe('The **lighthouse**');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.locator('strong', { hasText: 'lighthouse' })).toBeVisible();

    await page.getByRole('button', { name: /^Edit the note/ }).click();
    await page.getByRole('textbox', { name: /^Note at/ }).fill('Another text');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Another text')).toBeVisible();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(page.locator('strong', { hasText: 'lighthouse' })).toBeVisible();

    await page.getByRole('button', { name: /^Delete the note/ }).click();
    await expect.poll(async () => (await itemsOf<Note>(page, id, 'notes')).length).toBe(0);
  },
);

test('two tabs that edit the same note do not overwrite each other', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/409 \(Conflict\)/);
  const { id } = await openSpeech(page);
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.keyboard.type('First');
  await page.keyboard.press('Escape');
  const other = await browserContext.newPage();
  await other.goto(`/recordings/${id}`);
  await expect(other.getByText('First', { exact: true })).toBeVisible();
  for (const [tab, text] of [
    [page, 'Mine'],
    [other, 'Theirs'],
  ] as const) {
    await tab.getByRole('button', { name: /^Edit the note/ }).click();
    // Both tabs start from the same revision before either saves.
    if (tab === page)
      await tab.route('**/notes/*', async (route) => {
        await expect.poll(async () => (await itemsOf<Note>(other, id, 'notes'))[0]?.text).toBe('Theirs');
        await route.continue();
      });
    await tab.getByRole('textbox', { name: /^Note at/ }).fill(text);
  }
  await expect(page.getByText('The other version says:')).toBeVisible();
  await page.getByRole('button', { name: 'Keep my version' }).click();
  await expect.poll(async () => (await itemsOf<Note>(page, id, 'notes'))[0]?.text).toBe('Mine');
});

/** The note texts that this browser stores until the server has them. */
const storedTexts = async (page: Page): Promise<string[]> =>
  (await outboxOf(page)).flatMap((entry) => (entry.kind === 'note' ? [entry.payload.text] : []));

test('a note typed offline is still there after a reload, and is sent later from any page', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Failed to load resource/);
  const { id } = await openSpeech(page);
  const url = /\/api\/recordings\/[^/]+\/notes/;
  await browserContext.route(url, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await page.getByRole('button', { name: 'Add note' }).click();
  const field = page.getByRole('textbox', { name: /^Note at/ });
  await expect(field).toBeFocused();
  await page.keyboard.type('The lighthouse');
  await expect.poll(() => storedTexts(page)).toEqual(['The lighthouse']);

  await page.reload();
  await expect(field).toHaveValue('The lighthouse');
  await field.press('End');
  await page.keyboard.type(' at night');
  await expect.poll(() => storedTexts(page)).toEqual(['The lighthouse at night']);
  // Tests cannot abort what a page sends while it unloads, so the server may already have the first text.
  expect(JSON.stringify(await itemsOf<Note>(page, id, 'notes'))).not.toContain('at night');

  await page.goto('/library');
  await browserContext.unroute(url);
  await page.reload();
  await expect
    .poll(async () => (await itemsOf<Note>(page, id, 'notes')).map(({ text }) => text))
    .toEqual(['The lighthouse at night']);
  await expect.poll(() => storedTexts(page)).toEqual([]);
  await page.goto(`/recordings/${id}`);
  await expect(page.getByText('The lighthouse at night', { exact: true })).toBeVisible();
  await expect(field).toHaveCount(0);
});

test("a note changed elsewhere before its text was sent waits for its user's decision, also after reloads", async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Failed to load resource|409 \(Conflict\)/);
  const { id } = await openSpeech(page);
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.keyboard.type('First');
  await page.keyboard.press('Escape');
  await expect(page.getByText('First', { exact: true })).toBeVisible();
  const url = '**/api/recordings/*/notes/*';
  const isTheirs = (headers: Record<string, string>): boolean => headers['x-theirs'] === 'yes';
  await browserContext.route(url, (route) =>
    isTheirs(route.request().headers()) ? route.continue() : route.abort(),
  );
  await page.getByRole('button', { name: /^Edit the note/ }).click();
  await page.getByRole('textbox', { name: /^Note at/ }).fill('Mine');
  await expect.poll(() => storedTexts(page)).toEqual(['Mine']);
  await page.goto('/library');
  const theirs = await page.evaluate(async (recordingId) => {
    const { items } = (await (await fetch(`/api/recordings/${recordingId}/notes`)).json()) as {
      items: { id: string; revision: number }[];
    };
    const [note] = items;
    const answer = await fetch(`/api/recordings/${recordingId}/notes/${note?.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot', 'x-theirs': 'yes' },
      body: JSON.stringify({ revision: note?.revision, text: 'Theirs' }),
    });
    return answer.status;
  }, id);
  expect(theirs).toBe(200);
  const rejected = page.waitForResponse((response) => response.status() === 409);
  await browserContext.unroute(url);
  await page.reload();
  await rejected;
  await page.reload();
  expect(await storedTexts(page)).toEqual(['Mine']);
  await page.goto(`/recordings/${id}`);
  await expect(page.getByText('The other version says:')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Note at/ })).toHaveValue('Mine');
  await page.getByRole('button', { name: 'Keep my version' }).click();
  await expect.poll(async () => (await itemsOf<Note>(page, id, 'notes'))[0]?.text).toBe('Mine');
  await expect.poll(() => storedTexts(page)).toEqual([]);
});

test('markers can be edited in place by keyboard, and survive an export to a file and its import', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Marker name' }).fill('The "well"\u200F, → مقابلة');
  await page.getByRole('textbox', { name: 'Time' }).fill('00:01.250');
  await page.getByRole('radio', { name: 'Violet' }).check({ force: true });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const changed = { atMs: 1250, label: 'The "well"\u200F, → مقابلة', colour: 'violet' };
  await expect.poll(async () => (await itemsOf<Marker>(page, id, 'markers'))[0]).toMatchObject(changed);

  for (const [format, extension] of [
    ['WebVTT', 'vtt'],
    ['Audacity labels', 'txt'],
    ['CSV', 'csv'],
  ] as const) {
    await page.getByRole('button', { name: 'Export or import markers and notes' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: `Save as ${format}` }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${extension}$`));
    const bytes = readFileSync(await download.path());
    await page.getByRole('link', { name: '00:01', exact: true }).press('Delete');
    await expect.poll(async () => (await itemsOf<Marker>(page, id, 'markers')).length).toBe(0);
    await page
      .getByLabel('Markers file')
      .setInputFiles({ name: `labels.${extension}`, mimeType: 'text/plain', buffer: bytes });
    await expect(page.getByText('1 new marker')).toBeVisible();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(async () => (await itemsOf<Marker>(page, id, 'markers'))[0]).toMatchObject(changed);
  }
});

test('markers set, named and deleted offline are still there after a reload, and are sent later', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Failed to load resource/);
  const { id } = await openSpeech(page);
  const markers = async (): Promise<string[]> =>
    (await itemsOf<Marker>(page, id, 'markers')).map(({ label }) => label);
  const url = /\/api\/recordings\/[^/]+\/markers/;
  await browserContext.route(url, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  for (const name of ['The well', 'The tree']) {
    await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'Marker name' }).fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  }
  const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const well = rowOf('The well').first();
  await expect(well).toBeVisible();
  const pending = async (): Promise<unknown[]> =>
    (await outboxOf(page)).flatMap((entry) =>
      entry.kind === 'marker' ? [[entry.payload.fields.label, entry.payload.isRemoved]] : [],
    );
  await expect.poll(pending).toEqual([
    ['The well', false],
    ['The tree', false],
  ]);

  await page.reload();
  await expect(well).toBeVisible();
  await rowOf('The tree')
    .getByRole('button', { name: /^Delete the marker/ })
    .click();
  await expect(page.getByText(/Marker at .* deleted/)).toBeVisible();
  await expect.poll(pending).toEqual([
    ['The well', false],
    ['The tree', true],
  ]);
  expect(await markers()).toEqual([]);

  await browserContext.unroute(url);
  await page.reload();
  await expect.poll(markers).toEqual(['The well']);
  await expect.poll(pending).toEqual([]);
  await expect(well).toBeVisible();
});

test('labels in another unit and encoding are shown before they are added, and read as the user says', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  await page.setViewportSize({ width: 320, height: 640 });
  // "Привет" in Windows-1251, at whole milliseconds.
  const name = Buffer.from('cff0e8e2e5f2', 'hex');
  const csv = Buffer.concat([Buffer.from('start,label\n1000,'), name, Buffer.from('\n2000,Two\n')]);
  await page
    .getByLabel('Markers file')
    .setInputFiles({ name: 'labels.csv', mimeType: 'text/csv', buffer: csv });
  const dialog = page.getByRole('dialog');
  const first = dialog.getByRole('list', { name: 'First entries' }).getByRole('listitem');
  await expect(first).toHaveText(['16:40.0Ïðèâåò', '33:20.0Two']);
  await expect(dialog.getByText('The unit may be wrong.')).toBeVisible();
  await expect(dialog.getByText('This preview uses windows-1252.')).toBeVisible();
  await dialog.getByLabel('Times look wrong?').press('M');
  await expect(dialog.getByText('2 new markers')).toBeVisible();
  await expect(dialog.getByText('The unit may be wrong.')).toBeHidden();
  await dialog.getByLabel('Letters look wrong?').selectOption('windows-1251');
  await expect(first).toHaveText(['00:01.0Привет', '00:02.0Two']);
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect
    .poll(async () => (await itemsOf<Marker>(page, id, 'markers')).map(({ atMs, label }) => [atMs, label]))
    .toEqual([
      [1000, 'Привет'],
      [2000, 'Two'],
    ]);
});
