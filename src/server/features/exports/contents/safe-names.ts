import { recordedDate } from '#base/recorded-time/recorded-time.ts';
import { untitledName } from '#base/recorded-time/untitled-name.ts';
import { type timeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';

/**
 * The characters that Windows forbids in names, which includes those of other systems; also control characters and
 * characters that change the text direction.
 */
const forbidden = /[\\/:*?"<>|\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** ext4 and most other file systems allow 255 bytes. The rest is for a date, a number and an extension. */
const maxBytes = 120;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text to whole graphemes that fit. */
function cut(text: string): string {
  let [retained, sizeBytes] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    sizeBytes += Buffer.byteLength(segment);
    if (sizeBytes > maxBytes) break;
    retained += segment;
  }
  return retained;
}

/** A name that is valid on every file system, in any script; `fallback` if no characters are left. */
function safeName(text: string, fallback: string): string {
  const plain = cut(
    text.normalize('NFC').replace(forbidden, '-').replace(/\s+/gu, ' ').trim().replace(/^\.+/, ''),
  ).replace(/[. ]+$/, '');
  if (/^-*$/.test(plain)) return fallback;
  return reserved.test(plain) ? `${plain}_` : plain;
}

/** Makes names unique by numbering duplicates. Names are compared as on a case-insensitive file system. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** Returns the name, followed by the first free number if it is taken. */
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

/** The name of a recording's folder: the known part of the date and the title; without a title the day and time. */
export function folderNameOf(recording: Pick<RecordingRow, (typeof timeColumns)[number] | 'title'>): string {
  const time = timeOfRow(recording);
  if (recording.title === '') return untitledName(time);
  return [recordedDate(time), safeName(recording.title, 'Recording')]
    .filter((part) => part !== null)
    .join(' ');
}
