import type { Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import { play, openSpeech } from './player-steps.ts';
import { onlyReadyRecording, positionMs } from './steps.ts';

/**
 * Captures the page's Media Session handlers so that a test can call them. Automation cannot reach a lock screen
 * or a headset.
 */
async function holdSystemButtons(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const handlers = new Map<string, MediaSessionActionHandler | null>();
    const { mediaSession } = navigator;
    const tellSystem = mediaSession.setActionHandler.bind(mediaSession);
    mediaSession.setActionHandler = (action, handler) => {
      tellSystem(action, handler);
      handlers.set(action, handler);
    };
    Object.assign(globalThis, { systemButtons: handlers });
  });
}

const pressOnSystem = (page: Page, action: MediaSessionAction, seekTime?: number) =>
  page.evaluate(
    ([name, seconds]) => {
      (globalThis as unknown as { systemButtons: Map<string, MediaSessionActionHandler> }).systemButtons.get(
        name,
      )?.({ action: name, ...(seconds === undefined ? {} : { seekTime: seconds }) });
    },
    [action, seekTime] as const,
  );

const onSystem = (page: Page) =>
  page.evaluate(() => ({
    title: navigator.mediaSession.metadata?.title ?? null,
    state: navigator.mediaSession.playbackState,
  }));

test('the system shows the playing recording, and its buttons control playback', async ({ page }) => {
  await holdSystemButtons(page);
  await openSpeech(page);
  const { title } = await onlyReadyRecording(page);
  await play(page);
  await expect.poll(() => onSystem(page)).toEqual({ title, state: 'playing' });
  await pressOnSystem(page, 'pause');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect.poll(() => onSystem(page)).toEqual({ title, state: 'paused' });
  await pressOnSystem(page, 'seekto', 1.5);
  await expect.poll(() => positionMs(page)).toBe(1500);
  await pressOnSystem(page, 'seekbackward');
  await expect.poll(() => positionMs(page)).toBe(0);
  await pressOnSystem(page, 'play');
  await expect.poll(() => onSystem(page)).toEqual({ title, state: 'playing' });
});
