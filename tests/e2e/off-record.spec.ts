import type { Page } from '@playwright/test';
import { second } from '#base/duration.ts';
import { pagesOf } from '#audio/ogg/joined.suite.ts';
import { packetsOf } from '#audio/ogg/ogg-page.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import {
  asListener,
  callAs,
  pauseButton,
  placeSlider,
  playButton,
  playedMs,
  shareLive,
  shareRecording,
  untilPlayed,
} from './listening-steps.ts';
import { clockMs, listed, signUp, startTake, stopTake, submitAccount, untilClock } from './steps.ts';

const mutedNotice = (page: Page) => page.getByText('Still being recorded. Listeners hear silence.');

/** The sound that a link gives now: whether each of its packets, of 20 ms, has any. */
async function soundOf(page: Page, url: string): Promise<boolean[]> {
  const { pathname } = new URL(url);
  const response = await page.context().request.get(`${pathname}/audio`);
  return pagesOf(await response.body())
    .slice(2)
    .flatMap((each) => packetsOf(each))
    .map(({ length }) => length > 3);
}

const shownOf = async (page: Page, url: string): Promise<SharedRecording> =>
  (await (await page.context().request.get(`${new URL(url).pathname}/recording`)).json()) as SharedRecording;

/** Whether any packet between two moments has sound. */
const hasSound = (packets: readonly boolean[], fromMs: number, toMs: number): boolean =>
  packets.slice(Math.ceil(fromMs / 20) + 1, Math.floor(toMs / 20) - 1).includes(true);

test('S42: a passage off the record reaches no listener of a live link with a delay', async ({
  page,
  server,
  consoleGuard,
}) => {
  test.slow();
  const { recordingId, url } = await shareLive(page, 2 * second, { delayMs: 10_000 });
  await untilClock(page, 18 * second);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await expect(listener.getByText('Live now')).toBeVisible();
    await playButton(listener).click();
    await expect(pauseButton(listener)).toBeVisible();
    const pressedMs = await clockMs(page);
    await page.getByRole('button', { name: 'Mute for listeners' }).click();
    await expect(mutedNotice(page)).toBeVisible();
    await expect(listener.getByText('The speaker has muted the sound.')).toBeVisible({ timeout: 20_000 });
    await untilClock(page, pressedMs + 8 * second);
    await page.getByRole('button', { name: 'Unmute for listeners' }).click();
    await expect(mutedNotice(page)).toHaveCount(0);
    const { passages } = (await callAs(page, `GET /api/recordings/${recordingId}`)) as RecordingDetails;
    const { fromMs, toMs } = passages[0] ?? { fromMs: 0, toMs: null };
    expect(Math.abs(fromMs - (pressedMs - 10 * second))).toBeLessThan(1.5 * second);
    expect(toMs ?? 0).toBeGreaterThan(pressedMs + 7 * second);
    // The sound comes back by itself, and the listener is as far behind as before.
    await expect(listener.getByText('The speaker has muted the sound.')).toHaveCount(0, { timeout: 20_000 });
    await untilPlayed(listener, (toMs ?? 0) + second);
    const packets = await soundOf(listener, url);
    expect(hasSound(packets, 0, fromMs)).toBe(true);
    expect(hasSound(packets, fromMs, toMs ?? 0)).toBe(false);
    expect(hasSound(packets, (toMs ?? 0) + 200, packets.length * 20)).toBe(true);
    const lengthMs = Number(await placeSlider(listener).getAttribute('aria-valuemax'));
    expect(lengthMs - (await playedMs(listener))).toBeLessThan(15 * second);
    await stopTake(page);
    await expect(listener.getByText('The live recording has ended.')).toBeVisible();
    const shown = await shownOf(listener, url);
    expect(shown.offRecord).toEqual([{ atMs: fromMs, durationMs: (toMs ?? 0) + 80 - fromMs }]);
    expect(hasSound(await soundOf(listener, url), fromMs, toMs ?? 0)).toBe(false);
  });
  // The recording itself is whole, and its owner releases the passage.
  await page.goto(`/recordings/${recordingId}`);
  const passages = page.getByRole('region', { name: 'Muted for listeners' });
  await passages.getByRole('button', { name: 'Unmute for listeners' }).click();
  await page.getByRole('button', { name: 'Unmute', exact: true }).click();
  await expect(passages).toHaveCount(0);
  expect((await shownOf(page, url)).offRecord).toEqual([]);
});

