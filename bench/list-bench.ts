import type { Page } from '@playwright/test';
import { insertRecordings, titleAt } from '#tests/support/many-recordings.ts';
import { withBrowser } from './bench-browser.ts';
import type { Row, Section } from './figures.ts';
import { framesOf } from './frames.ts';

const count = Number(process.env['BENCH_ROWS'] ?? 10_000);

/** As fast as a spinning mouse wheel, down and up; and dragging the scroll bar from top to bottom. */
const motions = [
  { name: 'wheel, 120 px a frame', body: 'scrollBy(0, step < 100 ? 120 : -120);', steps: 200 },
  {
    name: 'bar, to the end in 100 frames',
    body: 'scrollTo(0, ((step + 1) / 100) * (document.documentElement.scrollHeight - innerHeight));',
    steps: 100,
  },
];

/**
 * Loads the whole list once by scrolling to its end, so that drawing is measured instead of waiting for the
 * server.
 */
async function readAll(page: Page): Promise<void> {
  await page.getByRole('link', { name: titleAt(0) }).focus();
  await page.keyboard.press('End');
  await page.getByRole('link', { name: titleAt(count - 1) }).waitFor({ timeout: 120_000 });
  await page.keyboard.press('Home');
  await page.getByRole('link', { name: titleAt(0) }).waitFor();
}

async function scrolled(page: Page, list: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, ...motion } of motions) {
    await page.evaluate(() => {
      scrollTo(0, 0);
    });
    const items = await page.getByRole('listitem').count();
    rows.push({ list, motion: name, 'rows in the page': items, ...(await framesOf(page, motion)) });
    console.log(JSON.stringify(rows.at(-1)));
  }
  return rows;
}

/** Replaces the list with the same rows, all of them in the page. */
async function unroll(page: Page): Promise<void> {
  await page.evaluate((all) => {
    const list = document.querySelector('main ul[aria-label]');
    const item = list?.querySelector('li:has(a[href^="/recordings/"])');
    if (!list || !item) throw new Error('no list');
    const whole = list.cloneNode(false);
    for (let index = 0; index < all; index += 1) {
      const row = item.cloneNode(true);
      if (row instanceof HTMLElement) row.style.position = 'static';
      if (row instanceof HTMLElement) row.style.transform = 'none';
      whole.appendChild(row);
    }
    document.body.replaceChildren(whole);
  }, count);
}

/** Measures scrolling a library of ten thousand recordings, compared with a page that contains all rows. */
export async function listBench(): Promise<Section> {
  const rows = await withBrowser(async ({ page, server }) => {
    insertRecordings(server.dataDir, count);
    await page.goto(`${server.url}/library`);
    await page.getByRole('link', { name: titleAt(0) }).waitFor();
    await readAll(page);
    const own = await scrolled(page, 'Earshot');
    await unroll(page);
    return [...own, ...(await scrolled(page, 'the same rows, all in the page'))];
  });
  return {
    title: `A list of ${count} recordings, scrolled`,
    note: 'Frame times in Chromium without a graphics processor, all rows read before. Goal: no frame over 50 ms.',
    rows,
  };
}
