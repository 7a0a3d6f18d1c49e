import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { rendererPids, withBrowser, type Bench } from './bench-browser.ts';
import { round, type Row, type Section } from './figures.ts';
import { residentMiB } from './process-cpu.ts';

const hours = Number(process.env['BENCH_HOURS'] ?? 3);
const minutesAtOnce = 10;

/** Creates speech as AAC in MP4: ten minutes are encoded, the rest repeats the same packets. */
function makeFile(folder: string): string {
  const [piece, whole] = [join(folder, 'piece.m4a'), join(folder, 'talk.m4a')];
  const ffmpeg = (...given: string[]) => {
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...given]);
  };
  ffmpeg(
    '-stream_loop',
    '-1',
    '-i',
    speechFile,
    '-t',
    String(minutesAtOnce * 60),
    '-ac',
    '1',
    '-ar',
    '44100',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    piece,
  );
  ffmpeg(
    '-stream_loop',
    String((hours * 60) / minutesAtOnce - 1),
    '-i',
    piece,
    '-c',
    'copy',
    '-movflags',
    '+faststart',
    whole,
  );
  return whole;
}

/** Returns the peak memory of the page processes while `work` runs. */
async function peakMiB<T>(profile: string, work: () => Promise<T>): Promise<{ result: T; mib: number }> {
  let mib = 0;
  const check = () => {
    const held = rendererPids(profile).map((pid) => {
      try {
        return residentMiB(pid);
      } catch {
        return 0;
      }
    });
    mib = Math.max(
      mib,
      held.reduce((sum, each) => sum + each, 0),
    );
  };
  const timer = setInterval(check, 250);
  try {
    const result = await work();
    check();
    return { result, mib };
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when the server reports the only recording as ready. */
async function untilReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (;;) {
      const { items } = (await (await fetch('/api/recordings')).json()) as { items: { state: string }[] };
      if (items.some(({ state }) => state === 'ready')) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  });
}

/** Presses Play and resolves with the time until the position moves. */
const pressPlay = (page: Page): Promise<number> =>
  page
    .getByRole('button', { name: 'Play', exact: true })
    .first()
    .evaluate(
      (button) =>
        new Promise<number>((resolve) => {
          const pressedMs = performance.now();
          const slider = document.querySelector('[role=slider]');
          const from = Number(slider?.getAttribute('aria-valuenow'));
          const check = () => {
            if (Number(slider?.getAttribute('aria-valuenow')) > from) resolve(performance.now() - pressedMs);
            else setTimeout(check, 5);
          };
          if (button instanceof HTMLElement) button.click();
          check();
        }),
    );

async function imported({ page, profile }: Bench, file: string): Promise<Row> {
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  const { result, mib } = await peakMiB(profile, async () => {
    const chosenMs = performance.now();
    await page.locator('input[data-import=files]').setInputFiles(file);
    await untilReady(page);
    const readyMs = performance.now() - chosenMs;
    await page.getByRole('link', { name: 'talk' }).first().click();
    await page.getByRole('slider', { name: 'Position' }).first().waitFor();
    return { readyMs, heardMs: performance.now() - chosenMs + (await pressPlay(page)) };
  });
  return {
    way: 'imported: saved, hashed, uploaded, peaks computed, stored',
    'ready s': round(result.readyMs / 1000),
    'heard s': round(result.heardMs / 1000),
    'pages hold at most, MiB': round(mib, 0),
  };
}

/** Measures the obvious alternative: decode the whole imported file to samples in the page, then play it. */
async function decodedWhole({ context, profile, server }: Bench): Promise<Row> {
  const page = await context.newPage();
  await page.goto(`${server.url}/icon.svg`);
  const { result, mib } = await peakMiB(profile, () =>
    page.evaluate(async () => {
      const startedMs = performance.now();
      try {
        const {
          items: [imported],
        } = (await (await fetch('/api/recordings')).json()) as { items: { id: string }[] };
        const bytes = await (await fetch(`/api/recordings/${imported?.id}/original`)).arrayBuffer();
        const context = new AudioContext();
        const buffer = await context.decodeAudioData(bytes);
        const decodedMs = performance.now() - startedMs;
        const source = new AudioBufferSourceNode(context, { buffer });
        source.connect(context.destination);
        source.start();
        await context.resume();
        return { decodedMs, heardMs: performance.now() - startedMs };
      } catch (error) {
        return String(error);
      }
    }),
  );
  await page.close();
  const times =
    typeof result === 'string'
      ? { 'ready s': result, 'heard s': '' }
      : { 'ready s': round(result.decodedMs / 1000), 'heard s': round(result.heardMs / 1000) };
  return {
    way: 'decodeAudioData of the whole file, nothing saved or uploaded',
    ...times,
    'pages hold at most, MiB': round(mib, 0),
  };
}

/** Measures a long file from its selection until it plays, compared with decoding it whole in the page. */
export async function importBench(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  try {
    const file = makeFile(folder);
    const rows = await withBrowser(async (bench) => [await imported(bench, file), await decodedWhole(bench)]);
    return {
      title: `Import of a file of ${hours} hours (AAC in MP4, ${round(readFileSync(file).length / 2 ** 20, 0)} MiB)`,
      note: 'From the selection of the file until it is on the server with its peaks, and until it plays; memory of all page processes.',
      rows,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
