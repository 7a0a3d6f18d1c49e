import { fromAudacity } from './audacity.ts';
import { fromCsv } from './csv.ts';
import type { ReadLabels } from './label.ts';
import { fromSrt, isSrt } from './srt.ts';
import { fromVtt } from './vtt.ts';

/** Reads labels from a file of any of the four formats, distinguished by how it begins. */
export function readLabels(file: string): ReadLabels {
  const start = file.replace(/^\uFEFF/, '');
  if (start.startsWith('WEBVTT')) return fromVtt(start);
  if (isSrt(start)) return fromSrt(start);
  // Audacity's labels may stand before the beginning.
  return /^\s*-?[\d.,]+\t/.test(start) ? fromAudacity(start) : fromCsv(start);
}