test(
  'S42: a passage that is started offline is not confirmed, and reaches the server before its sound',
  { tag: '@core' },
  async ({ page, browserContext, server, consoleGuard }) => {
    test.slow();
    consoleGuard.allow(/net::ERR_INTERNET_DISCONNECTED|Failed to load resource/);
    const { recordingId, url } = await shareLive(page, 3 * second);
    await expect(page.getByRole('button', { name: 'Mute for listeners' })).toBeVisible();
    await browserContext.setOffline(true);
    const beforeMs = await clockMs(page);
    await page.getByRole('button', { name: 'Mute for listeners' }).click();
    await expect(page.getByText('Muting for listeners: not confirmed yet')).toBeVisible();
    const afterMs = await clockMs(page);
    await untilClock(page, afterMs + 4 * second);
    await browserContext.setOffline(false);
    await expect(mutedNotice(page)).toBeVisible({ timeout: 30_000 });
    const { passages } = (await callAs(page, `GET /api/recordings/${recordingId}`)) as RecordingDetails;
    const { fromMs } = passages[0] ?? { fromMs: 0 };
    expect(fromMs).toBeGreaterThan(beforeMs - second);
    expect(fromMs).toBeLessThanOrEqual(afterMs + second);
    await untilClock(page, (await clockMs(page)) + 3 * second);
    await asListener({ server, consoleGuard }, {}, async (listener) => {
      const packets = await soundOf(listener, url);
      expect(hasSound(packets, 0, fromMs)).toBe(true);
      expect(hasSound(packets, fromMs, packets.length * 20)).toBe(false);
    });
    // It lasts after a reload: only its user ends it.
    await page.getByRole('button', { name: 'Unmute for listeners' }).click();
    await expect(mutedNotice(page)).toHaveCount(0);
    await stopTake(page);
  },
);

test('on air is shown for a link that was made elsewhere, on every page and after a reload, until it ends', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  test.slow();
  const { url } = await shareLive(page, second, { delayMs: 10_000 });
  const panel = page.getByRole('region', { name: 'Listeners' });
  await expect(panel).toContainText('On air · Anyone with the link · Listening: 0 · Delay: 10 seconds');
  await expect(page).toHaveTitle(/^● On air · Record/);
  await untilClock(page, 12 * second);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await expect(panel).toContainText('Listening: 1');
  });
  await expect(panel).toContainText('Listening: 0');

  const other = await browserContext.newPage();
  await other.goto('/library');
  await expect(other.getByText('On air · Anyone with the link')).toBeVisible();
  await other.close();

  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  const bar = page.getByRole('region', { name: 'Recording' });
  await expect(page).toHaveTitle(/^● On air · Library/);
  await bar.getByRole('button', { name: /^On air, Anyone with the link/ }).click();
  await page.getByRole('menuitem', { name: 'Stop sharing' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page).toHaveTitle(/^Library/);
  await expect(bar.getByRole('button', { name: 'Share live' })).toBeVisible();
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Mute for listeners' })).toHaveCount(0);
  await stopTake(page);
});

test('a sign-out that lets the recording continue ends on air until its owner signs in again', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, second);
  const [recording] = await listed(page);
  await shareRecording(page, recording?.id ?? '', { live: { delayMs: 0, isHeldAfterStop: false } });
  await expect(page.getByRole('region', { name: 'Listeners' })).toContainText('On air');
  await page.getByRole('button', { name: /’s account$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out, keep recording' }).click();
  await expect(page.getByText(/A recording of .* is running$/)).toBeVisible();
  await expect(page).toHaveTitle(/^Record/);
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  const bar = page.getByRole('region', { name: 'Recording' });
  await expect(bar).not.toContainText('On air');
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await submitAccount(page, user, 'Sign in');
  await expect(bar).toContainText('On air');
  await bar.getByRole('button', { name: 'Stop' }).click();
  await expect(page).toHaveTitle(/^Library/);
});
