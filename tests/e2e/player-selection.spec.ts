import type { Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import { play, positionSlider, openSpeech } from './player-steps.ts';
import { positionMs } from './steps.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });

/** The selection in milliseconds, as displayed in its bar. */
async function selectedMs(page: Page): Promise<[fromMs: number, toMs: number]> {
  const times = [...(await bar(page).innerText()).matchAll(/(\d\d):(\d\d)\.(\d)/g)].map(
    ([, minutes, seconds, tenths]) =>
      Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(tenths) * 100,
  );
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

async function dragOverWave(page: Page, [from, to]: readonly [number, number]): Promise<void> {
  const box = await positionSlider(page).boundingBox();
  if (!box) throw new Error('the waveform has no box');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y, { steps: 4 });
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

test('selects a range by dragging, moves its end by dragging, and plays it in a loop', async ({ page }) => {
  await openSpeech(page);
  const durationMs = Number(await positionSlider(page).getAttribute('aria-valuemax'));
  await dragOverWave(page, [0.1, 0.25]);
  const drawn = await selectedMs(page);
  expect(Math.abs(drawn[0] - durationMs * 0.1)).toBeLessThanOrEqual(110);
  expect(Math.abs(drawn[1] - durationMs * 0.25)).toBeLessThanOrEqual(110);
  expect(await positionMs(page), 'the playback position stays where it was').toBe(0);

  await dragOverWave(page, [0.25, 0.18]);
  const [fromMs, toMs] = await selectedMs(page);
  expect(fromMs).toBe(drawn[0]);
  expect(Math.abs(toMs - durationMs * 0.18)).toBeLessThanOrEqual(110);

  await page.getByRole('button', { name: 'Loop', exact: true }).click();
  await page.getByRole('button', { name: 'Play selection' }).click();
  const turns = await page.evaluate(
    () =>
      new Promise<{ turns: number; furthestMs: number }>((resolve) => {
        const slider = document.querySelector('[role=slider][aria-label=Position]');
        let [before, turnsSeen, furthestMs] = [0, 0, 0];
        new MutationObserver(() => {
          const now = Number(slider?.getAttribute('aria-valuenow'));
          if (now < before) turnsSeen += 1;
          before = now;
          furthestMs = Math.max(furthestMs, now);
          if (turnsSeen === 3) resolve({ turns: turnsSeen, furthestMs });
        }).observe(document.body, { subtree: true, attributeFilter: ['aria-valuenow'] });
      }),
  );
  expect(turns.turns).toBe(3);
  expect(turns.furthestMs).toBeLessThanOrEqual(toMs + 150);
});

test('selects a range by keyboard and by two presses, clears it with Escape, and restores it from its link', async ({
  page,
  browserContext,
}) => {
  await browserContext.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await openSpeech(page);
  await positionSlider(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  expect(await selectedMs(page)).toEqual([0, 2000]);
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await selectedMs(page)).toEqual([0, 1000]);
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);

  await page.keyboard.press('i');
  await expect.poll(async () => (await selectedMs(page))[0]).toBe(1000);
  await page.keyboard.press('Home');
  await expect.poll(() => positionMs(page)).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => positionMs(page)).toBe(5000);
  await page.getByRole('button', { name: 'Set selection end', exact: true }).click();
  await expect.poll(() => selectedMs(page)).toEqual([1000, 5000]);
  await page.getByRole('button', { name: 'Copy link to selection' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(`/recordings/${id}#t=1,5`);
  await page.goto('about:blank');
  await page.goto(link);
  await expect.poll(() => selectedMs(page)).toEqual([1000, 5000]);
  await play(page);
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect(
    page.getByRole('button', { name: 'Play', exact: true }),
    'pauses at the end of the range',
  ).toBeVisible({ timeout: 20_000 });
  expect(Math.abs((await positionMs(page)) - 5000)).toBeLessThanOrEqual(150);
});

test('Play stays where it is when a selection starts', async ({ page }) => {
  await openSpeech(page);
  const playBox = () =>
    page
      .getByRole('region', { name: 'Player' })
      .getByRole('button', { name: 'Play', exact: true })
      .boundingBox();
  const before = await playBox();
  expect(before).not.toBeNull();
  await dragOverWave(page, [0.1, 0.25]);
  await expect(bar(page)).toBeVisible();
  expect(await playBox()).toEqual(before);
});
