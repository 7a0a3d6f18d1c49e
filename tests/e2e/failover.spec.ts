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

/** Keeps the tracks of every microphone that the page opens where a test finds them. */
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

/**
 * Ends Chromium's audio service of this profile: its microphones are gone for a moment, as when one is
 * unplugged.
 */
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

test.describe('where the browser hears by a process of its own', () => {
  test.use({ browserOptions: { isWhole: true } });

  test('a microphone that is lost is named as a gap, and the recording goes on by itself', async ({
    page,
    profile,
    consoleGuard,
  }) => {
    consoleGuard.allow(/AudioContext encountered an error/);
    await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    killAudioOf(profile);
    // How long the break is, and so whether it is worth a notice, depends on how soon the browser's audio is
    // there again.
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

test('while no microphone is there, Pause, markers and Stop work, and what was said is kept', async ({
  page,
}) => {
  await startTake(page);
  await untilClock(page, 1500);
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
  });
  await page.evaluate(() => {
    // What the browser does when the device is unplugged; a script can't make the event that comes with it
    // but by hand.
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
test('the microphone can be heard before a take, and nothing of it is kept', async ({ page }) => {
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Here’s how you sound.')).toBeVisible();
  await expect(
    page.getByText(/Your voice comes through well|Too loud: the sound is distorted/),
  ).toBeVisible();
  expect(await takesOnDevice(page)).toEqual([]);
});

/** Fifteen seconds of nothing, 16 kHz mono (RIFF WAVE). */
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

test('dead air is told on the screen and in the title', async ({ server }) => {
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
