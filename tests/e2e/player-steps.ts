import type { Locator, Page } from '@playwright/test';
import { expect } from './earshot-test.ts';
import { onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

/** The detail wave, which is the slider of the position. */
export const positionSlider = (page: Page): Locator => page.getByRole('slider', { name: 'Position' }).first();

/** Signs up, records for that long, and opens the recording's page; answers with the recording's id. */
export async function recordAndOpen(page: Page, ms = 6000): Promise<string> {
  await signUp(page);
  await startTake(page);
  await untilClock(page, ms);
  await stopTake(page);
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await expect(positionSlider(page)).toBeVisible();
  return id;
}

export const play = (page: Page): Promise<void> => page.getByRole('button', { name: 'Play', exact: true }).click();
