import { second } from '#base/duration.ts';
import { type Label, linesOf, type ReadLabels } from './label.ts';
import { clockOf } from './label-time.ts';
import { vttBlocksOf, readCue } from './vtt.ts';

/** A subtitle must have a length, so a moment is shown for a second. */
const shownMs = second;

/** The position of a subtitle on the screen in SubStation Alpha's syntax: `{\an8}`. */
const placement = /\{\\[^}]*\}/g;

const timeOf = (ms: number): string => clockOf(ms).replace('.', ',');

/** Removes empty lines and shortens arrows, which would end a subtitle. A label without text shows its time. */
const wordsOf = ({ text, atMs }: Label): string =>
  text
    .replaceAll(/\r\n?|\n/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll('-->', '->')
    .trim() || clockOf(atMs);

/**
 * Labels as SubRip subtitles in order of time. SubRip has neither kinds nor colours, so labels are read back as
 * notes.
 */
export function toSrt(labels: readonly Label[]): string {
  const ordered = labels.toSorted((one, other) => one.atMs - other.atMs);
  return ordered
    .map(
      (label, index) =>
        `${index + 1}\n${timeOf(label.atMs)} --> ${timeOf(label.endMs ?? label.atMs + shownMs)}\n${wordsOf(label)}\n`,
    )
    .join('\n');
}

/** Reads SubRip subtitles as written by Whisper, YouTube, Premiere and Audacity. */
export function fromSrt(file: string): ReadLabels {
  const read: ReadLabels = { labels: [], lines: [], rejected: [] };
  for (const block of vttBlocksOf(linesOf(file.replaceAll(placement, '')))) readCue(block, read);
  return read;
}

const sbvTiming = /^[ \t]*(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})[ \t]*$/gm;

/** Reads YouTube's subtitles (SBV): the two times of a cue are divided by a comma, and `[br]` breaks a line. */
export function fromSbv(file: string): ReadLabels {
  const read = fromSrt(file.replaceAll(sbvTiming, '$1 --> $2'));
  const labels = read.labels.map((label) => ({ ...label, text: label.text.replaceAll('[br]', '\n') }));
  return { ...read, labels };
}

/** Whether a file starts like SBV: two times, and a text in the next line. */
export const isSbv = (file: string): boolean =>
  /^\s*\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}[ \t]*(?:\r\n|\n|\r)(?!\d+:\d\d)/.test(file);

/** Whether a file starts like SubRip: a number, then two times; some programs leave out the number. */
export const isSrt = (file: string): boolean =>
  /^\s*(?:\d+[ \t]*(?:\r\n|\n|\r))?[\d:.,]+[ \t]*-->/.test(file);
