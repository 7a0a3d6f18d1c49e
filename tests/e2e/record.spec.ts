import type { Page } from '@playwright/test';
import { decodeInBrowser, likenessToLoop, readWav } from '../support/compare-speech.ts';
import { expect, speechFile, test } from './earshot-test.ts';
import { audioBytesOnDisk, clockMs, gapsOf, listed, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

/** As it is: no processing between the microphone and the file, so that what was spoken can be compared. */
async function recordAsItIs(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Recording' }).click();
  for (const name of ['Reduce noise', 'Cancel echo', 'Even out loudness']) {
    const control = page.getByRole('switch', { name });
    await expect(control).toBeChecked();
    await control.press('Space');
    await expect(control).not.toBeChecked();
  }
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
}

test('speech is on the server while it is being spoken, and afterwards it is what was said', async ({ page, server }) => {
  await signUp(page);
  await recordAsItIs(page);
  await startTake(page);

  await untilClock(page, 2000);
  const early = audioBytesOnDisk(server.dataDir);
  expect(early, 'bytes on the disk after two seconds').toBeGreaterThan(2000);
  await untilClock(page, 6000);
  expect(audioBytesOnDisk(server.dataDir), 'bytes on the disk after six seconds').toBeGreaterThan(early + 10_000);
  expect((await listed(page)).map((recording) => recording.state)).toEqual(['receiving']);

  await stopTake(page);
  await expect(page.getByText('Saved on the server').first()).toBeVisible();
  const recording = await onlyReadyRecording(page);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
  expect(recording.durationMs).toBeGreaterThanOrEqual(6000);
  const { likeness } = likenessToLoop(heard, readWav(speechFile));
  expect(likeness, 'likeness to the speech that was played').toBeGreaterThan(0.9);
  expect(recording.peaksPoints).toBeGreaterThanOrEqual(Math.floor(recording.durationMs / 10) - 1);
  expect(recording.segments.every((segment) => segment.sha256 !== null && segment.storedAt !== null)).toBe(true);
});

test('a pause takes no time in the recording and goes on in the same take', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1500);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await page.waitForTimeout(300);
  const paused = await clockMs(page);
  await page.waitForTimeout(1500);
  expect(await clockMs(page)).toBe(paused);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await untilClock(page, paused + 1000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.durationMs).toBeLessThan(paused + 2500);
  expect(recording.pauses).toHaveLength(1);
  expect(recording.pauses[0]?.durationMs).toBeGreaterThan(1400);
  expect(gapsOf(recording)).toEqual([]);
});

test('markers set during a take are on the recording', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  await page.keyboard.press('m');
  await untilClock(page, 2000);
  await page.getByRole('button', { name: 'Add marker', exact: true }).click();
  await untilClock(page, 2500);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  await expect.poll(async () => page.evaluate(async (id) => (await (await fetch(`/api/recordings/${id}/markers`)).json() as { items: { atMs: number }[] }).items.length, recording.id)).toBe(2);
});

test('a marker is named as soon as it is set: its keys are letters meanwhile, Enter keeps the name, Escape does not, and both lead back', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  const names = page.getByRole('list', { name: 'Markers' }).getByRole('textbox', { name: /Name of the marker/ });
  await page.keyboard.down('m');
  await expect(names).toBeFocused();
  // Held a little too long: the same press, which types nothing either.
  for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('m');
  await page.keyboard.up('m');
  await expect(names).toHaveValue('');
  await page.keyboard.type('prompt reply, more');
  await page.keyboard.press('Enter');
  await expect(names).toHaveValue('prompt reply, more');
  await expect(names).not.toBeFocused();
  // None of the letters was a key of the take.
  await expect(names).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();

  const add = page.getByRole('button', { name: 'Add marker', exact: true });
  await add.click();
  await expect(names).toHaveCount(2);
  await expect(names.first()).toBeFocused();
  await page.keyboard.type('slip');
  await page.keyboard.press('Escape');
  await expect(add).toBeFocused();
  await expect(names.first()).toHaveValue('');
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await stopTake(page);
  const { id } = await onlyReadyRecording(page);
  const labels = () => page.evaluate(async (recordingId) => (await (await fetch(`/api/recordings/${recordingId}/markers`)).json() as { items: { label: string }[] }).items.map(({ label }) => label), id);
  await expect.poll(labels).toEqual(['prompt reply, more', '']);
});

test('a marker is set as far before the press as was chosen, never before the beginning', async ({ page }) => {
  await signUp(page);
  await page.goto('/settings/audio');
  await page.getByRole('combobox', { name: 'Set markers back by' }).selectOption('5');
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await startTake(page);
  await page.getByRole('button', { name: 'Add marker', exact: true }).click();
  await untilClock(page, 7000);
  await page.getByRole('button', { name: 'Add marker', exact: true }).click();
  await untilClock(page, 8000);
  await stopTake(page);
  const { id, durationMs } = await onlyReadyRecording(page);
  const marksOf = () => page.evaluate(async (recordingId) => (await (await fetch(`/api/recordings/${recordingId}/markers`)).json() as { items: { atMs: number }[] }).items.map(({ atMs }) => atMs), id);
  await expect.poll(async () => (await marksOf()).length).toBe(2);
  const [first = -1, second = -1] = await marksOf();
  expect(first).toBe(0);
  expect(second).toBeGreaterThanOrEqual(2000);
  expect(second).toBeLessThanOrEqual(durationMs - 5000);
});

test('a take goes on while the person walks through the app, and can be stopped from there', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await untilClock(page, 1500);
  await page.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await untilClock(page, 2500);
  await page.goBack();
  await untilClock(page, 3000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.durationMs).toBeGreaterThanOrEqual(3000);
});

test('discarding a take moves it to the trash, and Undo brings it back', async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await listed(page)).length).toBe(1);
});
