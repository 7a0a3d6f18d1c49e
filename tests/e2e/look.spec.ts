import type { Locator, Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

const rowHeights = (page: Page) =>
  page
    .getByRole('list', { name: 'Recordings' })
    .getByRole('listitem')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));

test('compact rows are smaller, but never below touch size, and the choice is stored on this device', async ({
  page,
}) => {
  await startTake(page);
  await stopTake(page);
  await page.goto('/library');
  const compact = page.getByRole('button', { name: 'Compact rows' });
  await expect(page.getByRole('list', { name: 'Recordings' }).getByRole('listitem')).toHaveCount(1);
  const [comfortable = 0] = await rowHeights(page);
  await compact.click();
  await expect(compact).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await rowHeights(page))[0]).toBeLessThan(comfortable);
  await page.reload();
  await expect(compact).toHaveAttribute('aria-pressed', 'true');
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(async () => (await rowHeights(page))[0]).toBeGreaterThanOrEqual(44);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
});

test("the recording bar is one line on a phone, and a running take's row aligns its state at the end", async ({
  page,
}) => {
  await startTake(page);
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  const row = page.getByRole('list', { name: 'Recordings' }).getByRole('listitem');
  const state = row.getByText('Recording', { exact: true });
  const heightOf = async (text: Locator) => (await text.boundingBox())?.height ?? 0;
  await expect(state).toBeVisible();
  expect(await heightOf(state)).toBeLessThan(24);
  const [rowBox, stateBox] = [await row.boundingBox(), await state.boundingBox()];
  expect((rowBox?.x ?? 0) + (rowBox?.width ?? 0) - (stateBox?.x ?? 0) - (stateBox?.width ?? 0)).toBeLessThan(
    24,
  );
  await page.setViewportSize({ width: 320, height: 640 });
  const bar = page.getByRole('region', { name: 'Recording', exact: true });
  await expect.poll(() => heightOf(bar)).toBeLessThan(64);
});

test('start and stop sounds are off by default, and play only while the microphone is closed', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const seen: { hadMicrophone: boolean }[] = [];
    const open = new Set<MediaStreamTrack>();
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (choices) => {
      const stream = await ask(choices);
      for (const track of stream.getTracks()) open.add(track);
      return stream;
    };
    class WatchedOscillator extends OscillatorNode {
      override start(when?: number): void {
        seen.push({ hadMicrophone: [...open].some(({ readyState }) => readyState === 'live') });
        super.start(when);
      }
    }
    Object.assign(globalThis, { tones: seen, OscillatorNode: WatchedOscillator });
  });
  const tones = () =>
    page.evaluate(() => (globalThis as unknown as { tones: { hadMicrophone: boolean }[] }).tones);
  await signUp(page);
  await startTake(page);
  await stopTake(page);
  await onlyReadyRecording(page);
  expect(await tones()).toEqual([]);

  await page.goto('/settings/audio');
  await page.getByText('Start and stop sounds', { exact: true }).click();
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await untilClock(page, 500);
  await expect.poll(async () => (await tones()).length).toBe(2);
  await stopTake(page);
  await expect.poll(async () => (await tones()).length).toBe(4);
  expect((await tones()).map(({ hadMicrophone }) => hadMicrophone)).toEqual([false, false, false, false]);
});

test('the controls of a row are at one height, beside each other, and the row ends at the navigation', async ({
  page,
}) => {
  await signUp(page);
  await startTake(page);
  await stopTake(page);
  await onlyReadyRecording(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/library');
  const row = page.getByRole('list', { name: 'Recordings' }).getByRole('listitem');
  const boxOf = async (control: Locator) => {
    const box = await control.boundingBox();
    if (!box) throw new Error('not on the screen');
    return { start: box.x, end: box.x + box.width, middle: box.y + box.height / 2 };
  };
  for (const density of ['comfortable', 'compact'] as const) {
    if (density === 'compact') await page.getByRole('button', { name: 'Compact rows' }).click();
    await row.hover();
    const controls = await Promise.all(
      ['Play', /favourite/i, 'Rename', 'Move to trash'].map((name) =>
        boxOf(row.getByRole('button', { name, exact: typeof name === 'string' })),
      ),
    );
    const check = await boxOf(row.locator('label'));
    for (const { middle } of controls) expect(Math.abs(middle - check.middle), density).toBeLessThan(1);
    for (const [index, { start }] of controls.entries())
      expect(start, `${density} ${index}`).toBeGreaterThanOrEqual((controls[index - 1]?.end ?? 0) - 1);
    const menuEnd = (await boxOf(page.getByRole('navigation', { name: 'Main' }))).end;
    expect((await boxOf(row.locator('> div').first())).start).toBeGreaterThanOrEqual(menuEnd);
  }
});

test('on a phone on its side, Record, clock and Stop are on the screen, and after Stop length and safety', async ({
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeInViewport({ ratio: 1 });
  await startTake(page);
  for (const part of [page.getByRole('timer'), page.getByRole('button', { name: 'Stop', exact: true })])
    await expect(part).toBeInViewport({ ratio: 1 });
  await stopTake(page);
  const card = page.getByRole('main').getByRole('region', { name: 'Recording', exact: true });
  for (const part of [card.getByRole('textbox', { name: 'Title' }), card.getByText('Complete, no gaps')])
    await expect(part).toBeInViewport({ ratio: 1 });
});
