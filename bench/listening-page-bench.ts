import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { Share } from '#contract/shares.ts';
import { openBrowser } from '#tests/e2e/earshot-test.ts';
import { ApiClient, newId } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { percentile, round, type Row, type Section } from './figures.ts';

const runs = Number(process.env['BENCH_RUNS'] ?? 7);
/** A slow mobile line. */
const line = { bitsPerSecond: 400_000, roundTripMs: 400 };
const reads = 200;
const firstBytes = 64 * 1024;

async function shareOf(client: ApiClient, recordingId: string, settings: object = {}): Promise<string> {
  const body = { id: newId(), ...settings };
  const { url } = (await client.json('POST', `/api/recordings/${recordingId}/shares`, { body })) as Share;
  return url ?? '';
}

const kB = (bytes: number): number => round(bytes / 1000, 1);

/** What a browser loads before it can play, with and without compression. */
async function weight(client: ApiClient, url: string): Promise<Row[]> {
  const { pathname: path } = new URL(url);
  const plain = await client.send({ method: 'GET', path });
  const sent = await client.send({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
  const page = plain.body.toString();
  const of = (what: string, text: string): Row => ({
    what,
    kB: kB(Buffer.byteLength(text)),
    'kB with Brotli': kB(brotliCompressSync(text).length),
  });
  const inside = (name: 'script' | 'style') => new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? '';
  const [script, style] = [inside('script'), inside('style')];
  return [
    of('script', script),
    of('styles', style),
    of('HTML without them', page.replace(script, '').replace(style, '')),
    { what: 'the page, as it is sent', kB: kB(plain.body.length), 'kB with Brotli': kB(sent.body.length) },
  ];
}

/** The first bytes of links, by HTTP. */
async function firstRead(client: ApiClient, what: string, url: string): Promise<Row> {
  const path = `${new URL(url).pathname}/audio`;
  const waits: number[] = [];
  for (let nth = 0; nth < reads; nth += 1) {
    const sentMs = performance.now();
    const { status } = await client.send({
      method: 'GET',
      path,
      headers: { range: `bytes=0-${firstBytes - 1}` },
    });
    waits.push(performance.now() - sentMs);
    if (status !== 206) throw new Error(`${path}: ${status}`);
  }
  return {
    what,
    'p50, ms': round(percentile(waits, 0.5), 1),
    'p95, ms': round(percentile(waits, 0.95), 1),
    load: round(loadavg()[0] ?? 0, 1),
  };
}

/** Notes in the page when Play was pressed and when the sound began. */
const notes = `
  addEventListener('click', ({ timeStamp }) => { globalThis.pressedMs ??= timeStamp; }, true);
  addEventListener('playing', ({ timeStamp }) => { globalThis.playingMs ??= timeStamp; }, true);`;

interface Times {
  pressedMs: number;
  playingMs: number;
}

async function playOnce(page: Page, url: string, isPreloaded: boolean): Promise<Times> {
  await page.goto('about:blank');
  const first = page.waitForEvent('requestfinished', (request) => request.url().includes('/peaks'));
  await page.goto(url, { waitUntil: 'commit' });
  const play = page.getByRole('button', { name: 'Play recording' });
  if (isPreloaded) {
    await first;
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) > 0);
  } else first.catch(() => undefined);
  await play.click();
  await page.waitForFunction(() => 'playingMs' in globalThis);
  return page.evaluate('({ pressedMs, playingMs })');
}

async function soundRow(page: Page, url: string, isPreloaded: boolean): Promise<Row> {
  const waits: number[] = [];
  const pressed: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { pressedMs, playingMs } = await playOnce(page, url, isPreloaded);
    waits.push(playingMs - pressedMs);
    pressed.push(pressedMs);
  }
  return {
    pressed: isPreloaded ? 'after the page had loaded' : 'as soon as the button is there',
    'pressed after, ms': round(percentile(pressed, 0.5), 0),
    'press to sound p50, ms': round(percentile(waits, 0.5), 0),
    'at most, ms': round(Math.max(...waits), 0),
    load: round(loadavg()[0] ?? 0, 1),
  };
}

/** From the press of Play to the first sound on a slow line. */
async function firstSound(
  server: EarshotServer,
  links: readonly (readonly [string, string])[],
): Promise<Row[]> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const context = await openBrowser({ profile, baseURL: server.url, isWhole: true });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.addInitScript(notes);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
    const bytesPerSecond = line.bitsPerSecond / 8;
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.roundTripMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    const rows: Row[] = [];
    for (const [what, url] of links)
      for (const isPreloaded of [true, false])
        rows.push({ what, ...(await soundRow(page, url, isPreloaded)) });
    return rows;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Measures the listening page: its size, the first bytes of its audio, and the first sound on a slow line. */
export async function listeningPageBench(): Promise<Section[]> {
  const server = await EarshotServer.launch();
  const client = new ApiClient(server.url);
  try {
    await client.signUp();
    const speech = await shareOf(client, await storeSpeech(server.url, client.cookie));
    const long = await uploadLongRecording(server.url, client.cookie, { minutes: 12 * 60, isThin: true });
    const [whole, part] = [
      await shareOf(client, long),
      await shareOf(client, long, { fromMs: 3_601_234, toMs: 5_000_000 }),
    ];
    return [
      {
        title: 'Size of the listening page',
        note: 'One answer has everything. Goal: 30 kB of script.',
        rows: await weight(client, speech),
      },
      {
        title: 'First 64 kB of the audio of a link, by HTTP',
        note: `${reads} requests one after the other.`,
        rows: [
          await firstRead(client, 'twelve hours', whole),
          await firstRead(client, 'a part of them', part),
        ],
      },
      {
        title: `First sound at ${line.bitsPerSecond / 1000} kbit/s and a round trip of ${line.roundTripMs} ms`,
        note: `Chromium with its network emulation, ${runs} times each without a cache. Goal: 1 s from the press of Play to the first sound.`,
        rows: await firstSound(server, [
          ['eleven seconds of speech', speech],
          ['twelve hours', whole],
          ['a part of them', part],
        ]),
      },
    ];
  } finally {
    client.close();
    await server.dispose();
  }
}
