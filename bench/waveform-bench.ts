import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { withBrowser } from './bench-browser.ts';
import type { Row, Section } from './figures.ts';
import { framesOf } from './frames.ts';
import { storeTake } from './open-bench.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const hours = Number(process.env['BENCH_HOURS'] ?? 12);
const seconds = hours * 3600;
const steps = 300;
const half = steps / 2;
/** The zoom exponent per frame: from twelve hours to half a minute in half of the steps. */
const zoomPerStep = 0.048;
const scrolls = [
  { motion: 'scrolled, two minutes across', exponent: 6 },
  { motion: 'scrolled, an hour across', exponent: 2.4 },
];
const pxPerFrame = 40;

/** Returns the bundle of wavesurfer.js 8, the library to compare with; null if it is not installed. */
function wavesurferSource(): string | null {
  try {
    return readFileSync(
      join(import.meta.dirname, '..', 'node_modules', 'wavesurfer.js', 'dist', 'wavesurfer.esm.js'),
      'utf8',
    );
  } catch {
    return null;
  }
}

/**
 * Both waveforms define two functions in the page: `zoom(exponent)` multiplies the pixels per second, `scroll(px)`
 * scrolls.
 */
async function measure(page: Page, waveform: string): Promise<Row[]> {
  const rows: Row[] = [
    {
      waveform,
      motion: 'zoomed in and out',
      ...(await framesOf(page, { body: `zoom(step < ${half} ? ${zoomPerStep} : ${-zoomPerStep});`, steps })),
    },
  ];
  for (const { motion, exponent } of scrolls) {
    await page.evaluate(`zoom(${exponent})`);
    rows.push({
      waveform,
      motion,
      ...(await framesOf(page, { body: `scroll(step < ${half} ? ${pxPerFrame} : ${-pxPerFrame});`, steps })),
    });
    await page.evaluate(`zoom(${-exponent})`);
  }
  return rows;
}

async function ours(page: Page, url: string): Promise<Row[]> {
  await page.goto(url);
  await page.getByRole('slider', { name: 'Position' }).first().waitFor();
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[role=slider] canvas');
    const pixels =
      canvas && canvas.width > 0
        ? canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
        : undefined;
    return pixels?.some((value) => value !== 0);
  });
  await page.evaluate(() => {
    const slider = document.querySelector('[role=slider]');
    const box = slider?.getBoundingClientRect();
    const wheel = (options: WheelEventInit) =>
      slider?.dispatchEvent(
        new WheelEvent('wheel', {
          clientX: (box?.left ?? 0) + (box?.width ?? 0) / 2,
          bubbles: true,
          cancelable: true,
          ...options,
        }),
      );
    Object.assign(globalThis, {
      zoom: (exponent: number) => wheel({ ctrlKey: true, deltaY: -exponent / 0.004 }),
      scroll: (px: number) => wheel({ deltaX: px }),
    });
  });
  return measure(page, 'Earshot');
}

/**
 * Measures the other library with the same peaks at the same width. The peaks alternate minimum and maximum, as
 * its documentation describes for precomputed peaks.
 */
async function theirs(
  page: Page,
  source: string,
  { peaks, box }: { peaks: Uint8Array; box: { width: number; height: number } },
): Promise<Row[]> {
  const host = 'http://waveform.example/';
  await page.route(`${host}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/wavesurfer.js') await route.fulfill({ contentType: 'text/javascript', body: source });
    else if (pathname === '/peaks')
      await route.fulfill({ contentType: 'application/octet-stream', body: Buffer.from(peaks) });
    else
      await route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><div id="wave" style="width:${box.width}px"></div>`,
      });
  });
  await page.goto(host);
  await page.evaluate(`(async () => {
    const { default: WaveSurfer } = await import('/wavesurfer.js');
    const peaks = Float32Array.from(new Int8Array(await (await fetch('/peaks')).arrayBuffer()), (value) => value / 128);
    const wave = WaveSurfer.create({ container: '#wave', height: ${box.height}, peaks: [peaks], duration: ${seconds}, autoScroll: false, autoCenter: false });
    await new Promise((resolve) => { if (wave.getDuration() > 0) resolve(); else wave.once('ready', resolve); });
    let pxPerS = ${box.width} / ${seconds};
    wave.zoom(pxPerS);
    Object.assign(globalThis, { zoom: (exponent) => wave.zoom(pxPerS *= Math.exp(exponent)), scroll: (px) => wave.setScroll(wave.getScroll() + px) });
  })()`);
  return measure(page, 'wavesurfer.js 8');
}

/** Measures zooming and scrolling a waveform of half a day, compared with another library on the same peaks. */
export async function waveformBench(): Promise<Section> {
  const speech = readWav(speechFile);
  const rows = await withBrowser(async ({ page, client, server }) => {
    const take = longTake(await opusPacketsOf(page, speech), speech, seconds * 1000);
    const id = await storeTake(client, 'Half a day', take);
    const own = await ours(page, `${server.url}/recordings/${id}`);
    const source = wavesurferSource();
    const box = await page.getByRole('slider', { name: 'Position' }).first().boundingBox();
    return source === null || box === null
      ? own
      : [...own, ...(await theirs(page, source, { peaks: take.peaks, box }))];
  });
  return {
    title: `A waveform of ${hours} hours, zoomed and scrolled`,
    note: 'A turn of the wheel every frame, in Chromium without a graphics processor. Goal: no frame over 16 ms of our own work.',
    rows,
  };
}
