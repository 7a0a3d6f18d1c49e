import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { userCookieName } from '#device/site-data/cookie.ts';
import { openBrowser, speechFile } from '#tests/e2e/earshot-test.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { findBrowser } from '#tests/support/find-browser.ts';
import { withBrowser } from './bench-browser.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { storeTake } from './open-bench.ts';
import { byProcessorTime } from './processor-time.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const runs = Number(process.env['LIGHTHOUSE_RUNS'] ?? 5);
/**
 * How much slower than this machine the simulated phone is. Lighthouse's default of four is for a machine with a
 * CPU index of 1500 to 2000 (its docs/throttling.md).
 */
const slowdown = Number(process.env['LIGHTHOUSE_CPU'] ?? 4);
/**
 * How network and CPU are slowed down: `simulate` calculates the effect from an unthrottled trace, `devtools`
 * throttles the browser.
 */
const method = process.env['LIGHTHOUSE_METHOD'] ?? 'simulate';
/**
 * Gives the page's main thread the highest priority (needs root). A phone has eight cores; on two, Lighthouse
 * counts a thread that waits for a core as busy.
 */
const isPageFirst = process.env['LIGHTHOUSE_PAGE_FIRST'] !== undefined;
/** Judges tasks by their processor time instead of by the clock (processor-time.ts). */
const isByProcessorTime = process.env['LIGHTHOUSE_TIME'] === 'processor';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const audits = {
  'FCP ms': 'first-contentful-paint',
  'LCP ms': 'largest-contentful-paint',
  'TBT ms': 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
} as const;

interface Report {
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number; score: number | null; title: string }>;
}

/**
 * Creates a new profile in which the user is signed in by cookie, as in a real browser. An extra request header
 * would conflict with the browser's own cookies.
 */
async function signedInProfile(url: string, cookie: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-lighthouse-'));
  const context = await openBrowser({ profile, baseURL: url, isWhole: true });
  const tomorrow = Date.now() / 1000 + 86_400;
  // The app sets this cookie to remember that the browser has a user (last-user.ts).
  const userCookie = userCookieName('signed-in', new URL(url).port);
  const pairs = `${cookie}; ${userCookie}=1`;
  await context.addCookies(
    pairs.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return {
        name,
        value: value.join('='),
        domain: 'localhost',
        path: '/',
        httpOnly: name !== userCookie,
        sameSite: 'Strict' as const,
        expires: tomorrow,
      };
    }),
  );
  await context.close();
  return profile;
}

/** Returns the main threads of all renderer processes (Linux). */
function pageThreads(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
      } catch {
        // The process has ended.
        return false;
      }
    });
}

/** Raises the priority of page threads as they appear. Returns a function that stops it. */
function putPagesFirst(): () => void {
  const known = new Set<number>();
  const timer = setInterval(() => {
    for (const pid of pageThreads().filter((each) => !known.has(each))) {
      known.add(pid);
      setPriority(pid, -20);
    }
  }, 50);
  return () => {
    clearInterval(timer);
  };
}

/**
 * Runs Lighthouse once, for mobile with its slow 4G. Lighthouse is too large for a dependency, so the operator
 * provides it.
 */
async function runOnce(program: string, url: string, profile: string): Promise<Report | string> {
  const output = join(profile, 'report.json');
  const artifacts = join(profile, 'artifacts');
  const stop = isPageFirst ? putPagesFirst() : () => {};
  const command = [
    program,
    url,
    `--chrome-flags=--headless=new --no-sandbox --disable-gpu --user-data-dir=${profile}`,
  ];
  const report = ['--output=json', `--output-path=${output}`];
  try {
    if (isByProcessorTime) {
      await run([...command, `--gather-mode=${artifacts}`]);
      judgeByProcessorTime(artifacts);
      await run([...command, `--audit-mode=${artifacts}`, ...report]);
    } else await run([...command, ...report]);
  } catch (error) {
    return String(error);
  } finally {
    stop();
  }
  return JSON.parse(readFileSync(output, 'utf8')) as Report;
}

