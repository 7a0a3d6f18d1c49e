import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '#scripts/build-web.ts';
import { openBrowsers, type Probe } from './browsers.ts';
import { hasFfmpeg, makeSample } from './make-samples.ts';
import { importSamples, type TakenIn } from './in-app.ts';
import type { Played } from './results.ts';
import { samples, type Sample } from './samples.ts';
import { serveSamples } from './serve-samples.ts';
import { documentText, rowsText, type FormatRow } from './table.ts';

// With parts of file names as arguments, it only prints the results for those files.
const chosen = process.argv.slice(2);
const wanted = samples.filter(
  ({ file }) => chosen.length === 0 || chosen.some((part) => file.includes(part)),
);

const mediaTypes = new Map(samples.map(({ file, mediaType }) => [file, mediaType]));

async function rowOf(sample: Sample, probes: readonly Probe[], taken: TakenIn): Promise<FormatRow> {
  const browsers = await Promise.all(
    probes.map(async ({ play, read }) => ({
      played: await play(sample.file, sample.seconds),
      read: await read(sample.file),
    })),
  );
  const { heard, imported } = taken;
  const played: (Played | null)[] =
    heard === null
      ? probes.map(() => null)
      : await Promise.all(probes.map(({ play }) => play(heard.file, sample.seconds)));
  return { sample, browsers, app: { imported, played } };
}

/** Creates and imports every file, probes it in every browser, and returns the results. */
async function measure(folder: string): Promise<{ names: string[]; rows: FormatRow[] }> {
  for (const sample of wanted) makeSample(folder, sample);
  const taken = await importSamples(folder, wanted);
  for (const { heard } of taken.values()) if (heard) mediaTypes.set(heard.file, heard.mediaType);
  const served = await serveSamples(folder, (file) => mediaTypes.get(file) ?? 'application/octet-stream');
  const probes = await openBrowsers(served.url);
  try {
    const rows: FormatRow[] = [];
    for (const sample of wanted) {
      const row = await rowOf(
        sample,
        probes,
        taken.get(sample.file) ?? { imported: { by: null, why: 'lost' }, heard: null },
      );
      rows.push(row);
      console.log(rowsText([row]));
      if (chosen.length > 0) console.log(JSON.stringify(row));
    }
    return { names: probes.map(({ name }) => name), rows };
  } finally {
    for (const probe of probes) await probe.close();
    served.close();
  }
}

if (!hasFfmpeg()) throw new Error('ffmpeg, which creates the files, is not installed');
const path = join(import.meta.dirname, '..', '..', 'docs', 'formats.md');

/** The sections below the table, written by hand, which are kept. */
function apart(): string {
  const before = readFileSync(path, 'utf8');
  const starts = before.indexOf('\n## ');
  return starts === -1 ? '' : before.slice(starts);
}

await buildWeb();
const folder = mkdtempSync(join(tmpdir(), 'earshot-samples-'));
try {
  const text = documentText(await measure(folder));
  if (chosen.length === 0) writeFileSync(path, `${text}${apart()}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
