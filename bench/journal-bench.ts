import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { JournalDriver } from '#tests/support/journal-driver.ts';
import type { StreamStorage } from '#tests/support/journal-driver.worker.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { rendererPids, withBrowser, type Bench } from './bench-browser.ts';
import { round, type Row, type Section } from './figures.ts';
import { cpuMsOf, residentMiB, writtenBytesOf } from './process-cpu.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const measuredSeconds = 240;
/** 200 ms of packets at 48 kbit/s, plus the page's header. */
const pageBytes = 1240;
/** The size of a log entry while a take is recorded (DatabaseJournal). */
const logEntryBytes = 16 * 1024;

/**
 * Returns every process of the browser with a profile (Linux), because database and syncs run outside the page's
 * process.
 */
function browserPids(profile: string): number[] {
  const statuses = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [
            [
              pid,
              {
                parent: /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '',
                command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
              },
            ] as const,
          ];
        } catch {
          return [];
        }
      }),
  );
  const belongs = (pid: string): boolean => {
    const status = statuses.get(pid);
    return status !== undefined && (status.command.includes(profile) || belongs(status.parent));
  };
  return [...statuses.keys()].filter(belongs).map(Number);
}

/** Returns the resources that all processes of a browser have used so far. */
function usageOf(profile: string): { cpuMs: number; writtenBytes: number } {
  const pids = browserPids(profile);
  const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);
  return { cpuMs: sum(cpuMsOf), writtenBytes: sum(writtenBytesOf) };
}

async function costOf({ page, profile }: Bench, storage: StreamStorage): Promise<Row> {
  const journal = await JournalDriver.open(page);
  await journal.do('speed', { seconds: 5, storage, pageBytes });
  const before = usageOf(profile);
  const wallMs = await journal.do('speed', { seconds: measuredSeconds, storage, pageBytes });
  const after = usageOf(profile);
  return {
    what: storage,
    'wall ms per second of sound': round(wallMs / measuredSeconds, 2),
    'CPU ms per second of sound': round((after.cpuMs - before.cpuMs) / measuredSeconds, 2),
    'kB written per second of sound': round(
      (after.writtenBytes - before.writtenBytes) / 1000 / measuredSeconds,
      1,
    ),
  };
}

/** Writes hours of pages, loses the worker, and recovers them in a new one. */
async function recoveryOf({ page, profile }: Bench, hours: number, inLog: boolean): Promise<Row> {
  const speech = readWav(speechFile);
  const minutes = longTake(await opusPacketsOf(page, speech), speech, 360_000).audio;
  await (await JournalDriver.open(page)).do('fill');
  // The slot is old when the take starts, as it usually is.
  const journal = await JournalDriver.open(page, {
    before: 'const dateNow = Date.now; Date.now = () => dateNow() + 200_000',
  });
  const ids = { audioUploadId: randomUUID(), peaksUploadId: randomUUID() };
  const { audioSlot, peaksSlot } = await journal.do('create', { ...ids, inLog });
  const sizeBytes = await journal.do('writeLong', {
    pages: Uint8Array.from(minutes),
    times: hours * 10,
    pieceBytes: inLog ? logEntryBytes : minutes.length,
  });
  const again = await JournalDriver.open(page);
  const renderers = rendererPids(profile);
  const idleMiB = Math.max(...renderers.map(residentMiB));
  let peakMiB = idleMiB;
  const watching = setInterval(() => {
    peakMiB = Math.max(peakMiB, ...rendererPids(profile).map(residentMiB));
  }, 50);
  const found = await again.do('recover', {
    index: 0,
    startMs: 0,
    ...ids,
    audioSlot,
    peaksSlot,
    container: 'ogg',
    epoch: 1,
  });
  clearInterval(watching);
  if (found.audioBytes !== sizeBytes)
    throw new Error(`${found.audioBytes} of ${sizeBytes} bytes were recovered`);
  return {
    what: `${inLog ? 'log alone' : 'file and log'}, ${hours} h (${round(sizeBytes / 1e6, 0)} MB, ${found.pages} pages)`,
    'wall ms': round(found.wallMs, 0),
    'RSS MiB of the page before': round(idleMiB, 0),
    'RSS MiB at most': round(peakMiB, 0),
  };
}

/** Measures the cost of storing every second twice, and the recovery time of a long take. */
export async function journalBench(): Promise<Section[]> {
  const hours = Number(process.env.BENCH_HOURS ?? '12');
  const { costs, recovery } = await withBrowser(async (bench) => ({
    costs: [
      await costOf(bench, 'file alone'),
      await costOf(bench, 'file and log'),
      // Last, because the database still works on its many rewritten entries afterwards.
      await costOf(bench, 'log alone'),
    ],
    recovery: [await recoveryOf(bench, hours, false), await recoveryOf(bench, hours, true)],
  }));
  return [
    {
      title: 'Journal: what a second of sound costs',
      note: 'A page every 200 ms, a flush every 240 ms, each waited for; CPU of all processes of the browser.',
      rows: costs,
    },
    {
      title: 'Journal: recovery',
      note: 'File and log: an aged slot and what its log has not released yet. Every page is verified by its CRC.',
      rows: recovery,
    },
  ];
}
