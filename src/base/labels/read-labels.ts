import { fromAudacity } from './audacity.ts';
import { fromCsv } from './csv.ts';
import type { LabelUnit, ReadLabels } from './label.ts';
import { fromSbv, fromSrt, isSbv, isSrt } from './srt.ts';
import { fromVtt } from './vtt.ts';

/**
 * Reads labels from a file in any of the formats, which are recognised by their start.
 * @param unit of plain numbers that the user chose, null for the one that the file states or seems to have
 */
export function readLabels(file: string, unit: LabelUnit | null = null): ReadLabels {
  const start = file.replace(/^\uFEFF/, '');
  if (start.startsWith('WEBVTT')) return fromVtt(start);
  if (isSrt(start)) return fromSrt(start);
  if (isSbv(start)) return fromSbv(start);
  // Audacity's labels may have negative times.
  return /^\s*-?[\d.,]+\t/.test(start) ? fromAudacity(start, unit ?? 'seconds') : fromCsv(start, unit);
}
