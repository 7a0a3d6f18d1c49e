import type { Page } from '@playwright/test';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { insertRecordings, titleAt } from '#tests/support/many-recordings.ts';
import { expect, test } from './earshot-test.ts';
import { callAs } from './listening-steps.ts';
import { openSpeech } from './player-steps.ts';
import { changeDatabase, listed, signUp } from './steps.ts';

const many = 10_000;
const list = (page: Page) => page.getByRole('list', { name: 'Recordings' });
const row = (page: Page, place: number) =>
  list(page)
    .getByRole('listitem')
    .filter({ hasText: titleAt(place) });
const chosen = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: 'selected' });

/** Fills the trash. The oldest recording was trashed first. */
async function trashOf(page: Page, server: EarshotServer, recordings: number): Promise<void> {
  await signUp(page);
  insertRecordings(server.dataDir, recordings);
  changeDatabase(
    server.dataDir,
    `UPDATE recordings SET deleted_at = ${Date.now()} - 1000 * CAST(substr(title, 9) AS INTEGER), updated_at = ${Date.now()} - 1000 * CAST(substr(title, 9) AS INTEGER)`,
  );
  await page.goto('/trash');
  await expect(row(page, 0)).toBeVisible();
}

test('a trash of 10,000 opens, scrolls to its end and is restored at once, with few rows in the page', async ({
  page,
  server,
}) => {
  await trashOf(page, server, many);
  await expect(list(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(many));
  expect(await list(page).getByRole('listitem').count()).toBeLessThan(60);

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(row(page, many - 1)).toBeInViewport({ timeout: 60_000 });
  expect(await list(page).getByRole('listitem').count()).toBeLessThan(60);

  await row(page, many - 1)
    .getByRole('checkbox')
    .check();
  await expect(chosen(page)).toHaveText('1 selected');
  await page.getByRole('button', { name: 'Select all' }).click();
  await expect(chosen(page)).toHaveText('10,000 selected');
  await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('10,000 recordings restored to the library')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
});

for (const isIdle of [true, false])
  test(`a row of the trash keeps the focus while scrolled out, and passes it to the next when restored${isIdle ? '' : ', also before the page is idle'}`, async ({
    page,
    server,
  }) => {
    if (!isIdle)
      await page.addInitScript(() => {
        window.requestIdleCallback = () => 0;
      });
    await trashOf(page, server, 300);
    await row(page, 2).getByRole('button', { name: 'Restore' }).focus();
    await page.evaluate(() => scrollTo(0, 8000));
    await expect(row(page, 120)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(row(page, 2)).toHaveCount(0);
    await expect.poll(async () => (await listed(page)).map(({ title }) => title)).toEqual([titleAt(2)]);
    await expect(row(page, 3).getByRole('button', { name: 'Restore' })).toBeFocused();
  });

test(
  '“Select all” includes rows not scrolled to, and permanent deletion names the number',
  { tag: '@core' },
  async ({ page, server }) => {
    await trashOf(page, server, 300);
    await row(page, 0).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Select all' }).click();
    await expect(chosen(page)).toHaveText('300 selected');
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete permanently' }).click();
    await expect(
      page.getByText('300 recordings and their audio will be permanently deleted. You can’t undo this.'),
    ).toBeVisible();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
    await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible({ timeout: 60_000 });
    await expect.poll(() => listed(page, '?trashed=true')).toEqual([]);
  },
);

test('recordings can be trashed after a visit to the storage settings, which then count them again', async ({
  page,
  server,
}) => {
  await signUp(page);
  insertRecordings(server.dataDir, 3);
  await page.goto('/settings/storage');
  await expect(page.getByText(/^3 recordings, .* used/)).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Library', exact: true })
    .click();
  await row(page, 0).getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText(new RegExp(`Moved .*${titleAt(0)}.* to the trash`))).toBeVisible();
  expect((await listed(page)).map(({ title }) => title)).toEqual([titleAt(1), titleAt(2)]);
  await page.goBack();
  await expect(page.getByText(/^3 recordings, .* used/)).toBeVisible();
  await expect(page.getByRole('link', { name: '1 recording in the trash' })).toBeVisible();
});

test('a press is carried out even if the page closes immediately and all connections are in use', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  insertRecordings(server.dataDir, 1);
  const [recording] = await listed(page);
  await page.goto('/library');
  const trash = row(page, 0).getByRole('button', { name: 'Move to trash' });
  await expect(trash).toBeVisible();
  const another = await browserContext.newPage();
  await page.evaluate(() => {
    // Over HTTP/1.1 a browser opens at most six connections to a server.
    for (let taken = 0; taken < 6; taken += 1) new EventSource('/api/events');
  });
  await trash.evaluate((button: HTMLElement) => {
    button.click();
  });
  await page.close();
  await another.goto('/trash');
  await expect(row(another, 0)).toBeVisible();
  expect((await listed(another, '?trashed=true')).map(({ id }) => id)).toEqual([recording?.id]);
});

test('a recording is played in the trash, and stops playing when it is permanently deleted', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  await callAs(page, `DELETE /api/recordings/${id}`);
  await page.goto('/trash');
  const only = list(page).getByRole('listitem');
  await only.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(only.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  const player = page.getByRole('region', { name: 'Player' });
  await expect(player).toContainText('00:01');

  await only.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await expect(player).toHaveCount(0);
});
