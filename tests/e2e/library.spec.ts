import type { Page } from '@playwright/test';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { insertRecordings, titleAt } from '#tests/support/many-recordings.ts';
import { expect, test, type Fixtures } from './earshot-test.ts';
import { listed, signUp } from './steps.ts';

const list = (page: Page) => page.getByRole('list', { name: 'Recordings' });
const row = (page: Page, place: number) => page.getByRole('link', { name: titleAt(place) });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) });
const count = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /recording|selected/ });
const query = (page: Page) => new URL(page.url()).searchParams;

async function libraryOf(page: Page, server: EarshotServer, recordings: number): Promise<void> {
  await signUp(page);
  insertRecordings(server.dataDir, recordings);
  await page.goto('/library');
  await expect(row(page, 0)).toBeVisible();
}

/** Restarts the server, which indexes the recordings that were inserted directly into the database. */
async function indexAll(
  { page, server, consoleGuard }: Pick<Fixtures, 'page' | 'server' | 'consoleGuard'>,
  recordings: number,
): Promise<void> {
  consoleGuard.allow(/ERR_CONNECTION_REFUSED|Failed to load resource/);
  await server.end('SIGTERM');
  await server.start();
  await expect
    .poll(async () => (await listed(page, '?search=meeting&limit=200').catch(() => [])).length, {
      timeout: 60_000,
    })
    .toBe(Math.min(200, recordings));
  await page.goto('/library');
  await expect(row(page, 0)).toBeVisible();
}

