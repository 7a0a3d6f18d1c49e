import { decodeInBrowser } from '#tests/support/compare-speech.ts';
import { suspendBrowser } from '#tests/support/suspended-browser.ts';
import { expect, test } from './earshot-test.ts';
import { clockMs, gapsOf, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

for (const sleptMs of [1000, 4000]) {
  test(`a computer that slept for ${sleptMs} ms leaves a named gap of that length, and time stays true`, async ({
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
    // A busy machine may need more than a second to bring the microphone back: that is opened again, and
    // named too.
    expect(others.filter(({ cause }) => cause !== 'interrupted')).toEqual([]);
    expect(Math.abs((gap?.durationMs ?? 0) - asleepMs)).toBeLessThanOrEqual(200);
    expect(gap?.atMs).toBeGreaterThanOrEqual(1500);
    // A short loss is padded in its segment; a long one begins a new segment.
    expect(recording.segments).toHaveLength((sleptMs > 2000 ? 2 : 1) + others.length);
    const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
    expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(100);
  });
}

test('a busy page is no gap: sound that comes late is all there', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await page.evaluate(() => {
    const until = performance.now() + 3000;
    while (performance.now() < until) {
      /* hangs */
    }
  });
  await untilClock(page, (await clockMs(page)) + 1000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(gapsOf(recording)).toEqual([]);
  expect(recording.segments).toHaveLength(1);
});
