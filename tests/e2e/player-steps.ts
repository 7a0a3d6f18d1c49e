import type { Locator, Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { expect } from './earshot-test.ts';
import { onlyReadyRecording, signUp, startTake, stopTake, untilClock, type TestUser } from './steps.ts';

/** The detail waveform, which is also the position slider. */
export const positionSlider = (page: Page): Locator => page.getByRole('slider', { name: 'Position' }).first();

async function openReady(page: Page): Promise<string> {
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await expect(positionSlider(page)).toBeVisible();
  return id;
}

/** Signs up, records for `ms` milliseconds and opens the recording's page. Returns the recording's id. */
export async function recordAndOpen(page: Page, ms = 6000): Promise<string> {
  await signUp(page);
  await startTake(page);
  await untilClock(page, ms);
  await stopTake(page);
  return openReady(page);
}

/** Opens eleven seconds of speech that the server already has. Tests of the player need no microphone. */
export async function openSpeech(page: Page): Promise<{ id: string; user: TestUser }> {
  const user = await signUp(page);
  const { origin } = new URL(page.url());
  await storeSpeech(origin, await cookieHeader(page.context(), origin));
  return { id: await openReady(page), user };
}

export const play = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Play', exact: true }).click();
