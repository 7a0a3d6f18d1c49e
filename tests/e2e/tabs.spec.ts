import type { Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import {
  clockMs,
  expectKilled,
  expectWhole,
  listed,
  onlyReadyRecording,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

const liveRow = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ hasText: /\d:\d\d/ })
    .filter({ has: page.getByText('Recording', { exact: true }) });

test('a second tab shows the running take and does not touch it', async ({ page, browserContext }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1500);
  const second = await browserContext.newPage();
  await second.goto('/library');
  await expect(liveRow(second)).toHaveCount(1);
  await second.goto('/');
  await expect(second.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  await second.reload();
  const beforeMs = await clockMs(page);
  await untilClock(page, beforeMs + 2000);
  await expect(second.getByText(/was interrupted/)).toHaveCount(0);
  expect((await takesOnDevice(second)).map(({ state, segments }) => [state, segments[0]?.epoch])).toEqual([
    ['recording', 1],
  ]);
  await page.bringToFront();
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), beforeMs + 2000);
  await expect.poll(() => receiptOf(second)).toBe(true);
});

test('a second tab says that the first one records, asks before it records too, and stops it', async ({
  page,
  browserContext,
}) => {
  await signUp(page);
  await startTake(page);
  const second = await browserContext.newPage();
  await second.goto('/');
  await expect(second.getByText('Recording in another tab')).toBeVisible();
  await untilClock(page, 1500);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(second.getByText('Paused')).toBeVisible();
  await second.getByRole('button', { name: 'Record', exact: true }).click();
  const question = second.getByRole('alertdialog', { name: 'Record in this tab too?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  for (const path of ['/library', '/settings/storage', '/']) {
    await second.goto(path);
    await expect(second.getByText('Recording in another tab')).toBeVisible();
  }
  expect(await takesOnDevice(page)).toHaveLength(1);

  await second.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Continue recording', exact: true })).toBeVisible();
  await expect(second.getByText('Recording in another tab')).toHaveCount(0);
  expect((await onlyReadyRecording(page)).durationMs).toBeGreaterThan(1000);
});

test('two open tabs recover the take of a closed tab once, and report the interruption', async ({
  page,
  browserContext,
}) => {
  await signUp(page);
  const others = [await browserContext.newPage(), await browserContext.newPage()] as const;
  for (const other of others) {
    await other.goto('/');
    await expect(other.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  }
  await page.bringToFront();
  await startTake(page);
  await untilClock(page, 2000);
  const spokenMs = await clockMs(page);
  await page.close({ runBeforeUnload: false });
  const [first] = others;
  await expectKilled(first, await onlyReadyRecording(first), spokenMs - 1000);
  await expect
    .poll(async () =>
      (await Promise.all(others.map((other) => other.getByText(/was interrupted/).count()))).some(
        (count) => count > 0,
      ),
    )
    .toBe(true);
  expect(await listed(first)).toHaveLength(1);
  expect((await takesOnDevice(first)).map(({ segments }) => segments.map(({ epoch }) => epoch))).toEqual([
    [2],
  ]);
});

test(
  'a tab opened after a crash recovers the take automatically',
  { tag: '@core' },
  async ({ page, browserContext, consoleGuard }) => {
    consoleGuard.allow(/Target crashed/);
    await signUp(page);
    await startTake(page);
    await untilClock(page, 3000);
    const spokenMs = await clockMs(page);
    const crashed = page.waitForEvent('crash');
    const devtools = await browserContext.newCDPSession(page);
    devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    const second = await browserContext.newPage();
    await second.goto('/');
    await expect(second.getByText(/was interrupted/)).toBeVisible();
    await expectKilled(second, await onlyReadyRecording(second), spokenMs - 1000);
  },
);