test('ten thousand recordings can be scrolled, selected, trashed and restored by keyboard', async ({
  page,
  server,
}) => {
  await libraryOf(page, server, 10_000);
  await expect(count(page)).toHaveText('10,000 recordings');
  expect(await list(page).getByRole('listitem').count()).toBeLessThan(60);
  await expect(list(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', '10000');

  await row(page, 0).focus();
  await page.keyboard.press('End');
  await expect(row(page, 9999)).toBeFocused({ timeout: 60_000 });
  await expect(row(page, 9999)).toBeInViewport();
  expect(await list(page).getByRole('listitem').count()).toBeLessThan(60);
  await page.keyboard.press('Home');
  await expect(row(page, 0)).toBeFocused();

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(count(page)).toHaveText('1 selected');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(count(page)).toHaveText('3 selected');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(count(page)).toHaveText('2 selected');
  await page.keyboard.press('Escape');
  await expect(count(page)).toHaveText('10,000 recordings');

  await page.keyboard.press('ControlOrMeta+a');
  await expect(count(page)).toHaveText('10,000 selected');
  await page.keyboard.press('Delete');
  await expect(page.getByText('10,000 recordings moved to the trash')).toBeVisible({ timeout: 60_000 });
  expect(await listed(page)).toEqual([]);
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await button(page, 'Undo').click();
  await expect(row(page, 0)).toBeVisible({ timeout: 60_000 });
  await expect(count(page)).toHaveText('10,000 recordings');
});

test(
  'the URL has the search, the filters and the order; back and forward restore them',
  { tag: '@core' },
  async ({ page, server, consoleGuard }) => {
    await libraryOf(page, server, 300);
    await indexAll({ page, server, consoleGuard }, 300);
    await page.getByRole('searchbox', { name: 'Search recordings' }).fill('meeting 0001');
    await expect.poll(() => query(page).get('search')).toBe('meeting 0001');
    await expect(count(page)).toHaveText('10 recordings');
    await page.getByRole('searchbox', { name: 'Search recordings' }).fill('');
    await expect(count(page)).toHaveText('300 recordings');

    await button(page, /^Filters/).click();
    await page.getByRole('combobox', { name: 'Source' }).selectOption('import');
    await expect(count(page)).toHaveText('75 recordings');
    await page.getByRole('combobox', { name: 'Spoken language' }).selectOption('de');
    await expect(count(page)).toHaveText('15 recordings');
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('oldest');
    await expect(list(page).getByRole('link').first()).toHaveText(titleAt(280));
    expect(Object.fromEntries(query(page))).toEqual({ sort: 'oldest', source: 'import', language: 'de' });

    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect(count(other)).toHaveText('15 recordings');
    await expect(list(other).getByRole('link').first()).toHaveText(titleAt(280));
    await other.close();

    await page.goBack();
    await expect(list(page).getByRole('link').first()).toHaveText(titleAt(0));
    await page.goBack();
    await expect(count(page)).toHaveText('75 recordings');
    await page.goForward();
    await expect(count(page)).toHaveText('15 recordings');
    await button(page, /Remove filter: .*Imported/).click();
    await expect(count(page)).toHaveText('30 recordings');
    await button(page, 'Clear filters').click();
    await expect(count(page)).toHaveText('300 recordings');

    await page.goto('/library?search=nothing+like+this&source=import');
    await expect(page.getByRole('heading', { name: /No recordings match/ })).toBeVisible();
    await expect(page.getByText(/Active filters: .*Imported/)).toBeVisible();
    await button(page, 'Show all recordings').click();
    await expect(count(page)).toHaveText('300 recordings');
  },
);

test('a view can be saved, opened again, renamed and deleted, and the deletion undone', async ({
  page,
  server,
}) => {
  await libraryOf(page, server, 40);
  const views = page.getByRole('navigation', { name: 'Saved views' });
  await page.goto('/library?source=import&period=year');
  await page.goto('/library?source=import');
  await expect(count(page)).toHaveText('10 recordings');
  await button(page, 'Save view').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('From outside');
  await page.keyboard.press('Enter');
  await expect(views.getByRole('link', { name: 'From outside' })).toHaveAttribute('aria-current', 'page');
  await views.getByRole('link', { name: 'All recordings' }).click();
  await expect(count(page)).toHaveText('40 recordings');
  await page.reload();
  await views.getByRole('link', { name: 'From outside' }).click();
  await expect(count(page)).toHaveText('10 recordings');

  await button(page, 'View options').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Imports');
  await page.keyboard.press('Enter');
  await expect(views.getByRole('link', { name: 'Imports' })).toBeVisible();
  await expect(button(page, 'Undo')).toBeVisible();
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route('**/api/views/*', async (route) => {
    await answered;
    await route.continue();
  });
  await button(page, 'View options').click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await expect(views.getByRole('link', { name: 'Imports' })).toHaveCount(0);
  await expect(
    button(page, 'Undo'),
    'the Undo of the renaming does not appear as one of the deletion',
  ).toHaveCount(0);
  answer(undefined);
  await expect(page.getByText(/View .{0,3}Imports.{0,3} deleted/)).toBeVisible();
  await button(page, 'Undo').click();
  await expect(views.getByRole('link', { name: 'Imports' })).toBeVisible();
});

test('tags can be created, assigned, filtered by, recoloured and deleted, and a deletion undone', async ({
  page,
  server,
}) => {
  await libraryOf(page, server, 40);
  await row(page, 1).click({ modifiers: ['ControlOrMeta'] });
  await row(page, 3).click({ modifiers: ['Shift'] });
  await expect(count(page)).toHaveText('3 selected');
  await button(page, 'Tags').click();
  const dialog = page.getByRole('dialog', { name: 'Tags' });
  await dialog.getByRole('textbox', { name: 'New tag' }).fill('Interviews');
  await dialog.getByRole('button', { name: /Colour: Blue/ }).click();
  await page.getByRole('menuitemradio', { name: 'Violet' }).click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Interviews' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(list(page).getByText('Interviews')).toHaveCount(3);
  await page.keyboard.press('Escape');

  await button(page, /^Filters/).click();
  await page
    .getByRole('group', { name: 'Tags' })
    .getByRole('button', { name: /Interviews/ })
    .click();
  await expect(count(page)).toHaveText('3 recordings');
  await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'Edit tags' }).click();
  await dialog.getByRole('button', { name: 'Rename or change colour' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Talks');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(list(page).getByText('Talks')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Delete tag' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await button(page, 'Undo').click();
  await expect(list(page).getByText('Talks')).toHaveCount(3);

  const tags = page.getByRole('group', { name: 'Tags' });
  await tags.getByRole('button', { name: 'Edit tags' }).click();
  await expect(dialog.getByRole('textbox', { name: 'New tag' })).toBeFocused();
  await page.keyboard.type('Lectures');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(
    tags.getByRole('button', { name: /Lectures/ }),
    'Done adds a tag that was typed',
  ).toBeVisible();
});

test('favourites are starred by key, filtered by, synced to other tabs, and sent once after an outage', async ({
  page,
  server,
  browserContext,
  consoleGuard,
}) => {
  // This library's recordings have no audio.
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|status of (404|416)/);
  await libraryOf(page, server, 20);
  const star = (place: number, on = page) =>
    list(on).getByRole('button', { name: `Favourite ${titleAt(place)}`, exact: true });
  const other = await browserContext.newPage();
  await other.goto('/library');
  await row(page, 2).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(star(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(star(2)).toHaveAttribute('aria-pressed', 'true');
  await expect(star(2, other)).toHaveAttribute('aria-pressed', 'true');
  await other.close();

  await button(page, /^Filters/).click();
  await button(page, /^Favourites/).click();
  await expect(count(page)).toHaveText('1 recording');
  await expect(button(page, 'Favourites 1')).toHaveAttribute('aria-pressed', 'true');
  expect(query(page).get('favourite')).toBe('true');
  await button(page, /Remove filter: .?Favourites/).click();
  await expect(count(page)).toHaveText('20 recordings');

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/favourite')) sent.push(request.url());
  });
  await browserContext.setOffline(true);
  await star(4).click();
  await expect(star(4)).toHaveAttribute('aria-pressed', 'true');
  await star(2).click();
  await star(2).click();
  await expect(page.getByText(/Couldn’t save/)).toHaveCount(0);
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  // A list that was not loaded before.
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('oldest');
  await button(page, /^Favourites/).click();
  await expect(page.getByText('Showing what’s on this device', { exact: false })).toBeVisible();
  await expect(list(page).getByRole('listitem')).toHaveCount(2);
  sent.length = 0;
  await browserContext.setOffline(false);
  await expect
    .poll(async () => (await listed(page, '?favourite=true')).map(({ title }) => title))
    .toEqual([titleAt(2), titleAt(4)]);
  expect(new Set(sent).size).toBe(sent.length);
  await expect(star(4)).toHaveAttribute('aria-pressed', 'true');
  await button(page, 'Favourites 2').click();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('newest');
  await expect(count(page)).toHaveText('20 recordings');

  await page.route('**/api/recordings/*/favourite', (route) =>
    route.fulfill({
      status: 404,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'x',
        status: 404,
        code: 'not-found',
        instance: 'urn:uuid:00000000-0000-4000-8000-000000000000',
      }),
    }),
  );
  await star(0).click();
  await expect(page.getByText(/Couldn’t save the favourite/)).toBeVisible();
  await expect(star(0)).toHaveAttribute('aria-pressed', 'false');
  await page.unrouteAll();

  await row(page, 4).click();
  const header = page
    .getByRole('article', { name: 'Recording' })
    .getByRole('button', { name: `Favourite ${titleAt(4)}` });
  await expect(header).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('f');
  await expect(header).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(async () => (await listed(page, '?favourite=true')).length).toBe(1);
});

