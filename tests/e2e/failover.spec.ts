import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '#tests/support/find-browser.ts';
import { expect, test } from './earshot-test.ts';
import {
  clockMs,
  onlyReadyRecording,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

declare global {
  var earshotTracks: MediaStreamTrack[];
}

/** Exposes the tracks of every microphone that the page opens. */
test.beforeEach(async ({ browserContext }) => {
  await browserContext.addInitScript(() => {
    const { mediaDevices } = navigator;
    if (!mediaDevices) return;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    const tracks: MediaStreamTrack[] = [];
    Object.assign(globalThis, { earshotTracks: tracks });
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints);
      tracks.push(...stream.getAudioTracks());
      return stream;
    };
  });
});

/** Kills the Chromium audio service of this profile. Its microphones are gone for a moment, as if unplugged. */
function killAudioOf(profile: string): void {
  const pids = execFileSync(
    'pgrep',
    ['-f', `utility-sub-type=audio.*${profile}|${profile}.*utility-sub-type=audio`],
    { encoding: 'utf8' },
  )
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

test.describe('where the browser captures audio in a separate process', () => {
  test.use({ browserOptions: { isWhole: true } });

  test('records a gap when the microphone is lost, and resumes automatically', async ({
    page,
    profile,
    consoleGuard,
  }) => {
    consoleGuard.allow(/AudioContext encountered an error/);
    await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    killAudioOf(profile);
    // The browser's audio restarts after a varying delay, so the gap may be too short for a notice.
    await expect.poll(async () => (await takesOnDevice(page))[0]?.segments.length).toBe(2);
    await untilClock(page, (await clockMs(page)) + 2000);
    await stopTake(page);
    await expect.poll(() => receiptOf(page)).toBe(true);
    const recording = await onlyReadyRecording(page);
    expect(recording.segments).toHaveLength(2);
    expect(
      recording.gaps.filter(({ cause }) => cause === 'microphone-lost' || cause === 'interrupted'),
    ).toHaveLength(1);
  });
});

test('without a microphone, Pause, markers and Stop still work, and the earlier audio is saved', async ({
  page,
}) => {
  await startTake(page);
  await untilClock(page, 1500);
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
  });
  await page.evaluate(() => {
    // The browser fires this event when the device is unplugged. A script can only dispatch it by hand.
    for (const track of globalThis.earshotTracks) track.dispatchEvent(new Event('ended'));
  });
  await expect(page.getByText('Microphone disconnected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add marker', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await stopTake(page);
  await expect(page.getByRole('link', { name: 'Play', exact: true })).toBeVisible();
  expect((await takesOnDevice(page))[0]?.durationMs).toBeGreaterThan(1000);
});
test('the microphone can be tested before a take, and none of the test is stored', async ({ page }) => {
  await page.goto('/settings/audio');
  await page.getByRole('button', { name: 'Test microphone' }).click();
  await expect(page.getByText('Here’s how you sound.')).toBeVisible();
  await expect(
    page.getByText(/Your voice comes through well|Too loud: the sound is distorted/),
  ).toBeVisible();
  expect(await takesOnDevice(page)).toEqual([]);
});

/** Fifteen seconds of silence, 16 kHz mono (RIFF WAVE). */
function silence(): Buffer {
  const dataBytes = 15 * 16_000 * 2;
  const wav = Buffer.alloc(44 + dataBytes);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + dataBytes, 4);
  wav.write('WAVEfmt ', 8);
  [
    [16, 4],
    [1, 2],
    [1, 2],
    [16_000, 4],
    [32_000, 4],
    [2, 2],
    [16, 2],
  ].reduce((at, [value = 0, size = 0]) => wav.writeUIntLE(value, at, size), 16);
  wav.write('data', 36);
  wav.writeUInt32LE(dataBytes, 40);
  return wav;
}

test('reports silence on the screen and in the page title', async ({ server }) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-silence-'));
  const file = join(folder, 'silence.wav');
  writeFileSync(file, silence());
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: findBrowser(),
    headless: true,
    baseURL: server.url,
    chromiumSandbox: process.getuid?.() !== 0,
    locale: 'en-GB',
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${file}`,
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await startTake(page);
    await expect(page.getByText('No sound detected', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveTitle(/No sound detected/);
    await page.getByRole('button', { name: 'Don’t warn again' }).click();
    await expect(page).not.toHaveTitle(/No sound detected/);
    await stopTake(page);
    await expect(page.getByRole('link', { name: 'Play', exact: true })).toBeVisible();
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
