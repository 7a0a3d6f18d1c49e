import type { z } from 'zod';
import {
  type ExportedCorrection,
  exportedCorrectionSchema,
  type ExportedLine,
  exportedLineSchema,
  type ExportedTranscript,
  exportedTranscriptFileSchema,
} from '#contract/account-export.ts';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';

/** The contents of a `transcript.json`. */
export interface ExportedWords {
  transcript: ExportedTranscript | null;
  lines: ExportedLine[];
  corrections: ExportedCorrection[];
  /** The number of lines and corrections that cannot be read. */
  unreadable: number;
}

/** What is left of a file that cannot be read as a whole. */
export const unreadableWords: ExportedWords = { transcript: null, lines: [], corrections: [], unreadable: 1 };

// Fields of later versions are dropped.
const lineSchema = exportedLineSchema.strip();
const correctionSchema = exportedCorrectionSchema.strip();

/** The readable ones of the first `max` items. */
function readable<Item>(schema: z.ZodType<Item>, items: readonly unknown[], max: number): Item[] {
  return items.slice(0, max).flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * Reads a `transcript.json`. A line or a correction that cannot be read is left out and counted.
 * @throws SyntaxError or ZodError if the file is none
 */
export function readWords(text: string): ExportedWords {
  const { transcript, lines, corrections } = exportedTranscriptFileSchema.parse(JSON.parse(text));
  const read = {
    lines: readable(lineSchema, lines, serverLimits.transcript.linesPerRecording),
    corrections: readable(correctionSchema, corrections, limits.transcript.correctionsPerRecording),
  };
  return {
    transcript,
    ...read,
    unreadable: lines.length - read.lines.length + corrections.length - read.corrections.length,
  };
}
