import { get } from 'node:http';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { withBrowser } from './bench-browser.ts';
import { round, type Row, type Section } from './figures.ts';
import { storeTake } from './open-bench.ts';
import { cpuMsOf, residentMiB } from './process-cpu.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const minutesEach = Number(process.env['BENCH_MINUTES'] ?? 30);
const count = 100;

interface Subject {
  url: string;
  pid: number;
  client: ApiClient;
}

/** Reads a response to its end and counts its bytes. */
function drain({ url, client }: Subject, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(
      new URL(path, url),
      { headers: { cookie: client.cookie, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' } },
      (incoming) => {
        let bytes = 0;
        incoming.on('data', (piece: Buffer) => {
          bytes += piece.length;
        });
        incoming.on('end', () => {
          if (incoming.statusCode === 200) resolve(bytes);
          else reject(new Error(`${path}: ${incoming.statusCode}`));
        });
        incoming.on('error', reject);
      },
    ).on('error', reject);
  });
}

async function measure(subject: Subject, what: string, work: () => Promise<number>): Promise<Row> {
  const beforeMiB = residentMiB(subject.pid);
  let peakMiB = beforeMiB;
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(subject.pid));
  }, 20);
  const [cpuBefore, startedMs] = [cpuMsOf(subject.pid), performance.now()];
  const bytes = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(timer);
  const mib = bytes / 2 ** 20;
  return {
    what,
    MiB: round(mib, 0),
    seconds: round(seconds),
    'MiB a second': round(mib / seconds, 0),
    'server CPU ms per MiB': round((cpuMsOf(subject.pid) - cpuBefore) / mib),
    'server before, MiB': round(beforeMiB, 0),
    'server at most, MiB': round(peakMiB, 0),
  };
}

async function zip(subject: Subject, ids: string[]): Promise<number> {
  const asked = await subject.client.json('POST', '/api/exports/zip', { body: { ids } });
  if (typeof asked !== 'object' || asked === null || !('ticket' in asked)) throw new Error('no ticket');
  return drain(subject, `/api/exports/zip/${String(asked.ticket)}`);
}

/**
 * Measures many recordings as one ZIP file, compared with a few, and with the same files downloaded one after the
 * other.
 */
export async function zipBench(): Promise<Section> {
  const speech = readWav(speechFile);
  const rows = await withBrowser(async ({ page, client, server }) => {
    const take = longTake(await opusPacketsOf(page, speech), speech, minutesEach * 60_000);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(await storeTake(client, `Recording ${index}`, take));
    const subject = { url: server.url, pid: server.pid ?? 0, client };
    return [
      await measure(subject, `${count} originals, one after the other, as they are`, async () => {
        let bytes = 0;
        for (const id of ids) bytes += await drain(subject, `/api/recordings/${id}/original`);
        return bytes;
      }),
      await measure(subject, `ZIP of ${count / 10} recordings, hashed`, () =>
        zip(subject, ids.slice(0, count / 10)),
      ),
      await measure(subject, `ZIP of ${count} recordings, hashed`, () => zip(subject, ids)),
    ];
  });
  return {
    title: `ZIP of ${count} recordings of ${minutesEach} minutes, loopback`,
    note: 'Reader and server share the machine. A ZIP is made while it is sent: every file hashed (SHA-256) and checked (CRC-32).',
    rows,
  };
}
