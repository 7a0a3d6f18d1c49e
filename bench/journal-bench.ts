import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { JournalDriver } from '#tests/support/journal-driver.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { rendererPids, withBrowser, type Bench } from './bench-browser.ts';
import { round, type Row, type Section } from './figures.ts';
import { cpuMsOf, residentMiB } from './process-cpu.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const measuredSeconds = 240;
/** Of 48 kbit/s speech: 200 ms of packets and the page's header. */
const pageBytes = 1240;

/**
 * Every process of the browser that owns a profile (Linux): the database and its syncs are not in the page's.
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

const cpuMs = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);

async function costOf({ page, profile }: Bench, withLog: boolean): Promise<Row> {
  const journal = await JournalDriver.open(page);
  await journal.do('speed', { seconds: 5, withLog, pageBytes });
  const before = cpuMs(browserPids(profile));
  const wallMs = await journal.do('speed', { seconds: measuredSeconds, withLog, pageBytes });
  const usedMs = cpuMs(browserPids(profile)) - before;
  return {
    what: withLog ? 'file and log' : 'file alone',
    'wall ms per second of sound': round(wallMs / measuredSeconds, 2),
    'CPU ms per second of sound': round(usedMs / measuredSeconds, 2),
  };
}

/** Writes hours of pages, loses the worker, and recovers them in a new one. */
async function recoveryOf({ page, profile }: Bench, hours: number): Promise<Row> {
  const speech = readWav(speechFile);
  const minutes = longTake(await opusPacketsOf(page, speech), speech, 360_000).audio;
  await (await JournalDriver.open(page)).do('fill');
  // The slot is old when the take begins, as it usually is.
  const journal = await JournalDriver.open(page, {
    before: 'const dateNow = Date.now; Date.now = () => dateNow() + 200_000',
  });
  const ids = { audioUploadId: randomUUID(), peaksUploadId: randomUUID() };
  const { audioSlot, peaksSlot } = await journal.do('create', ids);
  const sizeBytes = await journal.do('writeLong', { pages: Uint8Array.from(minutes), times: hours * 10 });
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
    what: `recovery of ${hours} h (${round(sizeBytes / 1e6, 0)} MB, ${found.pages} pages)`,
    'wall ms': round(found.wallMs, 0),
    'RSS MiB of the page before': round(idleMiB, 0),
    'RSS MiB at most': round(peakMiB, 0),
  };
}

/** What keeping every second twice costs, and how long a long take takes to recover. */
export async function journalBench(): Promise<Section[]> {
  const hours = Number(process.env.BENCH_HOURS ?? '12');
  const { costs, recovery } = await withBrowser(async (bench) => ({
    costs: [await costOf(bench, false), await costOf(bench, true)],
    recovery: await recoveryOf(bench, hours),
  }));
  return [
    {
      title: 'Journal: what a second of sound costs',
      note: 'A page every 200 ms, a flush every 240 ms, each waited for; CPU of all processes of the browser.',
      rows: costs,
    },
    {
      title: 'Journal: recovery',
      note: 'An aged slot and what its log has not let go yet; every page is checked by CRC.',
      rows: [recovery],
    },
  ];
}
