import type { Page } from '@playwright/test';
import { decodeInBrowser, likenessToLoop, readWav } from '#tests/support/compare-speech.ts';
import { expect, speechFile, sharedTest, test } from './earshot-test.ts';
import {
  audioBytesOnDisk,
  clockMs,
  gapsOf,
  listed,
  onlyReadyRecording,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

/**
 * Turns off all processing between the microphone and the file, so that the recording can be compared with the
 * speech.
 */
async function recordAsItIs(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Recording' }).click();
  for (const name of ['Noise reduction', 'Echo cancellation', 'Automatic level']) {
    const control = page.getByRole('switch', { name });
    await expect(control).toBeChecked();
    await control.press('Space');
    await expect(control).not.toBeChecked();
  }
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
}

test(
  'uploads speech while it is being recorded, and the stored audio matches it',
  { tag: '@core' },
  async ({ page, server }) => {
    await signUp(page);
    await recordAsItIs(page);
    await startTake(page);

    const bytes = () => audioBytesOnDisk(server.dataDir);
    await expect.poll(bytes, { message: 'bytes on the disk during the take' }).toBeGreaterThan(2000);
    const early = bytes();
    await expect.poll(bytes, { message: 'more bytes as the take continues' }).toBeGreaterThan(early + 10_000);
    await untilClock(page, 6000);
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
    expect(recording.segments.every((segment) => segment.sha256 !== null && segment.storedAt !== null)).toBe(
      true,
    );
  },
);

/** The worker reports the captured time more often than this. */
const maxReportMs = 1000;

sharedTest(
  'a take continues while the user navigates, and a pause adds nothing to its length',
  { tag: '@core' },
  async ({ page }) => {
    const goTo = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
    const shown = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await signUp(page);
    await startTake(page);
    await goTo('Library');
    await shown('Library');
    await untilClock(page, (await clockMs(page)) + 500);
    await page.goBack();
    await untilClock(page, (await clockMs(page)) + 500);

    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const pausedAtMs = performance.now();
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
    const walk = async () => {
      await goTo('Library');
      await shown('Library');
      await page.goBack();
      await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
    };
    // Audio from before the press counts, even if the microphone delivers it late, so the clock stops shortly
    // after the press. Two equal readings may lie between two reports of the worker.
    let paused = await clockMs(page);
    let unchangedSinceMs = performance.now();
    await expect(async () => {
      await walk();
      const now = await clockMs(page);
      if (now !== paused) unchangedSinceMs = performance.now();
      paused = now;
      expect(performance.now() - unchangedSinceMs).toBeGreaterThan(maxReportMs);
    }).toPass();
    await walk();
    expect(await clockMs(page), 'the clock does not move during the pause').toBe(paused);
    const pauseMs = performance.now() - pausedAtMs;
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await untilClock(page, paused + 500);
    await stopTake(page);
    const recording = await onlyReadyRecording(page);
    expect(recording.durationMs).toBeGreaterThanOrEqual(paused + 500);
    expect(recording.pauses).toHaveLength(1);
    expect(recording.pauses[0]?.durationMs).toBeGreaterThan(pauseMs - 500);
    expect(gapsOf(recording)).toEqual([]);
  },
);

sharedTest(
  'markers set by key or button are named immediately: Enter saves the name, Escape does not',
  { tag: '@core' },
  async ({ page }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 1000);
    const names = page.getByRole('textbox', { name: /Name for the marker/ });
    await page.keyboard.down('m');
    await expect(names).toBeFocused();
    // A key held too long repeats the same press, which types nothing.
    for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('m');
    await page.keyboard.up('m');
    await expect(names).toHaveValue('');
    await page.keyboard.type('prompt reply, more');
    await page.keyboard.press('Enter');
    await expect(names).toHaveValue('prompt reply, more');
    await expect(names).not.toBeFocused();
    // None of the letters acted as a shortcut of the take.
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
    const labels = () =>
      page.evaluate(
        async (recordingId) =>
          (
            (await (await fetch(`/api/recordings/${recordingId}/markers`)).json()) as {
              items: { label: string }[];
            }
          ).items.map(({ label }) => label),
        id,
      );
    await expect.poll(labels).toEqual(['prompt reply, more', '']);
  },
);

sharedTest(
  'after naming a marker, another Enter or Space does not stop the take, whichever button had focus',

  async ({ page }) => {
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    const add = page.getByRole('button', { name: 'Add marker', exact: true });
    const names = page.getByRole('textbox', { name: /Name for the marker/ });
    await signUp(page);
    await page.getByRole('button', { name: 'Record', exact: true }).press('Enter');
    await untilClock(page, 1000);
    await expect(stop).toBeFocused();
    await page.keyboard.press('m');
    // Letters typed before the field appears belong to the name and are no shortcuts.
    await page.keyboard.type('prompt');
    await expect(names).toBeFocused();
    await expect(names).toHaveValue('prompt');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await expect(add).toBeFocused();
    await expect(names).toHaveCount(1);
    await expect(names).toHaveValue('prompt');

    // Deleting a marker moves focus to no destructive button.
    await page.getByRole('button', { name: 'Delete marker' }).click();
    await expect(names).toHaveCount(0);
    await expect
      .poll(() =>
        page.evaluate(
          () =>
            document.activeElement !== document.body &&
            document.activeElement?.closest('[data-ends]') === null,
        ),
      )
      .toBe(true);
    await untilClock(page, (await clockMs(page)) + 500);
    await expect(stop).toBeVisible();
    await stopTake(page);
  },
);

sharedTest(
  'sets a marker earlier than the press by the chosen offset, but never before the start',
  async ({ page }) => {
    await signUp(page);
    await page.goto('/settings/audio');
    await page.getByRole('combobox', { name: 'Move markers back by' }).selectOption('5');
    await page.getByRole('link', { name: 'Record', exact: true }).first().click();
    await startTake(page);
    await page.getByRole('button', { name: 'Add marker', exact: true }).click();
    await untilClock(page, 6000);
    await page.getByRole('button', { name: 'Add marker', exact: true }).click();
    await stopTake(page);
    const { id, durationMs } = await onlyReadyRecording(page);
    const marksOf = () =>
      page.evaluate(
        async (recordingId) =>
          (
            (await (await fetch(`/api/recordings/${recordingId}/markers`)).json()) as {
              items: { atMs: number }[];
            }
          ).items.map(({ atMs }) => atMs),
        id,
      );
    await expect.poll(async () => (await marksOf()).length).toBe(2);
    const [first = -1, second = -1] = await marksOf();
    expect(first).toBe(0);
    expect(second).toBeGreaterThanOrEqual(1000);
    expect(second).toBeLessThanOrEqual(durationMs - 5000);
  },
);

sharedTest(
  'Discard asks for confirmation, moves a take to the trash, and Undo restores it',

  async ({ page }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 1000);
    const discard = async () => {
      await page.getByRole('button', { name: 'More actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Discard', exact: true }).click();
    };
    await discard();
    const question = page.getByRole('alertdialog', { name: /Stop and move to trash/ });
    await expect(question.getByRole('button', { name: 'Cancel', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await untilClock(page, (await clockMs(page)) + 500);
    await discard();
    await question.getByRole('button', { name: 'Move to trash', exact: true }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(async () => (await listed(page)).length).toBe(1);
  },
);
