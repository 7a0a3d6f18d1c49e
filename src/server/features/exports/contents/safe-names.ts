import { recordedDate } from '#base/recorded-time/recorded-time.ts';
import { untitledName } from '#base/recorded-time/untitled-name.ts';
import { type timeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';

/**
 * What Windows forbids in names, which is more than any other system does; with control characters and those
 * that turn the reading direction.
 */
const forbidden = /[\\/:*?"<>|\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** ext4 and most others hold 255 bytes; room is left for a date, a number and an ending. */
const longestBytes = 120;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** As much of a text as fits, whole characters as people see them. */
function cut(text: string): string {
  let [kept, sizeBytes] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    sizeBytes += Buffer.byteLength(segment);
    if (sizeBytes > longestBytes) break;
    kept += segment;
  }
  return kept;
}

/** A name that every file system takes, in whatever script; `fallback` where nothing is left of it. */
function safeName(text: string, fallback: string): string {
  const plain = cut(
    text.normalize('NFC').replace(forbidden, '-').replace(/\s+/gu, ' ').trim().replace(/^\.+/, ''),
  ).replace(/[. ]+$/, '');
  if (/^-*$/.test(plain)) return fallback;
  return reserved.test(plain) ? `${plain}_` : plain;
}

/** Gives every name once: the second one is numbered. Compared as file systems do that know no capitals. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** The name, or the name with the first free number behind it. */
  claim(name: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name} (${number})`;
      const key = candidate.normalize('NFKC').toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}

/**
 * The name of a recording's folder: the day, or what is known of it, and the title; without a title the day
 * and the time.
 */
export function folderNameOf(recording: Pick<RecordingRow, (typeof timeColumns)[number] | 'title'>): string {
  const time = timeOfRow(recording);
  if (recording.title === '') return untitledName(time);
  return [recordedDate(time), safeName(recording.title, 'Recording')]
    .filter((part) => part !== null)
    .join(' ');
}
