import { limits } from '#contract/limits.ts';
import type { RestoredTranscript } from '#contract/restores-api.ts';
import { pieces } from './label-batches.ts';
import type { ExportedWords } from './read-words.ts';

/** Splits the transcript of a recording into requests that the server accepts. */
export function transcriptBatches(
  { transcript, lines, corrections }: ExportedWords,
  durationMs: number,
): RestoredTranscript[] {
  const { linesPerCall, correctionsPerCall } = limits.restore;
  const nothing = { durationMs, transcript: null, lines: [], corrections: [] };
  return [
    ...(transcript === null ? [] : [{ ...nothing, transcript }]),
    ...pieces(lines, linesPerCall).map((some) => ({ ...nothing, lines: some })),
    ...pieces(corrections, correctionsPerCall).map((some) => ({ ...nothing, corrections: some })),
  ];
}
