import { fromAudacity } from './audacity.ts';
import { fromCsv } from './csv.ts';
import type { ReadLabels } from './label.ts';
import { fromSbv, fromSrt, isSbv, isSrt } from './srt.ts';
import { fromVtt } from './vtt.ts';

/** Reads labels from a file in any of the formats, which are recognised by their start. */
export function readLabels(file: string): ReadLabels {
  const start = file.replace(/^\uFEFF/, '');
  if (start.startsWith('WEBVTT')) return fromVtt(start);
  if (isSrt(start)) return fromSrt(start);
  if (isSbv(start)) return fromSbv(start);
  // Audacity's labels may have negative times.
  return /^\s*-?[\d.,]+\t/.test(start) ? fromAudacity(start) : fromCsv(start);
}
