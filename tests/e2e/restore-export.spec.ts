import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { newId } from '#tests/support/factories.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { expect, openBrowser, test } from './earshot-test.ts';
import { openSpeech } from './player-steps.ts';
import { listed, signUp } from './steps.ts';

/** Four requests of the largest size. */
const longWav = { name: 'Long talk.wav', mimeType: 'audio/wav', buffer: makeWav({ seconds: 40, seed: 12 }) };

const restoring = (page: Page): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Import an account' }) });
const chooseZip = (page: Page, path: string): Promise<void> =>
  page.locator('input[data-restore=file]').setInputFiles(path);
const asked = { headers: appHeaders };

/** Creates an account with an imported file and a take that has a marker and a note, both with a correction. */
async function makeAccount(page: Page): Promise<void> {
  await openSpeech(page);
  await page.getByRole('button', { name: 'Add marker' }).first().click();
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.keyboard.type('The torch has been passed');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page.locator('input[data-import=files]').setInputFiles(longWav);
  await expect
    .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 90_000 })
    .toEqual(['ready', 'ready']);
  for (const { id } of await listed(page)) {
    const correction = `/api/recordings/${id}/transcript/corrections/${newId()}`;
    const data = { fromMs: 100, toMs: 900, text: 'The torch has been passed', revision: 0 };
    expect((await page.request.put(correction, { ...asked, data })).status()).toBe(201);
  }
}

/** Exports the whole account on the screen and returns the ZIP file. */
async function takeEverything(page: Page): Promise<Buffer> {
  await page.goto('/settings/data');
  await page.getByRole('button', { name: 'Prepare export', exact: true }).click();
  const link = page.getByRole('link', { name: 'Download', exact: true });
  await expect(link).toBeVisible({ timeout: 60_000 });
  const reply = await page.request.get((await link.getAttribute('href')) ?? '', asked);
  expect(reply.status()).toBe(200);
  return reply.body();
}

/** Every file of an export except `export.json`, which names the export itself. */
async function filesOf(zip: Buffer): Promise<[string, string][]> {
  return [...(await readZip(zip))]
    .filter(([path]) => path !== 'export.json')
    .map(([path, bytes]) => [path, bytes.toString('base64')]);
}

/**
 * Lets the given number of upload requests through and never answers the next. The page is reloaded before `letGo`
 * removes the route.
 */
async function holdAfter(
  page: Page,
  pieces: number,
): Promise<{ held: Promise<void>; letGo: () => Promise<void> }> {
  const reached = Promise.withResolvers<undefined>();
  let seen = 0;
  await page.context().route('**/api/uploads/*', async (route) => {
    const size = route.request().postDataBuffer()?.length ?? 0;
    if (route.request().method() === 'PATCH' && size > 100_000 && (seen += 1) > pieces)
      reached.resolve(undefined);
    else await route.continue().catch(() => undefined);
  });
  return { held: reached.promise, letGo: () => page.context().unroute('**/api/uploads/*') };
}

test('moves an account to another server, despite an interruption, and its export there is the same', async ({
  page,
  profile,
  consoleGuard,
}) => {
  test.setTimeout(300_000);
  await makeAccount(page);
  const zip = await takeEverything(page);
  const path = join(profile, 'Earshot account.zip');
  writeFileSync(path, zip);

  const elsewhere = await EarshotServer.launch();
  const context = await openBrowser({ profile: join(profile, 'elsewhere'), baseURL: elsewhere.url });
  consoleGuard.watch(context);
  try {
    const there = context.pages()[0] ?? (await context.newPage());
    there.on('dialog', (dialog) => {
      void dialog.accept();
    });
    await there.goto(elsewhere.url);
    await signUp(there);
    await there.goto('/settings/data');
    await chooseZip(there, path);
    await expect(restoring(there)).toContainText('2 recordings');
    const { held, letGo } = await holdAfter(there, 1);
    await restoring(there).getByRole('button', { name: 'Import everything' }).click();
    await held;
    await expect(restoring(there).getByRole('progressbar')).toBeVisible();
    await there.reload();
    await letGo();

    await expect(restoring(there).getByRole('button', { name: 'Choose a ZIP file' })).toBeVisible();
    await chooseZip(there, path);
    await restoring(there).getByRole('button', { name: 'Import everything' }).click();
    await expect(restoring(there)).toContainText(/recordings? (was|were) imported/, { timeout: 90_000 });
    await expect
      .poll(async () => (await listed(there)).map(({ state }) => state), { timeout: 90_000 })
      .toEqual(['ready', 'ready']);
    expect(await filesOf(await takeEverything(there))).toEqual(await filesOf(zip));

    await there.goto('/settings/data');
    await chooseZip(there, path);
    await expect(restoring(there)).toContainText('2 of them are already here');
  } finally {
    await context.close();
    await elsewhere.dispose();
  }
});

test('resumes a paused account import, and names a damaged recording while the rest is imported', async ({
  page,
  profile,
}) => {
  test.setTimeout(300_000);
  await makeAccount(page);
  const zip = await takeEverything(page);
  // One byte of the imported file's audio is flipped; the take stays intact.
  const at = zip.indexOf(longWav.buffer.subarray(1000, 1100));
  zip[at] = (zip[at] ?? 0) ^ 1;
  const path = join(profile, 'damaged.zip');
  writeFileSync(path, zip);
  const elsewhere = await EarshotServer.launch();
  const context = await openBrowser({ profile: join(profile, 'elsewhere'), baseURL: elsewhere.url });
  try {
    const there = context.pages()[0] ?? (await context.newPage());
    await there.goto(elsewhere.url);
    await signUp(there);
    await there.goto('/settings/data');
    const answer = Promise.withResolvers<undefined>();
    await context.route('**/api/restores/account', async (route) => {
      await answer.promise;
      await route.continue().catch(() => undefined);
    });
    await chooseZip(there, path);
    await restoring(there).getByRole('button', { name: 'Import everything' }).click();
    await restoring(there).getByRole('button', { name: 'Pause' }).click();
    answer.resolve(undefined);
    await expect(restoring(there)).toContainText('0 of 2 recordings');
    await restoring(there).getByRole('button', { name: 'Continue' }).click();
    await expect(restoring(there)).toContainText('1 recording was imported', { timeout: 90_000 });
    await expect(restoring(there).getByRole('listitem')).toHaveText(
      /^Long talk.*This recording is damaged in the file\.$/,
    );
    await expect
      .poll(async () => (await listed(there)).map(({ state, source }) => [state, source]), {
        timeout: 90_000,
      })
      .toEqual([['ready', 'microphone']]);
  } finally {
    await context.close();
    await elsewhere.dispose();
  }
});

test('rejects a file that is no export, with a message, before anything is uploaded', async ({
  page,
  profile,
}) => {
  await signUp(page);
  await page.goto('/settings/data');
  const path = join(profile, 'speech.wav');
  writeFileSync(path, makeWav({ seconds: 1 }));
  await chooseZip(page, path);
  await expect(restoring(page).getByRole('alert')).toHaveText(
    'The file isn’t a ZIP file, or its download wasn’t finished.',
  );
  expect(await listed(page)).toEqual([]);
});
