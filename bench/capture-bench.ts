import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { rendererPids, withBrowser, type Bench } from './bench-browser.ts';
import { openWorkerMemory, type WorkerMemory } from './worker-memory.ts';
import { newId } from '#tests/support/api-client.ts';
import { round, type Row, type Section } from './figures.ts';
import { cpuMsOf, residentMiB } from './process-cpu.ts';

const hour = 3_600_000;

function assetUrl(prefix: string): string {
  const file = readdirSync(join(import.meta.dirname, '..', 'dist', 'web', 'assets')).find(
    (name) => name.startsWith(prefix) && name.endsWith('.js'),
  );
  if (!file) throw new Error(`no built ${prefix}`);
  return `/assets/${file}`;
}

/** Starts a take in the built take worker and feeds it speech as fast as the worker accepts it. */
async function openTake(page: Page, take: { id: string; ownerId: string; upload: unknown }): Promise<void> {
  await page.evaluate(
    async ({ workerUrl, samples, take: { id, ownerId, upload } }) => {
      const worker = new Worker(workerUrl, { type: 'module' });
      const channel = new MessageChannel();
      const state = { capturedMs: 0, serverMs: 0, fedMs: 0, receiptAt: 0, failed: '' };
      const started = Promise.withResolvers<void>();
      worker.addEventListener('message', ({ data }) => {
        if (data.type === 'progress') Object.assign(state, data.progress);
        if (data.type === 'started') started.resolve();
        if (data.type === 'receipt') state.receiptAt = performance.now();
        if (data.type === 'failed') state.failed = `${data.code} ${data.detail}`;
      });
      worker.postMessage(
        {
          type: 'start',
          source: { kind: 'pcm', pcm: channel.port2, sampleRateHz: 48_000, channels: 1, deviceLabel: null },
          take: {
            id,
            title: 'Bench',
            startedAtMs: Date.now(),
            timeZone: 'UTC',
            quality: 'speech',
            deviceLabel: null,
            sampleRateHz: 48_000,
            channels: 1,
            ownerId,
          },
        },
        [channel.port2],
      );
      worker.postMessage({ type: 'attach', ownerId, upload });
      await started.promise;
      const speech = Float32Array.from(samples);
      const blockFrames = 960;
      const yieldToMessages = () =>
        new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      const feed = async (untilMs: number) => {
        while (state.fedMs < untilMs) {
          if (state.failed) throw new Error(state.failed);
          for (
            let n = 0;
            n < 250 && state.fedMs < untilMs && state.fedMs - state.capturedMs < 20_000;
            n += 1
          ) {
            const frame = (state.fedMs / 20) * blockFrames;
            const start = frame % (speech.length - blockFrames);
            const block = speech.slice(start, start + blockFrames);
            channel.port1.postMessage({ type: 'pcm', frame, channels: [block] }, [block.buffer]);
            state.fedMs += 20;
          }
          await yieldToMessages();
        }
        // Audio arrives faster than real time here, so upload backlogs must drain first.
        while (state.capturedMs < untilMs - 400 || state.serverMs < untilMs - 1000) await yieldToMessages();
      };
      const stop = async () => {
        const askedAt = performance.now();
        worker.postMessage({ type: 'stop' });
        while (state.receiptAt === 0) {
          if (state.failed) throw new Error(state.failed);
          await new Promise((resolve) => {
            setTimeout(resolve, 1);
          });
        }
        return state.receiptAt - askedAt;
      };
      Object.assign(globalThis, { bench: { feed, stop } });
    },
    {
      workerUrl: assetUrl('take.worker'),
      samples: Array.from(readWav(speechFile).samples, (sample) => Math.round(sample * 1e4) / 1e4),
      take,
    },
  );
}

const feed = (page: Page, untilMs: number) =>
  page.evaluate(
    (until) => (globalThis as unknown as { bench: { feed(ms: number): Promise<void> } }).bench.feed(until),
    untilMs,
  );
const stop = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { bench: { stop(): Promise<number> } }).bench.stop());

async function registered({ client }: Bench): Promise<{ id: string; ownerId: string; upload: unknown }> {
  const id = newId();
  const session = (await client.json('GET', '/auth/session')) as { user: { id: string } };
  const reply = (await client.json('PUT', `/api/recordings/${id}`, {
    body: {
      title: 'Bench',
      startedAt: new Date(Date.now() - 24 * 3_600_000).toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    },
  })) as { upload: unknown };
  return { id, ownerId: session.user.id, upload: reply.upload };
}

interface Usage {
  cpuMs: number;
  rssMiB: number;
  workerMiB: number;
}

/** Measures after a garbage collection, so that only live memory counts. */
async function usage(profile: string, memory: WorkerMemory): Promise<Usage> {
  const pids = rendererPids(profile);
  const cpuMs = pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const workerMiB = await memory.heldMiB();
  return { cpuMs, rssMiB: Math.max(...pids.map(residentMiB)), workerMiB };
}

/**
 * Measures the capture worker while it is fed faster than real time: CPU share at real time, memory over hours,
 * and the time from Stop to the receipt as a page sees it.
 */
export async function captureBench(): Promise<Section> {
  const hours = (process.env.BENCH_HOURS ?? '12').split(',').map(Number);
  const rows: Row[] = await withBrowser(async (bench) => {
    const lines: Row[] = [];
    for (const [name, lengthMs] of [
      ['10 s', 10_000] as const,
      ...hours.map((count) => [`${count} h`, count * hour] as const),
    ]) {
      await openTake(bench.page, await registered(bench));
      const memory = await openWorkerMemory(bench.context, bench.page);
      const before = await usage(bench.profile, memory);
      const startedAt = performance.now();
      const firstMs = Math.min(lengthMs, lengthMs / 3);
      await feed(bench.page, firstMs - (firstMs % 20));
      const early = await usage(bench.profile, memory);
      await feed(bench.page, lengthMs - (lengthMs % 20));
      const wallMs = performance.now() - startedAt;
      const after = await usage(bench.profile, memory);
      const receiptMs = await stop(bench.page);
      lines.push({
        take: name,
        'times real time': round(lengthMs / wallMs, 0),
        'CPU % of a core at real time': round(((after.cpuMs - before.cpuMs) / lengthMs) * 100, 2),
        'worker heap MiB at a third, at the end': `${round(early.workerMiB, 1)}, ${round(after.workerMiB, 1)}`,
        'process MiB at a third, at the end': `${round(early.rssMiB, 0)}, ${round(after.rssMiB, 0)}`,
        'Stop → receipt ms': round(receiptMs, 0),
      });
      await bench.page.reload();
    }
    return lines;
  });
  return {
    title: 'Capture worker: encode, journal, peaks, upload, fed faster than time',
    note: 'The CPU share counts the whole page process, feeding included. The 10 s row is too short for a meaningful share.',
    rows,
  };
}
