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
  untilPlayed,
} from './listening-steps.ts';
import { clockMs, stopTake, untilClock } from './steps.ts';

const offTheRecord = (page: Page) => page.getByText('No link plays anything from');

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
    await page.keyboard.press('o');
    await expect(offTheRecord(page)).toBeVisible();
    await expect(listener.getByText('The speaker is off the record.')).toBeVisible({ timeout: 20_000 });
    await untilClock(page, pressedMs + 8 * second);
    await page.keyboard.press('o');
    await expect(offTheRecord(page)).toHaveCount(0);
    const { passages } = (await callAs(page, `GET /api/recordings/${recordingId}`)) as RecordingDetails;
    const { fromMs, toMs } = passages[0] ?? { fromMs: 0, toMs: null };
    expect(Math.abs(fromMs - (pressedMs - 10 * second))).toBeLessThan(1.5 * second);
    expect(toMs ?? 0).toBeGreaterThan(pressedMs + 7 * second);
    // The sound comes back by itself, and the listener is as far behind as before.
    await expect(listener.getByText('The speaker is off the record.')).toHaveCount(0, { timeout: 20_000 });
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
  const passages = page.getByRole('region', { name: 'Off the record' });
  await passages.getByRole('button', { name: 'Put back on the record' }).click();
  await page.getByRole('button', { name: 'Put back', exact: true }).click();
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
    await browserContext.setOffline(true);
    const beforeMs = await clockMs(page);
    await page.getByRole('button', { name: 'Off the record' }).click();
    await expect(page.getByText('Off the record: not confirmed yet')).toBeVisible();
    const afterMs = await clockMs(page);
    await untilClock(page, afterMs + 4 * second);
    await browserContext.setOffline(false);
    await expect(offTheRecord(page)).toBeVisible({ timeout: 30_000 });
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
    await page.getByRole('button', { name: 'Back on the record' }).click();
    await expect(offTheRecord(page)).toHaveCount(0);
    await stopTake(page);
  },
);
