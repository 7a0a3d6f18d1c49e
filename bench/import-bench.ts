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

/** Speech as AAC in MP4: ten minutes encoded, the rest the same packets again. */
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

/** Most that the processes of the pages held at once while something went on. */
async function mostMiB<T>(profile: string, work: () => Promise<T>): Promise<{ result: T; mib: number }> {
  let mib = 0;
  const look = () => {
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
  const looking = setInterval(look, 250);
  try {
    const result = await work();
    look();
    return { result, mib };
  } finally {
    clearInterval(looking);
  }
}

/** Resolves when the only recording is ready, by what the server tells. */
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

/** Resolves with the time since the press when the player's element plays. */
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
          const look = () => {
            if (Number(slider?.getAttribute('aria-valuenow')) > from) resolve(performance.now() - pressedMs);
            else setTimeout(look, 5);
          };
          if (button instanceof HTMLElement) button.click();
          look();
        }),
    );

async function imported({ page, profile }: Bench, file: string): Promise<Row> {
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  const { result, mib } = await mostMiB(profile, async () => {
    const chosenMs = performance.now();
    await page.locator('input[data-import=files]').setInputFiles(file);
    await untilReady(page);
    const readyMs = performance.now() - chosenMs;
    await page.getByRole('link', { name: 'talk' }).first().click();
    await page.getByRole('slider', { name: 'Position' }).first().waitFor();
    return { readyMs, heardMs: performance.now() - chosenMs + (await pressPlay(page)) };
  });
  return {
    way: 'imported: kept, hashed, sent, peaks drawn, stored',
    'ready s': round(result.readyMs / 1000),
    'heard s': round(result.heardMs / 1000),
    'pages hold at most, MiB': round(mib, 0),
  };
}

/**
 * What a page does that knows no other way: the whole file, here the imported one, as samples, then played.
 */
async function decodedWhole({ context, profile, server }: Bench): Promise<Row> {
  const page = await context.newPage();
  await page.goto(`${server.url}/icon.svg`);
  const { result, mib } = await mostMiB(profile, () =>
    page.evaluate(async () => {
      const beganMs = performance.now();
      try {
        const {
          items: [imported],
        } = (await (await fetch('/api/recordings')).json()) as { items: { id: string }[] };
        const bytes = await (await fetch(`/api/recordings/${imported?.id}/original`)).arrayBuffer();
        const context = new AudioContext();
        const buffer = await context.decodeAudioData(bytes);
        const decodedMs = performance.now() - beganMs;
        const source = new AudioBufferSourceNode(context, { buffer });
        source.connect(context.destination);
        source.start();
        await context.resume();
        return { decodedMs, heardMs: performance.now() - beganMs };
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
    way: 'decodeAudioData of the whole file, nothing kept or sent',
    ...times,
    'pages hold at most, MiB': round(mib, 0),
  };
}

/** A long file from its choice until it is heard, beside decoding it whole in the page. */
export async function importBench(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  try {
    const file = makeFile(folder);
    const rows = await withBrowser(async (bench) => [await imported(bench, file), await decodedWhole(bench)]);
    return {
      title: `Import of a file of ${hours} hours (AAC in MP4, ${round(readFileSync(file).length / 2 ** 20, 0)} MiB)`,
      note: 'From the choice of the file until it is on the server with its peaks, and until it is heard; the memory is that of all processes of pages.',
      rows,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
