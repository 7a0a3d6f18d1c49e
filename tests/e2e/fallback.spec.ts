import { decodeInBrowser, likenessToLoop, readWav } from '#tests/support/compare-speech.ts';
import { expect, speechFile, test } from './earshot-test.ts';
import { onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

test('records with MediaRecorder where WebCodecs is missing, and the segments are WebM', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'AudioEncoder');
  });
  await signUp(page);
  await startTake(page);
  await untilClock(page, 5000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.segments.map(({ container }) => container)).toEqual(['webm']);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
  expect(recording.durationMs).toBeGreaterThan(4500);
  expect(likenessToLoop(heard, readWav(speechFile)).likeness).toBeGreaterThan(0.8);
  expect(recording.peaksPoints).toBeGreaterThan(recording.durationMs / 10 - 50);
});

test('the server makes the waveform when the audio context never starts, so that no PCM is available', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'MediaStreamTrackProcessor');
    AudioContext.prototype.resume = () => new Promise(() => {});
    Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' });
  });
  await signUp(page);
  await startTake(page);
  await untilClock(page, 5000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.segments.map(({ container }) => container)).toEqual(['webm']);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(likenessToLoop(heard, readWav(speechFile)).likeness).toBeGreaterThan(0.8);
  expect(recording.peaksPoints).toBeGreaterThan(recording.durationMs / 10 - 5);
});

test('starts with MediaRecorder when the audio context is slow, and continues in PCM without losing a word', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'MediaStreamTrackProcessor');
    AudioContext.prototype.resume = () =>
      new Promise((resolve) => {
        setTimeout(resolve, 2500);
      });
  });
  await signUp(page);
  await startTake(page);
  await untilClock(page, 7000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.segments.map(({ container }) => container)).toEqual(['webm', 'ogg']);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
  expect(recording.durationMs).toBeGreaterThan(6500);
  expect(likenessToLoop(heard, readWav(speechFile)).likeness).toBeGreaterThan(0.8);
});

test('captures through the worklet where MediaStreamTrackProcessor is missing', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'MediaStreamTrackProcessor');
  });
  await signUp(page);
  await startTake(page);
  await untilClock(page, 5000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.segments.map(({ container }) => container)).toEqual(['ogg']);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(recording.durationMs).toBeGreaterThan(4500);
  expect(likenessToLoop(heard, readWav(speechFile)).likeness).toBeGreaterThan(0.8);
});

test('says that the microphone is being opened, on the screen and to screen readers', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => new Promise(() => {});
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('main').getByText('Opening the microphone…')).toBeVisible();
  await expect(page.locator('[aria-live=polite]', { hasText: 'Opening the microphone…' })).toHaveCount(1);
});
