import { instantOf } from '#base/instant.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { type ShownLine, withCorrections } from '#base/transcripts/corrections.ts';
import { limits } from '#contract/limits.ts';
import type { Transcript, TranscriptLine } from '#contract/transcripts-api.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { TranscriptRow } from '#server/storage/database/transcript-tables.ts';
import { correctionsWithin, type HeardLine, linesFrom } from '#server/storage/rows/transcript-lines.ts';
import { findTranscript } from './transcript-store.ts';

type State = Omit<Transcript, 'lines' | 'next'>;

const nothing: State = {
  state: 'none',
  language: null,
  model: null,
  cause: null,
  fromMs: 0,
  toMs: null,
  heardToMs: 0,
  revision: 0,
  endedAt: null,
};

/** The state of a transcript as the API shows it. */
export const presentState = (row: TranscriptRow | undefined): State =>
  row === undefined
    ? nothing
    : {
        state: row.state,
        language: row.language,
        model: row.model,
        cause: row.cause,
        fromMs: row.from_ms,
        toMs: row.to_ms,
        heardToMs: row.heard_to_ms,
        revision: row.revision,
        endedAt: row.ended_at === null ? null : instantOf(row.ended_at),
      };

/** A shown line as the API gives it. */
export const presentLine = (line: ShownLine<HeardLine>): TranscriptLine => ({
  fromMs: line.fromMs,
  toMs: line.toMs,
  text: line.text,
  times: line.times,
  ...(line.correction === null
    ? { timing: line.timing, doubt: line.doubt, cause: line.cause, language: line.language }
    : { timing: 'word' as const, doubt: null, cause: null, language: null }),
  correction: line.correction,
});

/** A page of shown lines, and where the next one begins. */
interface LinePage {
  lines: TranscriptLine[];
  next: number | null;
}

/** Reads lines from a moment on, with corrections laid over. A correction is on the page of its start. */
async function readPage(queries: Queries, recordingId: string, fromMs: number): Promise<LinePage> {
  const found = await linesFrom(queries, { recordingId, fromMs, count: limits.transcript.linesPerPage + 1 });
  const next = found[limits.transcript.linesPerPage]?.fromMs ?? null;
  const heard = found.slice(0, limits.transcript.linesPerPage);
  const toMs = next ?? maxSoundMs + 1;
  // A line that begins on this page may be corrected by what begins before or after it.
  const spanEndMs = Math.max(toMs, heard.at(-1)?.toMs ?? 0);
  const corrections = await correctionsWithin(queries, { recordingId, fromMs, toMs: spanEndMs });
  const isHere = ({ fromMs: startMs }: { fromMs: number }): boolean => startMs >= fromMs && startMs < toMs;
  const own = new Set(corrections.filter(isHere).map(({ id }) => id));
  const lines = withCorrections(heard, corrections)
    .filter(({ correction }) => correction === null || own.has(correction.id))
    .map(presentLine);
  return { lines, next };
}

/** Reads the transcript of a recording from a moment on. */
export async function readTranscript(
  queries: Queries,
  { recordingId, fromMs }: { recordingId: string; fromMs: number },
): Promise<Transcript> {
  const row = await findTranscript(queries, recordingId);
  return { ...presentState(row), ...(await readPage(queries, recordingId, fromMs)) };
}