test('people and the spoken language can be edited, and search finds the people', async ({
  page,
  server,
  consoleGuard,
}) => {
  await libraryOf(page, server, 5);
  await indexAll({ page, server, consoleGuard }, 5);
  await row(page, 2).focus();
  await list(page).getByRole('listitem').nth(2).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit details' }).click();
  await page.getByRole('textbox', { name: 'People' }).fill('Ada Lovelace, نور');
  await page.getByRole('combobox', { name: 'Spoken language' }).selectOption('pl');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search recordings' }).fill('lovelace');
  await expect(count(page)).toHaveText('1 recording');
  await expect(row(page, 2)).toBeVisible();
});

test('changes made elsewhere appear automatically and leave the scroll position unchanged', async ({
  page,
  server,
}) => {
  await libraryOf(page, server, 300);
  await row(page, 0).focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('PageDown');
  const focused = page.locator(':focus');
  const title = await focused.innerText();
  await page.keyboard.press('Space');
  const before = (await focused.boundingBox())?.y ?? 0;
  await page.evaluate(async () => {
    for (const place of [0, 1])
      await fetch(`/api/recordings/00000000-0000-4000-8000-00000000000${place}`, {
        method: 'DELETE',
        headers: { 'x-requested-with': 'earshot' },
      });
  });
  await expect(list(page).locator('[aria-setsize="298"]').first()).toBeAttached();
  await expect(page.locator(':focus')).toHaveText(title);
  await expect
    .poll(async () => Math.abs(((await page.locator(':focus').boundingBox())?.y ?? 0) - before))
    .toBeLessThan(4);
  await expect(count(page)).toHaveText('1 selected');
});

test('restores several recordings from the trash, and deletes them permanently after confirmation', async ({
  page,
  server,
}) => {
  await libraryOf(page, server, 6);
  await row(page, 1).click({ modifiers: ['ControlOrMeta'] });
  await row(page, 3).click({ modifiers: ['Shift'] });
  await expect(count(page)).toHaveText('3 selected');
  await button(page, 'Move to trash').first().click();
  await expect(count(page)).toHaveText('3 recordings');

  await page.goto('/trash');
  const boxes = page.getByRole('main').getByRole('checkbox', { name: 'Select' });
  await expect(boxes).toHaveCount(3);
  await boxes.first().check();
  await boxes.nth(1).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
  await expect(boxes).toHaveCount(1);
  await button(page, 'Undo').click();
  await expect(boxes).toHaveCount(3);
  await boxes.first().check();
  await button(page, 'Select all').click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(
    page.getByText('3 recordings and their audio will be permanently deleted. You can’t undo this.'),
  ).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  expect((await listed(page)).length).toBe(3);
});

test.describe('on a phone', () => {
  test.use({ browserOptions: { isPhone: true } });
  test('a long press starts selecting, taps extend the selection, and filters are in a sheet', async ({
    page,
    server,
  }) => {
    await libraryOf(page, server, 40);
    const box = await row(page, 1).boundingBox();
    if (!box) throw new Error('the row is not on the screen');
    const touch = await page.context().newCDPSession(page);
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x: box.x + 20, y: box.y + 8 }],
    });
    await expect(count(page)).toHaveText('1 selected');
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(count(page)).toHaveText('1 selected');
    await row(page, 2).tap();
    await expect(count(page)).toHaveText('2 selected');
    await button(page, 'Move to trash').tap();
    await expect(page.getByText('2 recordings moved to the trash')).toBeVisible();
    await expect(row(page, 2)).toHaveCount(0);
    await button(page, 'Undo').tap();
    await expect(row(page, 2)).toBeVisible();

    await button(page, /^Filters/).tap();
    await page
      .getByRole('dialog', { name: 'Filters' })
      .getByRole('combobox', { name: 'Source' })
      .selectOption('import');
    await page.getByRole('dialog').getByRole('button', { name: 'Show 10 recordings' }).tap();
    await expect(count(page)).toHaveText('10 recordings');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);
  });
});
