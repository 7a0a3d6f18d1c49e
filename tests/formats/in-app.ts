import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import { openBrowser } from '#tests/e2e/earshot-test.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import type { Imported } from './results.ts';
import { loudnessOf } from './loudness-of.ts';
import type { Sample } from './samples.ts';

const timeoutMs = 900_000;

/**
 * The app's result for a file: how it was imported, and the name and type under which the served audio is stored
 * among the samples.
 */
export interface TakenIn {
  imported: Imported;
  heard: { file: string; mediaType: string } | null;
}

async function signUp(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const reply = await fetch('/auth/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' },
      body: JSON.stringify({ email: 'formats@example.org', password: 'a quiet harbour at dusk 7' }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  });
}

const listed = async (page: Page): Promise<RecordingPage['items']> =>
  ((await (await page.request.get('/api/recordings?limit=200')).json()) as RecordingPage).items;

/**
 * The status texts of rejected files in the imports list, by file name. A file that the server stores and can't play
 * links to its recording, which has failed.
 */
async function rejections(page: Page): Promise<Map<string, string>> {
  const rows = await page
    .getByRole('region', { name: 'Imports' })
    .locator('li[data-bad]:not(:has(a))')
    .evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll('span')].map(({ textContent }) => textContent)),
    );
  return new Map(rows.map(([name = '', status = '']) => [name, status]));
}

/** Chooses all files together and waits until each is ready, failed or rejected. */
async function importAll(page: Page, paths: string[]): Promise<Map<string, string>> {
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page.locator('input[data-import=files]').setInputFiles(paths);
  const startedMs = performance.now();
  for (;;) {
    const rejected = await rejections(page);
    const ended = (await listed(page)).filter(({ state }) => state === 'ready' || state === 'failed');
    if (rejected.size + ended.length >= paths.length) return rejected;
    if (performance.now() - startedMs > timeoutMs)
      throw new Error(`${ended.length} imported and ${rejected.size} rejected of ${paths.length}`);
    await page.waitForTimeout(500);
  }
}

/** Records the recordings whose peaks a browser computes itself. */
function watchPeaks(context: BrowserContext): Set<string> {
  const drawn = new Set<string>();
  context.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().includes('/api/uploads/')) return;
    const { stream, recordingId }: { stream: string; recordingId: string } = request.postDataJSON();
    if (stream === 'peaks') drawn.add(recordingId);
  });
  return drawn;
}

/** The finest level of a waveform, as the app draws it. */
function waveformOf(pyramid: Buffer): number[] {
  const { levels = [], points = 0 } = readPyramidHeader(pyramid) ?? {};
  return loudnessOf(
    new Int8Array(pyramid.buffer, pyramid.byteOffset + (levels.at(-1)?.offsetBytes ?? 0), 2 * points),
  );
}

function importedOf(
  { id, state, failureReason, rendition, durationMs }: RecordingDetails,
  { drawn, mediaType, pyramid }: { drawn: ReadonlySet<string>; mediaType: string; pyramid: Buffer },
): Imported {
  if (state === 'failed') return { by: null, why: `failed: ${failureReason ?? 'no reason'}` };
  return {
    by: drawn.has(id) ? 'browser' : 'server',
    rendition,
    mediaType,
    durationSeconds: durationMs / 1000,
    peaks: waveformOf(pyramid),
  };
}

/**
 * Imports every file through the page of a real server with ffmpeg. Stores the served audio of each beside the
 * samples.
 */
export async function importSamples(
  folder: string,
  samples: readonly Sample[],
): Promise<Map<string, TakenIn>> {
  const server = await EarshotServer.launch();
  const profile = mkdtempSync(join(tmpdir(), 'earshot-formats-'));
  const context = await openBrowser({ profile, baseURL: server.url, isWhole: true });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const drawn = watchPeaks(context);
    await page.goto(server.url);
    await signUp(page);
    await page.reload();
    const rejected = await importAll(
      page,
      samples.map(({ file }) => join(folder, file)),
    );
    const taken = new Map<string, TakenIn>(
      [...rejected].map(([name, why]) => [name, { imported: { by: null, why }, heard: null }]),
    );
    for (const { id } of await listed(page)) {
      const details = (await (await page.request.get(`/api/recordings/${id}`)).json()) as RecordingDetails;
      const name = details.file?.name ?? '';
      const audio = await page.request.get(`/api/recordings/${id}/audio`);
      const pyramid = Buffer.from(await (await page.request.get(`/api/recordings/${id}/peaks`)).body());
      const mediaType = audio.headers()['content-type'] ?? '';
      const heard = audio.ok() ? { file: `in-app-${name}`, mediaType } : null;
      if (heard) writeFileSync(join(folder, heard.file), await audio.body());
      taken.set(name, { imported: importedOf(details, { drawn, mediaType, pyramid }), heard });
    }
    return taken;
  } finally {
    await context.close();
    await server.dispose();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
