import { hasControlCharacters } from '#base/text.ts';
import type { ExportedCorrection, ExportedLine } from '#contract/account-export.ts';
import { limits } from '#contract/limits.ts';
import type { RejectedWords } from '#contract/restores-api.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { correctionTextSchema } from '#contract/values.ts';
import {
  latestMomentMs,
  misplacementOf,
  type RecordingBounds,
} from '#server/storage/rows/recording-bounds.ts';
import type { WordColumns } from '#server/storage/search/text-words.ts';

type Reason = RejectedWords['reason'];

/** How many lines or corrections there are, and the length of their texts. */
export interface TextCount {
  count: number;
  textLength: number;
}

/** A correction of the recording or, with an id that is to be stored, of another one. */
export interface StoredCorrection {
  id: string;
  isOwn: boolean;
  fromMs: number;
  toMs: number;
}

/** What is stored before a call. */
export interface StoredWords {
  lines: TextCount;
  lineStarts: ReadonlySet<number>;
  corrections: TextCount;
  correctionSpans: readonly StoredCorrection[];
}

export type RestoredLine = ExportedLine & WordColumns;
export type RestoredCorrection = ExportedCorrection & WordColumns;

/** What a call adds, and what it leaves out. */
export interface SortedWords {
  lines: RestoredLine[];
  corrections: RestoredCorrection[];
  rejected: RejectedWords[];
}

const maxLines: TextCount = {
  count: serverLimits.transcript.linesPerRecording,
  textLength: serverLimits.transcript.maxTextLength,
};
const maxCorrections: TextCount = {
  count: limits.transcript.correctionsPerRecording,
  textLength: limits.transcript.maxTextLength,
};

/** Counts what is added, up to a limit. */
class LimitedTexts {
  readonly #used: TextCount;
  readonly #max: TextCount;

  constructor(stored: TextCount, max: TextCount) {
    this.#used = { ...stored };
    this.#max = max;
  }

  add({ text }: { text: string }): boolean {
    const isWithin =
      this.#used.count < this.#max.count && this.#used.textLength + text.length <= this.#max.textLength;
    if (!isWithin) return false;
    this.#used.count += 1;
    this.#used.textLength += text.length;
    return true;
  }
}

function hasWrongTimes({ text, times }: ExportedLine): boolean {
  const length = times.reduce((sum, [, , wordLength]) => sum + wordLength, 0);
  return length !== text.length || times.some(([fromMs, toMs]) => toMs < fromMs);
}

function reasonAgainstLine(line: ExportedLine, bounds: RecordingBounds): Reason | null {
  const { fromMs, toMs, chunkFromMs, chunkToMs, text } = line;
  if (toMs < fromMs || chunkToMs < chunkFromMs || toMs > latestMomentMs(bounds)) return 'range';
  if (text.length > serverLimits.transcript.lineLength || hasControlCharacters(text)) return 'text';
  return hasWrongTimes(line) ? 'times' : null;
}

type Taken<Item> = { taken: Item } | { reason: Reason } | null;

function sortLine(
  line: RestoredLine,
  { bounds, used, starts }: { bounds: RecordingBounds; used: LimitedTexts; starts: Set<number> },
): Taken<RestoredLine> {
  const reason = reasonAgainstLine(line, bounds);
  if (reason !== null) return { reason };
  if (starts.has(line.fromMs)) return null;
  if (!used.add(line)) return { reason: 'too-many' };
  starts.add(line.fromMs);
  return { taken: line };
}

function sortCorrection(
  correction: RestoredCorrection,
  { bounds, used, spans }: { bounds: RecordingBounds; used: LimitedTexts; spans: StoredCorrection[] },
): Taken<RestoredCorrection> {
  const { id, fromMs, toMs } = correction;
  const same = spans.find((each) => each.id === id);
  if (same !== undefined) return same.isOwn ? null : { reason: 'taken' };
  if (misplacementOf(bounds, correction) !== null) return { reason: 'range' };
  const text = correctionTextSchema.safeParse(correction.text);
  if (!text.success) return { reason: 'text' };
  if (spans.some((each) => each.isOwn && each.fromMs < toMs && each.toMs > fromMs))
    return { reason: 'overlaps' };
  const taken = { ...correction, text: text.data };
  if (!used.add(taken)) return { reason: 'too-many' };
  spans.push({ id, isOwn: true, fromMs, toMs });
  return { taken };
}

/**
 * Divides lines and corrections into those to store and those that are left out. What is stored already, or begins at
 * the moment of another line, is in neither.
 */
export function sortWords(
  stored: StoredWords,
  {
    durationMs,
    lines,
    corrections,
  }: {
    durationMs: number;
    lines: readonly RestoredLine[];
    corrections: readonly RestoredCorrection[];
  },
): SortedWords {
  const bounds: RecordingBounds = { state: 'ready', duration_ms: durationMs };
  const sorted: SortedWords = { lines: [], corrections: [], rejected: [] };
  const ofLines = {
    bounds,
    used: new LimitedTexts(stored.lines, maxLines),
    starts: new Set(stored.lineStarts),
  };
  for (const line of lines) {
    const result = sortLine(line, ofLines);
    if (result === null) continue;
    if ('taken' in result) sorted.lines.push(result.taken);
    else sorted.rejected.push({ kind: 'line', fromMs: line.fromMs, reason: result.reason });
  }
  const ofCorrections = {
    bounds,
    used: new LimitedTexts(stored.corrections, maxCorrections),
    spans: [...stored.correctionSpans],
  };
  for (const correction of corrections) {
    const result = sortCorrection(correction, ofCorrections);
    if (result === null) continue;
    if ('taken' in result) sorted.corrections.push(result.taken);
    else sorted.rejected.push({ kind: 'correction', fromMs: correction.fromMs, reason: result.reason });
  }
  return sorted;
}
