import type { Imported, Played, ReadFile } from './results.ts';
import type { Sample } from './samples.ts';
import { arePeaksRight } from './signal.ts';

/** A browser's part of a row. */
interface InBrowser {
  played: Played;
  read: ReadFile;
}
/** The app's result for a file, and how each browser plays the served audio. */
interface InApp {
  imported: Imported;
  played: readonly (Played | null)[];
}
export interface FormatRow {
  sample: Sample;
  browsers: readonly InBrowser[];
  app: InApp;
}

const closeSeconds = 0.1;
const inSeconds = (seconds: number): string =>
  Number.isFinite(seconds) ? `${seconds.toFixed(1)} s` : 'infinite';

function lengthCell(seconds: number, sample: Sample): string {
  return Math.abs(seconds - sample.seconds) <= closeSeconds ? '✓' : inSeconds(seconds);
}

function seekCell({ atStart, afterSeek }: { atStart: number | null; afterSeek: number | null }): string {
  if (atStart === null || afterSeek === null) return 'nothing heard';
  const offMs = Math.round(1000 * (afterSeek - atStart));
  return Math.abs(offMs) <= 1000 * closeSeconds ? '✓' : `${offMs} ms off`;
}

/** The cells for playing, seeking and length: a mark or the problem, or "no". */
function playedCells(played: Played, sample: Sample): string[] {
  if (!played.ok) return ['no', '', ''];
  return [
    played.atStart === null ? 'silent' : '✓',
    seekCell(played),
    lengthCell(played.durationSeconds, sample),
  ];
}

/** One cell for what mediabunny reads: a mark, or the problems. */
function readCell(read: ReadFile | undefined, sample: Sample): string {
  if (!read?.ok) return 'no';
  const length = lengthCell(read.durationSeconds, sample);
  const problems = [...(read.codec === null ? ['codec unknown'] : []), ...(length === '✓' ? [] : [length])];
  if (read.peaks === null) problems.push('peaks left to the server');
  else if (!arePeaksRight(read.peaks, sample.seconds)) problems.push('peaks wrong');
  return problems.length === 0 ? '✓' : problems.join(', ');
}

const servedAs = (imported: Imported & { by: 'browser' | 'server' }): string =>
  imported.rendition === 'none' ? 'the original' : imported.mediaType;

/** One cell for playing, seeking and length: a mark, or the problems. */
function heardCell(played: Played | null, sample: Sample): string {
  if (played === null) return '';
  const wrong = playedCells(played, sample).filter((cell) => cell !== '✓' && cell !== '');
  return wrong.length === 0 ? '✓' : wrong.join(', ');
}

/** One cell for all browsers if they agree, otherwise one part for each. */
const sharedCell = (cells: readonly string[]): string =>
  new Set(cells).size === 1 ? (cells[0] ?? '') : cells.join(' / ');

function appCells({ imported, played }: InApp, sample: Sample): string[] {
  if (imported.by === null) return [imported.why, '', '', ''];
  const length = lengthCell(imported.durationSeconds, sample);
  const problems = [
    ...(length === '✓' ? [] : [length]),
    ...(arePeaksRight(imported.peaks, sample.seconds) ? [] : ['waveform wrong']),
  ];
  return [
    imported.by,
    servedAs(imported),
    problems.length === 0 ? '✓' : problems.join(', '),
    sharedCell(played.map((each) => heardCell(each, sample))),
  ];
}

function resultCells({ sample, browsers, app }: FormatRow): string {
  return [
    sharedCell(browsers.map(({ read }) => readCell(read, sample))),
    ...browsers.map(({ played }) => heardCell(played, sample)),
    ...appCells(app, sample),
  ].join(' | ');
}

/** The files of one row, one line per container. */
function filesCell(samples: readonly Sample[]): string {
  const byContainer = Map.groupBy(samples, ({ container }) => container);
  return [...byContainer]
    .map(([container, files]) => `${container}: ${files.map(({ codec }) => codec).join('; ')}`)
    .join('<br>');
}

/** Rows of the table in Markdown. Files with the same results share a row. */
export function rowsText(rows: readonly FormatRow[]): string {
  return [...Map.groupBy(rows, resultCells)]
    .map(([results, same]) => `| ${filesCell(same.map(({ sample }) => sample))} | ${results} |`)
    .join('\n');
}

function headText(names: readonly string[]): string {
  const heads = [
    'files',
    'mediabunny reads',
    ...names.map((name) => `${name} plays`),
    'import decoded by',
    'served as',
    'in the app',
    'imported, plays',
  ];
  return `| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}`;
}

/** The whole document in Markdown. */
export function documentText({
  names,
  rows,
}: {
  names: readonly string[];
  rows: readonly FormatRow[];
}): string {
  return `# Formats

\`npm run formats\` writes this page.
It makes every file with ffmpeg, reads it with mediabunny as an import does, and plays it in an \`audio\` element, in ${names.join(' and ')}.
Each file is 10 s long, or 5 minutes where the table says so; \`tests/formats/samples.ts\` has their rates and channels.
It holds a tone that rises evenly for ten seconds and starts again, and whose loudness changes from second to second, so the sound heard identifies its place in the file.
Files with the same results share a row. ✓ is right; otherwise the cell has the problem.

- *mediabunny reads*: the length is within ${1000 * closeSeconds} ms of the real one, and the peaks that the import's code draws in the browser (\`src/workers/import/decode-peaks.ts\`) are as loud in every second, to within 50 ms.
- *plays*: the tone is heard; after a jump to 70 %, the sound heard is at the position that the element reports, within ${1000 * closeSeconds} ms of the offset at the start; and the element states the right length.
- *import decoded by*: the file is imported through the page of a server that has ffmpeg. "browser" decoded it and drew its peaks there; "server" did both on the server.
- *served as*: the original, or what the server made of it.
- *in the app*: the length that the API reports and the waveform that it draws.
- *imported, plays*: what the app serves plays as above, in every browser.

${headText(names)}
${rowsText(rows)}
`;
}
