import type { Passage } from '#contract/passages-api.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';

/** Whether a part of a line is muted for listeners. */
export const isMutedLine = (line: TranscriptLine, passages: readonly Passage[]): boolean =>
  passages.some(({ fromMs, toMs }) => fromMs < line.toMs && (toMs ?? Infinity) > line.fromMs);
