import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { openBrowser, speechFile } from '#tests/e2e/earshot-test.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { withBrowser } from './bench-browser.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { storeTake } from './open-bench.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const runs = Number(process.env['REOPEN_RUNS'] ?? 7);
const slowedBy = 4;
const title = 'An hour of speech';

interface Times {
  painted: number;
  largest: number;
  there: number;
}

/**
 * Opens a URL and measures, from navigation, when the first and the largest content were painted and when the app
 * showed the wanted text.
 */
async function timesOf(page: Page, address: string, wanted: string): Promise<Times> {
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'commit' });
  const there = await page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const check = () => {
          const root = document.querySelector('#root main');
          if (root && !root.closest('[data-prerendered]') && root.textContent.includes(text))
            resolve(performance.now());
          else setTimeout(check, 4);
        };
        check();
      }),
    wanted,
  );
  await page.waitForTimeout(500);
  const { painted, largest } = await page.evaluate(
    () =>
      new Promise<Omit<Times, 'there'>>((resolve) => {
        new PerformanceObserver((list) => {
          resolve({
            painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
            largest: list.getEntries().at(-1)?.startTime ?? Number.NaN,
          });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  return { painted, largest, there };
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
  return page;
}

/**
 * Measures with a profile that has the app in its service worker, as after any earlier visit, or with service
 * workers blocked.
 */
async function measured(
  url: string,
  cookies: Parameters<BrowserContext['addCookies']>[0],
  { isRetained, places }: { isRetained: boolean; places: readonly [string, string][] },
): Promise<Row[]> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-reopen-'));
  const context = await openBrowser({
    profile,
    baseURL: url,
    isWhole: true,
    serviceWorkers: isRetained ? 'allow' : 'block',
    viewport: { width: 412, height: 823 },
  });
  try {
    await context.addCookies(cookies);
    const first = context.pages()[0] ?? (await context.newPage());
    for (const [address] of places) await first.goto(address);
    if (isRetained) await first.evaluate(() => navigator.serviceWorker.ready);
    await first.waitForTimeout(3000);
    const rows: Row[] = [];
    for (const [address, wanted] of places) {
      const page = await slowPage(context);
      const times: Times[] = [];
      for (let run = 0; run < runs; run += 1) times.push(await timesOf(page, address, wanted));
      await page.close();
      const median = (pick: (each: Times) => number) => round(percentile(times.map(pick), 0.5), 0);
      rows.push({
        page: address.replace(/[\da-f-]{36}/, ':id'),
        files: isRetained ? 'kept by the service worker' : 'in the browser’s cache',
        'painted ms': median(({ painted }) => painted),
        'largest ms': median(({ largest }) => largest),
        'app there ms': median(({ there }) => there),
      });
    }
    return rows;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Measures opening the app again on a slow phone: from the service worker, compared with only the browser's HTTP
 * cache.
 */
export async function reopenBench(): Promise<Section> {
  const speech = readWav(speechFile);
  const rows = await withBrowser(async ({ page, context, client, server }) => {
    const id = await storeTake(client, title, longTake(await opusPacketsOf(page, speech), speech, 3_600_000));
    const places: [string, string][] = [
      ['/', title],
      ['/library', title],
      [`/recordings/${id}`, title],
    ];
    const cookies = await context.cookies();
    return [
      ...(await measured(server.url, cookies, { isRetained: true, places })),
      ...(await measured(server.url, cookies, { isRetained: false, places })),
    ];
  });
  return {
    title: 'Opened again',
    note: `Median of ${runs}, a processor ${slowedBy} times slower, no network in between; from the navigation on. "App there": with the recording's title.`,
    rows,
  };
}
