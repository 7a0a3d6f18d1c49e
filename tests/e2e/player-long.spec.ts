import type { CDPSession, Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { expect, test } from './earshot-test.ts';
import { play, positionSlider } from './player-steps.ts';
import { positionMs, signUp } from './steps.ts';

const hours = 12;
const durationMs = hours * 3_600_000;
/** The most that the page may grow by after visiting every part of the recording. */
const maxGrowth = { heapBytes: 12_000_000, nodes: 300 };

async function pressWave(page: Page, part: number): Promise<void> {
  const box = await positionSlider(page).boundingBox();
  if (!box) throw new Error('the waveform has no box');
  await page.mouse.click(box.x + box.width * part, box.y + box.height / 2);
}

async function zoomIn(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Zoom in' });
  while (await button.isEnabled()) await button.click();
}

/** Seeks by the waveform, zooms in fully, moves by keys and wheel, and zooms out to the whole recording. */
async function wanderAt(page: Page, part: number): Promise<void> {
  await pressWave(page, part);
  expect(
    Math.abs((await positionMs(page)) - durationMs * part),
    'a press on the whole waveform',
  ).toBeLessThanOrEqual(durationMs / 400);
  await zoomIn(page);
  const before = await positionMs(page);
  for (const key of ['ArrowRight', 'PageDown', 'PageUp', 'ArrowLeft']) await positionSlider(page).press(key);
  expect(Math.abs((await positionMs(page)) - before), 'forward and back by keys').toBeLessThanOrEqual(50);
  await pressWave(page, 0.5);
  expect(Math.abs((await positionMs(page)) - before), 'a press on the fully zoomed view').toBeLessThanOrEqual(
    60_000,
  );
  await page.mouse.wheel(400, 0);
  await page.mouse.wheel(-400, 0);
  await page.getByRole('button', { name: 'Show the whole recording' }).click();
}

async function retained(cdp: CDPSession): Promise<{ heapBytes: number; nodes: number }> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes') };
}

test("zooms, scrubs and plays a twelve-hour recording anywhere without the page's memory growing", async ({
  page,
  server,
  browserContext,
}) => {
  test.setTimeout(300_000);
  await signUp(page);
  const cookie = await cookieHeader(browserContext, server.url);
  const id = await uploadLongRecording(server.url, cookie, { minutes: hours * 60, isThin: true });
  await page.goto(`/recordings/${id}`);
  await expect(positionSlider(page)).toBeVisible({ timeout: 60_000 });
  expect(
    Math.abs(Number(await positionSlider(page).getAttribute('aria-valuemax')) - durationMs),
  ).toBeLessThanOrEqual(10);

  const cdp = await browserContext.newCDPSession(page);
  await cdp.send('Performance.enable');
  for (const part of [0.1, 0.9]) await wanderAt(page, part);
  const before = await retained(cdp);
  for (const part of [0.02, 0.25, 0.4, 0.55, 0.7, 0.85, 0.98]) await wanderAt(page, part);
  const after = await retained(cdp);
  test.info().annotations.push({ type: 'kept', description: JSON.stringify({ before, after }) });
  expect(after.heapBytes - before.heapBytes).toBeLessThanOrEqual(maxGrowth.heapBytes);
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(maxGrowth.nodes);

  await pressWave(page, 0.97);
  const from = await positionMs(page);
  await play(page);
  await expect.poll(() => positionMs(page), { timeout: 30_000 }).toBeGreaterThan(from + 500);
  expect(await positionMs(page)).toBeLessThan(from + 60_000);
});
