import { instantOf } from '#base/instant.ts';
import {
  type ExportedCorrection,
  type ExportedLine,
  type ExportedTranscript,
  exportedTranscriptFormat,
} from '#contract/account-export.ts';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { TranscriptCorrectionRow, TranscriptRow } from '#server/storage/database/transcript-tables.ts';
import { believableCount, believableLength, believableMoment } from '#server/storage/rows/believable.ts';
import { type HeardLine, linesFrom } from '#server/storage/rows/transcript-lines.ts';

const pageSize = 500;
/** The times of 8 MiB of text are shorter, unless a row is corrupt. */
const maxLinesLength = 64 * 1024 ** 2;

const describeState = (row: TranscriptRow): ExportedTranscript => ({
  state: row.state,
  language: row.language,
  model: row.model,
  cause: row.cause,
  fromMs: believableLength(row.from_ms),
  toMs: row.to_ms === null ? null : believableLength(row.to_ms),
  hearsAll: row.hears_all === 1,
  heardToMs: believableLength(row.heard_to_ms),
  createdAt: instantOf(believableMoment(row.created_at)),
  updatedAt: instantOf(believableMoment(row.updated_at)),
  endedAt: row.ended_at === null ? null : instantOf(believableMoment(row.ended_at)),
});

const describeLine = (line: HeardLine): ExportedLine => ({
  fromMs: line.fromMs,
  toMs: line.toMs,
  text: line.text,
  times: line.times,
  chunkFromMs: line.chunkFromMs,
  chunkToMs: line.chunkToMs,
  timing: line.timing,
  doubt: line.doubt,
  cause: line.cause,
  language: line.language,
});

type StoredCorrection = Omit<
  TranscriptCorrectionRow,
  'recording_id' | 'created_by' | 'words' | 'words_version'
>;

const describeCorrection = (row: StoredCorrection): ExportedCorrection => ({
  id: row.id,
  fromMs: believableLength(row.from_ms),
  toMs: believableLength(row.to_ms),
  text: row.text,
  revision: Math.max(1, believableCount(row.revision)),
  createdAt: instantOf(believableMoment(row.created_at)),
  updatedAt: instantOf(believableMoment(row.updated_at)),
});

const correctionsOf = (queries: Queries, recordingId: string): Promise<StoredCorrection[]> =>
  queries
    .selectFrom('transcript_corrections')
    .select(['id', 'from_ms', 'to_ms', 'text', 'revision', 'created_at', 'updated_at'])
    .where('recording_id', '=', recordingId)
    .orderBy('from_ms')
    .orderBy('id')
    .limit(limits.transcript.correctionsPerRecording)
    .execute();

/** The lines of a recording as JSON, one to a line of the file, in pages. Ends where there would be too much text. */
async function* linesJson(queries: Queries, recordingId: string): AsyncGenerator<string> {
  let [textLength, jsonLength] = [0, 0];
  for (let fromMs = 0; ;) {
    const lines = await linesFrom(queries, { recordingId, fromMs, count: pageSize });
    let page = '';
    for (const line of lines) {
      const json = JSON.stringify(describeLine(line));
      textLength += line.text.length;
      const isFull =
        textLength > serverLimits.transcript.maxTextLength || jsonLength + json.length > maxLinesLength;
      if (isFull) {
        yield page;
        return;
      }
      page += `${jsonLength === 0 ? '' : ','}\n    ${json}`;
      jsonLength += json.length;
    }
    yield page;
    const last = lines.at(-1);
    if (last === undefined || lines.length < pageSize) return;
    fromMs = last.fromMs + 1;
  }
}

async function* jsonOf(
  queries: Queries,
  recordingId: string,
  { row, corrections }: { row: TranscriptRow | undefined; corrections: readonly StoredCorrection[] },
): AsyncGenerator<string> {
  const { format, version } = exportedTranscriptFormat;
  const transcript = row === undefined ? null : describeState(row);
  yield `{
  "format": ${JSON.stringify(format)},
  "version": ${version},
  "transcript": ${JSON.stringify(transcript)},
  "lines": [`;
  yield* linesJson(queries, recordingId);
  const described = corrections.map((each) => `\n    ${JSON.stringify(describeCorrection(each))}`);
  yield `\n  ],\n  "corrections": [${described.join(',')}\n  ]\n}\n`;
}

/**
 * The `transcript.json` of a recording, in pieces that are read from the database as they are needed; null if there is
 * no transcript and no correction. A transcript that grows is written as far as it is.
 */
export async function transcriptJson(
  queries: Queries,
  recordingId: string,
): Promise<AsyncGenerator<string> | null> {
  const row = await queries
    .selectFrom('transcripts')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .executeTakeFirst();
  const corrections = await correctionsOf(queries, recordingId);
  return row === undefined && corrections.length === 0
    ? null
    : jsonOf(queries, recordingId, { row, corrections });
}
