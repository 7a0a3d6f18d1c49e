import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, openBrowser, test, type Fixtures } from './earshot-test.ts';
import {
  isSamePage,
  listed,
  markPage,
  positionMs,
  signIn,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

test('a live recording plays in another browser, follows the live edge, and becomes ready without a reload', async ({
  page,
  server,
  consoleGuard,
}) => {
  await watched({ page, server, consoleGuard }, 15_000, async (watcher) => {
    await markPage(watcher);
    const slider = watcher.getByRole('slider', { name: 'Position' }).first();
    const toLive = watcher.getByRole('button', { name: 'Go to live' });
    const live = watcher.getByText('Live', { exact: true });
    const lengthMs = async () => Number(await slider.getAttribute('aria-valuemax'));
    const behindMs = async () => (await lengthMs()) - (await positionMs(watcher));
    await expect(slider).toBeVisible();
    await expect.poll(() => drawnPixels(watcher), { message: 'the waveform so far' }).toBeGreaterThan(200);
    await watcher.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => positionMs(watcher), { message: 'playback advances' }).toBeGreaterThan(500);
    const seenMs = await lengthMs();
    await expect.poll(lengthMs, { message: 'the length grows' }).toBeGreaterThan(seenMs + 1000);

    await toLive.click();
    await expect(live).toBeVisible();
    await expect(toLive).toBeHidden();
    expect(await behindMs()).toBeLessThan(12_000);
    const heardMs = await positionMs(watcher);
    await expect
      .poll(() => positionMs(watcher), { message: 'playback follows the live edge' })
      .toBeGreaterThan(heardMs + 2000);
    expect(await behindMs()).toBeLessThan(12_000);
    await slider.focus();
    await watcher.keyboard.press('Home');
    await expect(toLive).toBeVisible();
    await watcher.keyboard.press('g');
    await expect(live).toBeVisible();
    expect(await behindMs()).toBeLessThan(12_000);

    await stopTake(page);
    await expect
      .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 60_000 })
      .toEqual(['ready']);
    const readyMs = (await listed(page))[0]?.durationMs ?? 0;
    await expect.poll(async () => Math.abs((await lengthMs()) - readyMs)).toBeLessThanOrEqual(1);
    await expect(live).toBeHidden();
    await expect(toLive).toBeHidden();
    await expect(watcher.getByText(/still being recorded|Being recorded|Receiving/i)).toHaveCount(0);
    expect(await isSamePage(watcher)).toBe(true);
  });
});

/** Starts a take and, once its clock shows `fromMs`, opens it in another browser signed in to the same account. */
async function watched(
  { page, server, consoleGuard }: Pick<Fixtures, 'page' | 'server' | 'consoleGuard'>,
  fromMs: number,
  look: (watcher: Page) => Promise<void>,
): Promise<void> {
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, fromMs);
  const [recording] = await listed(page);
  if (!recording) throw new Error('no recording is listed');
  const profile = mkdtempSync(join(tmpdir(), 'earshot-watcher-'));
  const elsewhere = await openBrowser({ profile, baseURL: server.url });
  consoleGuard.watch(elsewhere);
  try {
    const watcher = elsewhere.pages()[0] ?? (await elsewhere.newPage());
    await signIn(watcher, user);
    await watcher.goto(`/recordings/${recording.id}`);
    await look(watcher);
  } finally {
    await elsewhere.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The number of non-empty pixels of the waveform's canvas. */
async function drawnPixels(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(
      0,
      ...[...document.querySelectorAll('canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
          data: new Uint8ClampedArray(),
        };
        return data.filter((value, index) => index % 4 === 3 && value > 0).length;
      }),
    ),
  );
}
