import type { Imported, Played, ReadFile } from './results.ts';
import type { Sample } from './samples.ts';
import { arePeaksRight } from './signal.ts';
import { signal } from './signal-shape.ts';

/** A browser's part of a row. */
interface InBrowser { played: Played; read: ReadFile }
/** What the app itself made of a file, and how each browser plays what it has of it. */
interface InApp { imported: Imported; played: readonly (Played | null)[] }
export interface FormatRow { sample: Sample; browsers: readonly InBrowser[]; app: InApp }

const closeSeconds = 0.1;
const isLong = (seconds: number): boolean => Math.abs(seconds - signal.seconds) <= closeSeconds;
const inSeconds = (seconds: number): string => (Number.isFinite(seconds) ? `${seconds.toFixed(1)} s` : 'endless');

function lengthCell(seconds: number): string {
  return isLong(seconds) ? '✓' : inSeconds(seconds);
}

function seekCell({ atStart, afterSeek }: { atStart: number | null; afterSeek: number | null }): string {
  if (atStart === null || afterSeek === null) return 'nothing heard';
  const offMs = Math.round(1000 * (afterSeek - atStart));
  return Math.abs(offMs) <= 1000 * closeSeconds ? '✓' : `${offMs} ms off`;
}

/** Plays, seeks, its length: three marks, or "no". */
function playedCells(played: Played): string[] {
  if (!played.ok) return ['no', '', ''];
  return [played.atStart === null ? 'silent' : '✓', seekCell(played), lengthCell(played.durationSeconds)];
}

const peaksCell = (read: ReadFile): string => {
  if (!read.ok) return '';
  if (read.peaks === null) return 'no decoder';
  return arePeaksRight(read.peaks) ? '✓' : 'wrong';
};

function readCells(read: ReadFile | undefined): string[] {
  if (!read?.ok) return ['no', '', ''];
  return [`${read.container}, ${read.codec ?? 'codec unknown'}`, `${read.sampleRateHz} × ${read.channels}`, lengthCell(read.durationSeconds)];
}

const renditions: Record<string, string> = { none: 'not needed', ready: 'made' };

/** Plays, seeks and knows its length: one mark, or what is wrong. */
function heardCell(played: Played | null): string {
  if (played === null) return '';
  const wrong = playedCells(played).filter((cell) => cell !== '✓' && cell !== '');
  return wrong.length === 0 ? '✓' : wrong.join(', ');
}

function appCells({ imported, played }: InApp): string[] {
  const taken = imported.by === null ? [imported.why, ''] : [imported.by, renditions[imported.rendition] ?? imported.rendition];
  return [...taken, ...played.map(heardCell)];
}

/** One row of the table in Markdown. */
export function rowText({ sample, browsers, app }: FormatRow): string {
  const cells = [
    sample.container, sample.codec, ...readCells(browsers[0]?.read), ...browsers.map(({ read }) => peaksCell(read)), ...browsers.flatMap(({ played }) => playedCells(played)),
    ...appCells(app),
  ];
  return `| ${cells.join(' | ')} |`;
}

function headText(names: readonly string[]): string {
  const heads = [
    'container', 'codec', 'mediabunny reads', 'Hz × channels', 'length', ...names.map((name) => `peaks, ${name}`), ...names.flatMap((name) => [`${name} plays`, 'seeks', 'length']),
    'imports, read by', 'rendition', ...names.map((name) => `imported, ${name} plays`),
  ];
  return `| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}`;
}

/** The whole document in Markdown. */
export function documentText({ names, rows }: { names: readonly string[]; rows: readonly FormatRow[] }): string {
  return `# Formats

Written by \`npm run formats\`, which makes every file with ffmpeg, reads it with mediabunny as an import does, and plays it in an \`audio\` element, in ${names.join(' and ')}.
Each file is ${signal.seconds} s of a tone that rises evenly and is louder or softer from second to second: what is heard tells where in the file it is.

- *length*: ✓ is within ${1000 * closeSeconds} ms of the truth.
- *peaks*: decoded by the browser through mediabunny in a stream, every second as loud as it is; "no decoder" is left to the server.
- *plays*: the tone is heard. *seeks*: after a jump to 70 % the sound heard is where the element says it is, within ${1000 * closeSeconds} ms of how it was at the start.
- *imports, read by*: imported through the page of a server that has ffmpeg; "browser": there it was decoded and its peaks drawn, "server": both are done by the server.
- *rendition*: made where not every browser plays the file itself. *imported, … plays*: what the app then plays is heard, seeks and knows its length.

${[headText(names), ...rows.map(rowText)].join('\n')}
`;
}
