import { execFileSync } from 'node:child_process';
import { setTimeout as passed } from 'node:timers/promises';
import { decodeInBrowser } from '../support/compare-speech.ts';
import { expect, test } from './earshot-test.ts';
import { clockMs, gapsOf, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

function childrenOf(pid: number): number[] {
  // pgrep ends with 1 where there is none.
  try { return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).split('\n').map(Number).filter((child) => child > 0); } catch { return []; }
}

/** Every process of the browser with this profile: the browser and all that it started. */
function browserTree(profile: string): number[] {
  const found = execFileSync('pgrep', ['-f', profile], { encoding: 'utf8' }).split('\n').map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const tree = new Set(found);
  for (const pid of tree) {
    for (const child of childrenOf(pid)) tree.add(child);
  }
  return [...tree];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try { process.kill(pid, name); } catch { /* it has ended meanwhile */ }
  }
}

for (const sleptMs of [1000, 4000]) {
  test(`a computer that slept for ${sleptMs} ms leaves a named gap of that length, and time stays true`, async ({ page, profile }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 4000);
    const tree = browserTree(profile);
    const beforeMs = performance.now();
    signal(tree, 'SIGSTOP');
    await passed(sleptMs);
    signal(tree, 'SIGCONT');
    const asleepMs = performance.now() - beforeMs;
    await untilClock(page, 4000 + sleptMs + 3000);
    await stopTake(page);
    const recording = await onlyReadyRecording(page);
    const [gap, ...others] = gapsOf(recording);
    expect(gap?.cause).toBe('device-slept');
    // A busy machine may need more than a second to bring the microphone back: that is opened anew, and named too.
    expect(others.filter(({ cause }) => cause !== 'interrupted')).toEqual([]);
    expect(Math.abs((gap?.durationMs ?? 0) - asleepMs)).toBeLessThanOrEqual(200);
    expect(gap?.atMs).toBeGreaterThanOrEqual(3500);
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
    while (performance.now() < until) { /* hangs */ }
  });
  await untilClock(page, await clockMs(page) + 2000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(gapsOf(recording)).toEqual([]);
  expect(recording.segments).toHaveLength(1);
});
