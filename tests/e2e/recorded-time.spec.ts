import { utimesSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { listed, signUp } from './steps.ts';

const file = (name: string, seed: number) => ({
  name,
  mimeType: 'audio/wav',
  buffer: makeWav({ seconds: 1, seed }),
});
const tapes = [
  file('1961-01-20 Inaugural speech.wav', 21),
  file('1962-08 Harbour.wav', 22),
  file('Screen Recording 2024-05-17 at 2.03.05 PM.wav', 23),
  file('GMT20240517-140305_Recording.wav', 24),
  file('Old tape.wav', 25),
];

/** Imports the tapes and waits until the server has processed them. */
async function importTapes(page: Page): Promise<void> {
  await page.goto('/library');
  await page.locator('input[data-import=files]').setInputFiles(tapes);
  await expect
    .poll(async () => (await listed(page)).filter(({ state }) => state === 'ready').length, {
      timeout: 60_000,
    })
    .toBe(tapes.length);
  await page.reload();
}

const plain = (text: string | null): string => (text ?? '').replace(/[\u00a0\u202f]/g, ' ');
const shown = async (page: Page, title: string): Promise<string> =>
  plain(await page.getByRole('listitem').filter({ hasText: title }).locator('[data-time]').textContent());
const headTime = (page: Page) =>
  page.getByRole('article', { name: 'Recording' }).locator('[data-time]').first();

for (const timezoneId of ['America/Los_Angeles', 'Pacific/Kiritimati']) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ browserOptions: { timeZone: timezoneId, locale: 'en-US' } });

    test("shows an imported file's date unchanged in every time zone, and an unstated date as unknown", async ({
      page,
    }) => {
      await signUp(page);
      await importTapes(page);
      await expect(page.getByRole('listitem').filter({ hasText: 'Old tape' })).toContainText('Date unknown');
      expect([
        await shown(page, 'Inaugural speech'),
        await shown(page, 'Harbour'),
        await shown(page, 'Screen Recording'),
      ]).toEqual(['January 20, 1961', 'August 1962', 'May 17, 2024 at 2:03 PM']);
      expect(await shown(page, 'GMT20240517')).toBe(
        timezoneId === 'America/Los_Angeles' ? 'May 17, 2024 at 7:03 AM' : 'May 18, 2024 at 4:03 AM',
      );
      await page.goto('/library?sort=oldest');
      const last = page.getByRole('main').getByRole('listitem').last();
      await expect(last).toContainText('Old tape');
      // Its heading says so, and the row does not say it again.
      await expect(last.getByText('Date unknown')).toHaveCount(1);
      await page.goto('/library?from=1961-01-20&to=1961-01-20');
      await expect(page.getByRole('main').getByRole('listitem').locator('[data-time]')).toHaveText([
        'January 20, 1961',
      ]);
    });
  });
}

test('files that state no date can take that of the file, which is then marked', async ({
  page,
}, testInfo) => {
  await signUp(page);
  await page.goto('/library');
  const files = ['Side A', 'Side B'].map((title, index) => {
    const path = testInfo.outputPath(`${title}.wav`);
    writeFileSync(path, makeWav({ seconds: 1, seed: 31 + index }));
    const modified = new Date(Date.UTC(2019, 3, 5 + index, 12));
    utimesSync(path, modified, modified);
    return path;
  });
  await page.locator('input[data-import=files]').setInputFiles(files);
  await expect(page.getByText('Use the date of each file (5 – 6 Apr 2019)?')).toBeVisible();
  await page.getByRole('button', { name: 'Use dates' }).click();
  await expect(page.getByRole('button', { name: 'Use dates' })).toHaveCount(0);
  await expect
    .poll(async () => (await listed(page)).filter(({ state }) => state === 'ready').length, {
      timeout: 60_000,
    })
    .toBe(2);
  await page.reload();
  await expect.poll(() => shown(page, 'Side A')).toMatch(/^5 April 2019 .*\(from the file\)$/);
  await expect.poll(() => shown(page, 'Side B')).toMatch(/^6 April 2019 .*\(from the file\)$/);
});

test('a partial date can be entered by keyboard in a 320 px window, and undone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signUp(page);
  await importTapes(page);
  const { id } = (await listed(page)).find(({ title }) => title === 'Old tape') ?? { id: '' };
  await page.goto(`/recordings/${id}`);
  await expect(headTime(page)).toHaveText('Date unknown');
  const edit = page.getByRole('button', { name: 'Edit date' });
  await edit.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit date' });
  await dialog.getByRole('textbox', { name: 'Day', exact: true }).focus();
  await page.keyboard.type('31');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('A day needs a month and year');
  await dialog.getByRole('textbox', { name: 'Year' }).focus();
  await page.keyboard.type('1961');
  await dialog.getByRole('combobox', { name: 'Month' }).selectOption('02');
  await expect(dialog).toContainText('This day doesn’t exist.');
  await dialog.getByRole('textbox', { name: 'Day', exact: true }).fill('20');
  await expect(dialog.locator('output')).toHaveText('20 February 1961');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(headTime(page)).toHaveText('20 February 1961');
  await expect
    .poll(async () => (await listed(page)).find((each) => each.id === id)?.recordedTime)
    .toEqual({ kind: 'date', date: '1961-02-20' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(headTime(page)).toHaveText('Date unknown');
});
