import { decodeInBrowser } from '#tests/support/compare-speech.ts';
import { suspendBrowser } from '#tests/support/suspended-browser.ts';
import { expect, test } from './earshot-test.ts';
import { clockMs, gapsOf, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

for (const sleptMs of [1000, 4000]) {
  test(`a computer that slept for ${sleptMs} ms leaves a named gap of that length, and times stay exact`, async ({
    page,
    profile,
  }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    const beforeMs = await clockMs(page);
    const asleepMs = await suspendBrowser(profile, sleptMs);
    await untilClock(page, beforeMs + sleptMs + 2000);
    await stopTake(page);
    const recording = await onlyReadyRecording(page);
    const [gap, ...others] = gapsOf(recording);
    expect(gap?.cause).toBe('device-slept');
    // A slow machine may need more than a second to reopen the microphone, which leaves an "interrupted" gap too.
    expect(others.filter(({ cause }) => cause !== 'interrupted')).toEqual([]);
    expect(Math.abs((gap?.durationMs ?? 0) - asleepMs)).toBeLessThanOrEqual(200);
    expect(gap?.atMs).toBeGreaterThanOrEqual(1500);
    // A short loss is padded within its segment; a long one starts a new segment.
    expect(recording.segments).toHaveLength((sleptMs > 2000 ? 2 : 1) + others.length);
    const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
    expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(100);
  });
}

test('a busy page leaves no gap: all delayed audio is recorded', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await page.evaluate(() => {
    const until = performance.now() + 3000;
    while (performance.now() < until) {
      /* Blocks the page's thread. */
    }
  });
  await untilClock(page, (await clockMs(page)) + 1000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(gapsOf(recording)).toEqual([]);
  expect(recording.segments).toHaveLength(1);
});