/** Replaces the trace among the artifacts that Lighthouse gathered. */
function judgeByProcessorTime(artifacts: string): void {
  const trace = join(artifacts, 'trace.json');
  const { traceEvents, ...rest } = JSON.parse(readFileSync(trace, 'utf8'));
  writeFileSync(trace, JSON.stringify({ ...rest, traceEvents: byProcessorTime(traceEvents) }));
}

/** Runs Lighthouse with the settings of all runs. Throws what it printed if it failed. */
async function run(command: readonly string[]): Promise<void> {
  const lighthouse = spawn(
    process.execPath,
    [
      ...command,
      '--quiet',
      `--only-categories=${categories.join(',')}`,
      '--form-factor=mobile',
      '--disable-storage-reset',
      `--throttling-method=${method}`,
      `--throttling.cpuSlowdownMultiplier=${slowdown}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, CHROME_PATH: findBrowser() } },
  );
  let errorText = '';
  lighthouse.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText += text;
  });
  const [status] = await once(lighthouse, 'close');
  if (status !== 0) throw new Error(errorText);
}

/** A Lighthouse that fails leaves its browser running, which would slow down later runs. */
function endBrowserOf(profile: string): void {
  try {
    killBrowserOf(profile);
  } catch {
    // Lighthouse has already ended the browser.
  }
}

/**
 * On a busy machine a trace sometimes misses its own start (NO_NAVSTART). It is then repeated with a new profile.
 */
async function inspect(
  program: string,
  { url, route, cookie }: { url: string; route: string; cookie: string },
): Promise<Report> {
  let errorText = '';
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const profile = await signedInProfile(url, cookie);
    try {
      const report = await runOnce(program, `${url}${route}`, profile);
      if (typeof report !== 'string') return report;
      errorText = report;
    } finally {
      endBrowserOf(profile);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  throw new Error(errorText);
}

function rowOf(route: string, reports: Report[]): Row {
  const median = (pick: (report: Report) => number) => percentile(reports.map(pick), 0.5);
  const scores = categories.map(
    (name) => [name, round(100 * median((report) => report.categories[name]?.score ?? 0), 0)] as const,
  );
  const timings = Object.entries(audits).map(
    ([name, id]) =>
      [
        name,
        round(
          median((report) => report.audits[id]?.numericValue ?? Number.NaN),
          id === audits.CLS ? 3 : 0,
        ),
      ] as const,
  );
  return {
    route,
    'CPU index': round(
      median(({ environment }) => environment.benchmarkIndex),
      0,
    ),
    ...Object.fromEntries(scores),
    ...Object.fromEntries(timings),
  };
}

/** Measures the three main screens with Lighthouse. Needs `LIGHTHOUSE`, the path of its `cli/index.js`. */
export async function lighthouseBench(): Promise<Section | Section[]> {
  const program = process.env['LIGHTHOUSE'];
  if (program === undefined) return [];
  const speech = readWav(speechFile);
  const rows = await withBrowser(async ({ page, client, server }) => {
    const id = await storeTake(
      client,
      'An hour of speech',
      longTake(await opusPacketsOf(page, speech), speech, 3_600_000),
    );
    const found: Row[] = [];
    for (const route of ['/', '/library', `/recordings/${id}`]) {
      const reports: Report[] = [];
      try {
        for (let run = 0; run < runs; run += 1)
          reports.push(await inspect(program, { url: server.url, route, cookie: client.cookie }));
      } catch (error) {
        console.log(`${route}: ${String(error)}`);
        continue;
      }
      const failed = Object.entries(reports[0]?.audits ?? {})
        .filter(([, { score }]) => score !== null && score < 0.9)
        .map(([audit]) => audit);
      console.log(`${route}: below 0.9 in the first run: ${failed.join(', ') || 'nothing'}`);
      found.push(rowOf(route.replace(id, ':id'), reports));
    }
    return found;
  });
  return {
    title: 'Lighthouse, mobile',
    note: `Median of ${runs} runs, signed in, slow 4G (${method}) and a processor ${slowdown} times slower than this one${isByProcessorTime ? '; tasks by processor time' : ''}${isPageFirst ? "; the page's thread before all others" : ''}.`,
    rows,
  };
}
