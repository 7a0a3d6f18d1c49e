import type { Page } from '@playwright/test';
import type { ServerStatus, StatusWarning } from '#contract/server-status-api.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadGappedRecording } from '#tests/support/gapped-recording.ts';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { onlyReadyRecording, signUp, startTake, stopTake, untilClock } from '#tests/e2e/steps.ts';
import { cutOffText } from './cut-off-text.ts';
import { everyLanguage, showLanguage } from './in-every-language.ts';

const gapped = {
  durationMs: 22_000,
  segments: [
    { startMs: 0, durationMs: 3000 },
    { startMs: 4400, durationMs: 3600 },
    { startMs: 20_000, durationMs: 2000 },
  ],
  gaps: [
    { atMs: 3000, durationMs: 1400, cause: 'microphone-lost' as const },
    { atMs: 8000, durationMs: 12_000, cause: 'page-killed' as const },
  ],
};

const longHost = 'earshot-production-eu-central-1-7f9c6d5b8-x2kqp';
const statusWarnings: readonly StatusWarning[] = [
  { code: 'database-unreachable' },
  { code: 'store-unreachable' },
  { code: 'recordings-damaged', count: 12 },
  { code: 'disk-nearly-full', host: longHost, freeBytes: 100_000_000 },
  { code: 'hot-nearly-full', usedBytes: 9_000_000_000, limitBytes: 10_000_000_000 },
  { code: 'node-silent', host: longHost, silentMs: 9_000_000 },
  { code: 'versions-differ', versions: ['0.1.0 (a1b2c3d4e5f6)', '0.2.0 (b1b2c3d4e5f6)'] },
  { code: 'clock-differs', host: longHost, differenceMs: 5230 },
  { code: 'jobs-failed', count: 4 },
];

/** Switches the current screen through every language, and reports what is cut off in which. */
async function expectWholeInEveryLanguage(page: Page, screen: string): Promise<void> {
  const found: string[] = [];
  for (const tag of everyLanguage) {
    await showLanguage(page, tag);
    for (const cut of await cutOffText(page)) found.push(`${screen}, ${tag}: ${cut}`);
  }
  await showLanguage(page, 'en');
  expect.soft(found).toEqual([]);
}

async function expectWholeScreens(
  page: Page,
  paths: readonly string[],
  enlarge: (page: Page) => Promise<void>,
): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page.locator('h1').first()).toBeAttached();
    await expect(page.locator('main [class*=spinner]')).toHaveCount(0);
    await enlarge(page);
    await expectWholeInEveryLanguage(page, path);
  }
}

const sizes = [
  { name: 'at 320 pixels', enlarge: async () => undefined },
  {
    name: 'at 320 pixels with text of 200 %',
    enlarge: (page: Page) =>
      page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      }),
  },
] as const;

for (const { name, enlarge } of sizes) {
  test.describe(name, () => {
    test.use({ browserOptions: { viewport: { width: 320, height: 640 } } });

    test('no text is cut off in any language when signed out', async ({ page, consoleGuard }) => {
      consoleGuard.allow(/401|404/);
      await expectWholeScreens(
        page,
        [
          '/',
          '/library',
          '/shared',
          '/trash',
          '/settings/language',
          '/settings/audio',
          '/settings/storage',
          '/sign-in',
          '/sign-up',
          '/nowhere',
        ],
        enlarge,
      );
    });

    test('no text is cut off in any language in an account and its settings', async ({
      page,
      consoleGuard,
    }) => {
      consoleGuard.allow(/401|404/);
      await signUp(page);
      await expectWholeScreens(
        page,
        [
          '/library',
          '/shared',
          '/trash',
          ...['profile', 'security', 'devices', 'status', 'people', 'providers', 'sharing', 'data'].map(
            (section) => `/settings/${section}`,
          ),
        ],
        enlarge,
      );
    });

    test('no text is cut off in any language in the warnings of the server status', async ({ page }) => {
      await signUp(page);
      await page.route('**/api/admin/status', async (route) => {
        const response = await route.fetch();
        const status: ServerStatus = await response.json();
        await route.fulfill({ response, json: { ...status, isComplete: false, warnings: statusWarnings } });
      });
      await expectWholeScreens(page, ['/settings/status'], enlarge);
      await expect(page.getByRole('main')).toContainText(longHost);
    });

    test('no text is cut off in any language from the take to the trash', async ({
      page,
      browserContext,
      server,
      consoleGuard,
    }) => {
      consoleGuard.allow(/401|404/);
      await signUp(page);
      await enlarge(page);
      await startTake(page);
      await page.keyboard.press('m');
      await untilClock(page, 1000);
      await expectWholeInEveryLanguage(page, 'a running take');
      await page.getByRole('link', { name: 'Library', exact: true }).click();
      await expectWholeInEveryLanguage(page, 'a take running behind the library');
      await page.getByRole('link', { name: 'Record', exact: true }).click();
      await stopTake(page);
      await onlyReadyRecording(page);
      await expectWholeInEveryLanguage(page, 'a finished take');

      const id = await uploadGappedRecording(
        server.url,
        await cookieHeader(browserContext, server.url),
        gapped,
      );
      await page.goto(`/recordings/${id}`);
      await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute(
        'aria-valuemax',
        String(gapped.durationMs),
      );
      await page.keyboard.press('m');
      await expectWholeScreens(page, ['/library', `/recordings/${id}`, '/settings/storage'], enlarge);

      await page.goto(`/recordings/${id}`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Move to trash', exact: true }).click();
      await expect(page.getByText('Undo')).toBeVisible();
      await expectWholeScreens(page, ['/trash'], enlarge);
    });
  });
}
