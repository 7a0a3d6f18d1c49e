import type { Page } from '@playwright/test';
import { visit } from '#tests/accessibility/scenes.ts';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { photograph } from './photograph.ts';
import { fillLibrary, fillTrash, signUpMira, storeInterview, takenAtMs } from './world.ts';

const onPhone = { languages: ['en', 'ar'], appearances: ['light'] } as const;

/** Opens the screen with the clock at the screenshots' time, without messages of earlier actions. */
async function open(page: Page, path: string, nowMs = takenAtMs): Promise<void> {
  await page.clock.setFixedTime(nowMs);
  await visit(page, path);
}

const rows = (page: Page) =>
  page
    .getByRole('list')
    .getByRole('listitem')
    .filter({ has: page.locator('a[href^="/recordings/"]') });

async function openRecorder(page: Page, dataDir: string): Promise<void> {
  await signUpMira(page);
  fillLibrary(dataDir);
  await open(page, '/');
  await expect(page.getByText('Interview with Anna, part 2')).toBeVisible();
}

async function openPlayer(page: Page, id: string): Promise<void> {
  await open(page, `/recordings/${id}`);
  await expect(page.getByRole('slider', { name: 'Position' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Gaps' })).toBeVisible();
  await expect(page.getByText('the harbour was')).toBeVisible();
}

test.use({ browserOptions: { isWhole: true, isExact: true } });

test('the recorder with the newest recordings looks as accepted', async ({ page, server }) => {
  await openRecorder(page, server.dataDir);
  await photograph(page, 'recorder');
});

test('the library looks as accepted', async ({ page, server }) => {
  await signUpMira(page);
  fillLibrary(server.dataDir);
  await open(page, '/library');
  await expect(rows(page)).toHaveCount(8);
  await photograph(page, 'library');
});

test('a recording in the player looks as accepted', async ({ page, browserContext, server }) => {
  await signUpMira(page);
  await openPlayer(page, await storeInterview(page, browserContext, server));
  // High enough for its notes and gaps.
  await page.setViewportSize({ width: 1280, height: 1240 });
  await photograph(page, 'player');
});

test('the recorder’s settings look as accepted', async ({ page }) => {
  await signUpMira(page);
  // The free space depends on the machine's disk.
  await page.addInitScript(() => {
    navigator.storage.estimate = () => Promise.resolve({ usage: 4_000_000, quota: 10_000_000_000 });
  });
  await open(page, '/settings/audio');
  await expect(page.getByText(/^This device has space for/)).toBeVisible();
  await photograph(page, 'settings');
});

test('the trash looks as accepted', async ({ page, server }) => {
  await signUpMira(page);
  // The remaining days are counted from a deletion by the server's clock, which would empty an older trash.
  const nowMs = Date.now();
  fillTrash(server.dataDir, nowMs);
  await open(page, '/trash', nowMs);
  await expect(page.getByRole('button', { name: 'Restore', exact: true })).toHaveCount(2);
  await photograph(page, 'trash');
});

test('the sign-in page looks as accepted', async ({ page, consoleGuard }) => {
  consoleGuard.allow(/401/);
  await open(page, '/sign-in');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await photograph(page, 'sign-in');
});

test.describe('on a phone', () => {
  test.use({ browserOptions: { isWhole: true, isExact: true, isPhone: true } });

  test('the recorder looks as accepted', async ({ page, server }) => {
    await openRecorder(page, server.dataDir);
    await photograph(page, 'phone-recorder', onPhone);
  });

  test('a recording in the player looks as accepted', async ({ page, browserContext, server }) => {
    await signUpMira(page);
    await openPlayer(page, await storeInterview(page, browserContext, server));
    await photograph(page, 'phone-player', onPhone);
  });
});
