import type { Queries } from '#server/storage/database/database.ts';
import type { TranscriptLineRow, TranscriptRow } from '#server/storage/database/transcript-tables.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';
import { newId } from './factories.ts';

const storedAtMs = Date.UTC(2026, 10, 21, 9, 30);

interface Owned {
  recordingId: string;
  ownerId: string;
}

/** Stores a correction of the words of a recording. */
export async function storeCorrection(queries: Queries, { recordingId, ownerId }: Owned): Promise<void> {
  const text = 'corrected “words”';
  await queries
    .insertInto('transcript_corrections')
    .values({
      id: newId(),
      recording_id: recordingId,
      from_ms: 1000,
      to_ms: 1500,
      text,
      revision: 3,
      created_by: ownerId,
      created_at: storedAtMs,
      updated_at: storedAtMs + 1,
      ...wordColumnsOf(text),
    })
    .execute();
}

/** Stores a transcript with lines of every kind, and a correction. */
export async function storeTranscript(
  queries: Queries,
  { recordingId, ownerId, ...given }: Owned & Partial<TranscriptRow>,
): Promise<void> {
  await queries
    .insertInto('transcripts')
    .values({
      recording_id: recordingId,
      state: 'ready',
      language: 'en',
      model: 'whisper-small',
      from_ms: 100,
      to_ms: null,
      hears_all: 0,
      heard_to_ms: 1900,
      cause: null,
      revision: 7,
      created_at: storedAtMs,
      updated_at: storedAtMs + 2,
      ended_at: storedAtMs + 2,
      ...given,
    })
    .execute();
  const line = (text: string, fromMs: number, more: Partial<TranscriptLineRow>): TranscriptLineRow => ({
    recording_id: recordingId,
    from_ms: fromMs,
    to_ms: fromMs + 300,
    chunk_from_ms: fromMs,
    chunk_to_ms: fromMs + 400,
    timing: 'word',
    doubt: null,
    cause: null,
    language: 'en',
    text,
    times: JSON.stringify(text === '' ? [] : [[fromMs, fromMs + 300, text.length]]),
    ...wordColumnsOf(text),
    ...more,
  });
  await queries
    .insertInto('transcript_lines')
    .values([
      line('My grandmother’s words: 祖母 😀', 100, {}),
      line('again again', 500, { timing: 'chunk', doubt: 'loop', language: null }),
      line('', 900, { cause: 'no-speech' }),
    ])
    .execute();
  await storeCorrection(queries, { recordingId, ownerId });
}
