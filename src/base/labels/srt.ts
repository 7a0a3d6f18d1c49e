import { second } from '#base/duration.ts';
import { type Label, linesOf, type ReadLabels } from './label.ts';
import { clockOf } from './label-time.ts';
import { vttBlocksOf, readCue } from './vtt.ts';

/** A subtitle must have a length: a moment is shown for a second. */
const shownMs = second;

/** Where a subtitle stands on the screen, as SubStation Alpha writes it: `{\an8}`. */
const placement = /\{\\[^}]*\}/g;

const timeOf = (ms: number): string => clockOf(ms).replace('.', ',');

/** An empty line ends a subtitle; one without words shows its time. */
const wordsOf = ({ text, atMs }: Label): string =>
  text
    .replaceAll(/\r\n?|\n/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim() || clockOf(atMs);

/**
 * Labels as SubRip subtitles, in the order of time. SubRip has no kinds and no colours: what is read again
 * are notes.
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

/** Reads SubRip subtitles, as Whisper, YouTube, Premiere and Audacity write them. */
export function fromSrt(file: string): ReadLabels {
  const read: ReadLabels = { labels: [], lines: [], rejected: [] };
  for (const block of vttBlocksOf(linesOf(file.replaceAll(placement, '')))) readCue(block, read);
  return read;
}

/** Whether a file begins as SubRip does: a number, then two times; some programs leave the number out. */
export const isSrt = (file: string): boolean =>
  /^\s*(?:\d+[ \t]*(?:\r\n|\n|\r))?[\d:.,]+[ \t]*-->/.test(file);
