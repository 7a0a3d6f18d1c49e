import { setTimeout as delay } from 'node:timers/promises';
import { hour, minute, second } from '#base/duration.ts';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import { replaceControlCharacters } from '#base/text.ts';
import { linesOfWords } from '#base/transcripts/line.ts';
import type { Passage } from '#contract/passages-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { RecordedSound } from '#server/features/recordings/media/recorded-sounds.ts';
import type { TranscriptRow } from '#server/storage/database/transcript-tables.ts';
import { passagesOf } from '#server/storage/rows/passages.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import {
  needsModel,
  type SpeechModel,
  type Transcriber,
  TranscriberError,
  type HeardWord,
} from '#server/transcribers/transcriber.ts';
import { guessLanguage } from './guess-language.ts';
import {
  advanceTranscript,
  changeTranscript,
  countTranscribed,
  extendSilence,
  findTranscript,
  replaceLines,
  rowsOfChunk,
  type StoredChunk,
  transcribedTodayMs,
} from './transcript-store.ts';
import { transcribeJob, type TranscriptsDeps } from './transcripts-deps.ts';

/** After this time other users have their turn. */
const sliceMs = minute;
/** A file without an index is decoded from its start in each slice, so its slices are longer. */
const fileSliceMs = 10 * minute;
/** How long a slice waits for an engine that has no time. */
const maxEngineWaitMs = minute;
/** Further failures set the transcript to `failed`. */
const maxAttempts = 3;

/** The reason for which a slice ends before its part is transcribed. */
class SliceEnd extends Error {}
/** The engine hears a different language in each place. */
class LanguageUnknown extends Error {}

/** A stretch that is muted for listeners, and is not sent to another host. */
const withheldChunk = { language: null, timing: 'word', words: [], doubt: null, cause: 'muted' } as const;

/** What one slice works on. */
interface Slice {
  row: TranscriptRow;
  recording: NonNullable<Awaited<ReturnType<TranscriptsDeps['recordings']['find']>>>;
  sounds: RecordedSound[];
  model: SpeechModel | null;
  transcriber: Transcriber;
  endMs: number;
  passages: Passage[];
}

type Outcome = 'again' | 'ended';

/** What the transcript says of an error; null for one that may pass. */
function causeOf(error: unknown): string | null {
  if (error instanceof ProblemError) return error.code;
  if (error instanceof TranscriberError) return error.problem;
  return error instanceof LanguageUnknown ? 'language-unknown' : null;
}

/** An engine may say anything. What no text of a user may contain is left out. */
const readableWords = (words: readonly HeardWord[]): HeardWord[] =>
  words
    .map((word) => ({ ...word, text: replaceControlCharacters(word.text.toWellFormed(), () => '').trim() }))
    .filter(({ text }) => text !== '');

const outcomeOf = ({ cause, words }: StoredChunk): string =>
  cause ?? (words.length > 0 ? 'words' : 'no-words');

/** A part of a recording's sound. Muted sound is not sent to another host. */
interface Part {
  sound: RecordedSound;
  fromMs: number;
  toMs: number;
  isWithheld: boolean;
}

/** Divides sound at the edges of passages. */
function dividedAtPassages(whole: Part, passages: readonly Passage[]): Part[] {
  const edges = passages
    .flatMap(({ fromMs, toMs }) => [fromMs, toMs ?? whole.toMs])
    .filter((edgeMs) => edgeMs > whole.fromMs && edgeMs < whole.toMs);
  const bounds = [whole.fromMs, ...new Set(edges.toSorted((a, b) => a - b)), whole.toMs];
  return bounds.slice(1).map((toMs, index) => {
    const fromMs = bounds[index] ?? whole.fromMs;
    const isWithheld = passages.some(
      (passage) => passage.fromMs < toMs && (passage.toMs ?? Infinity) > fromMs,
    );
    return { ...whole, fromMs, toMs, isWithheld };
  });
}

/** Transcribes recordings in slices. The cursor and the lines before it are stored together, chunk by chunk. */
class Transcription {
  readonly #deps: TranscriptsDeps & { transcriber: Transcriber };
  readonly #recordingId: string;

  constructor(deps: TranscriptsDeps & { transcriber: Transcriber }, recordingId: string) {
    this.#deps = deps;
    this.#recordingId = recordingId;
  }

  async run(context: {
    signal: AbortSignal;
    progressed: () => Promise<void>;
    attempts: number;
  }): Promise<Outcome> {
    try {
      const slice = await this.#open(context.signal);
      return slice === null ? await this.#isWaiting() : await this.#transcribe(slice, context);
    } catch (error) {
      return await this.#after(error, context);
    }
  }

  /** Ends the transcription with a cause, unless its owner has stopped it. */
  async fail(cause: string): Promise<void> {
    await this.#change({ state: 'failed', cause, ended_at: this.#deps.clock.nowMs() });
  }

  async #change(change: Partial<TranscriptRow>): Promise<void> {
    const { database, clock } = this.#deps;
    const isChanged = await changeTranscript(
      database.queries,
      { recordingId: this.#recordingId, from: ['waiting', 'running'] },
      { ...change, updated_at: clock.nowMs() },
    );
    if (isChanged) await this.#announce();
  }

  async #announce(): Promise<void> {
    const recording = await this.#deps.recordings.find(this.#recordingId);
    if (recording) this.#deps.announce.transcriptChanged(recording.owner_id, this.#recordingId);
  }

  /** Whether it was started again while this slice ran. */
  async #isWaiting(): Promise<Outcome> {
    const row = await findTranscript(this.#deps.database.queries, this.#recordingId);
    return row?.state === 'waiting' ? 'again' : 'ended';
  }

  async #after(
    error: unknown,
    { signal, attempts }: { signal: AbortSignal; attempts: number },
  ): Promise<Outcome> {
    if (error instanceof SliceEnd) return 'again';
    if (signal.aborted || isStorageOutage(error)) throw error;
    if (error instanceof TranscriberError && error.problem === 'transcriber-unavailable') {
      await this.#change({ cause: error.problem });
      await delay(Math.min(maxEngineWaitMs, error.retryAfterMs ?? 10 * second), undefined, { signal });
      return 'again';
    }
    const cause = causeOf(error);
    if (cause === null && attempts < maxAttempts) throw error;
    await this.fail(cause ?? 'internal');
    if (cause === null) throw error;
    return await this.#isWaiting();
  }

  /** Reads what a slice needs; null if there is nothing to transcribe. */
  async #open(signal: AbortSignal): Promise<Slice | null> {
    const { database, recordings, models, transcriber, clock } = this.#deps;
    const { queries } = database;
    const row = await findTranscript(queries, this.#recordingId);
    if (row === undefined || (row.state !== 'waiting' && row.state !== 'running')) return null;
    const recording = await recordings.find(this.#recordingId);
    if (recording === undefined) return null;
    if (recording.deleted_at !== null || recording.state !== 'ready') {
      await this.#change({ state: 'stopped', ended_at: clock.nowMs() });
      return null;
    }
    const { isOn, hoursPerDay } = await models.settings();
    if (!isOn) throw new ProblemError('transcriber-missing');
    const today = { userId: recording.owner_id, nowMs: clock.nowMs() };
    if ((await transcribedTodayMs(queries, today)) >= hoursPerDay * hour)
      throw new ProblemError('transcription-limit');
    const sounds = await recordings.sounds(recording);
    const passages = await passagesOf(queries, this.#recordingId);
    const endMs = Math.min(row.to_ms ?? Infinity, sounds.at(-1)?.endMs ?? 0);
    const opened = { row, recording, sounds, transcriber, endMs, passages };
    return { ...opened, ...(await this.#modelOf(opened, signal)) };
  }

  /** Chooses the model, and the language if nobody has named it. */
  async #modelOf(
    { row, sounds, transcriber }: Omit<Slice, 'model'>,
    signal: AbortSignal,
  ): Promise<Pick<Slice, 'model' | 'row'>> {
    const model = await this.#requireModel(row.language);
    const isKnown = row.language !== null || row.state === 'running';
    if (isKnown || (model !== null && model.kind !== 'whisper'))
      return { model, row: await this.#markRunning(row, { model, language: row.language }) };
    const language = await guessLanguage(transcriber, { sounds, model, signal });
    if (language === 'unknown') throw new LanguageUnknown();
    const known = language === null ? model : await this.#requireModel(language);
    return { model: known, row: await this.#markRunning(row, { model: known, language }) };
  }

  async #requireModel(language: string | null): Promise<SpeechModel | null> {
    const { models, transcriber } = this.#deps;
    if (!needsModel(transcriber)) return null;
    const model = await models.modelFor(language);
    if (model !== null) return model;
    throw new ProblemError(
      (await models.modelFor(null)) === null ? 'transcriber-missing' : 'language-unsupported',
    );
  }

  async #markRunning(
    row: TranscriptRow,
    { model, language }: { model: SpeechModel | null; language: string | null },
  ): Promise<TranscriptRow> {
    const change = { state: 'running' as const, cause: null, language, model: model?.name ?? null };
    if (row.state !== 'running' || row.language !== language) await this.#change(change);
    return { ...row, ...change };
  }

  async #transcribe(
    slice: Slice,
    { signal, progressed }: { signal: AbortSignal; progressed: () => Promise<void> },
  ): Promise<Outcome> {
    const startedAtMs = performance.now();
    const ended = new AbortController();
    let cursorMs = Math.max(slice.row.from_ms, slice.row.heard_to_ms);
    const advance = async (
      chunk: StoredChunk | null,
      heard: { startMs: number; toMs: number },
    ): Promise<void> => {
      const soundMs = heard.toMs - Math.max(cursorMs, heard.startMs);
      const isStored = await this.#store(slice, { chunk, fromMs: cursorMs, toMs: heard.toMs, soundMs });
      if (isStored) cursorMs = Math.max(cursorMs, heard.toMs);
      else ended.abort(new SliceEnd());
      await progressed();
    };
    const cutsMs = slice.passages.flatMap(({ fromMs, toMs }) => (toMs === null ? [fromMs] : [fromMs, toMs]));
    for (const { sound, fromMs, toMs, isWithheld } of this.#partsOf(slice)) {
      if (toMs <= cursorMs) continue;
      const budgetMs = sound.audio.kind === 'pcm' ? fileSliceMs : sliceMs;
      if (isWithheld) await advance({ ...withheldChunk, fromMs, toMs }, { startMs: toMs, toMs });
      else
        await slice.transcriber.transcribe(
          { startMs: sound.startMs, fromMs: Math.max(cursorMs, fromMs), toMs, audio: sound.audio },
          {
            model: slice.model,
            language: slice.row.language,
            cutsMs,
            hearsAll: slice.row.hears_all === 1,
            signal: AbortSignal.any([signal, ended.signal]),
            onChunk: async (chunk, heardToMs) => {
              await advance(chunk, { startMs: fromMs, toMs: heardToMs });
              if (performance.now() - startedAtMs >= budgetMs) ended.abort(new SliceEnd());
            },
          },
        );
      await advance(null, { startMs: fromMs, toMs });
      ended.signal.throwIfAborted();
    }
    return await this.#finish(slice);
  }

  /** The parts of the sound that are transcribed, one after the other. */
  #partsOf({ sounds, row, endMs, passages, transcriber }: Slice): Part[] {
    return sounds.flatMap((sound) => {
      const fromMs = Math.max(sound.startMs, row.from_ms);
      const toMs = Math.min(sound.endMs, endMs);
      if (toMs <= fromMs) return [];
      const whole = { sound, fromMs, toMs, isWithheld: false };
      return transcriber.address === null ? [whole] : dividedAtPassages(whole, passages);
    });
  }

  /** Stores a chunk with the cursor. Returns false if the transcription must end: see `advanceTranscript`. */
  async #store(
    { recording, row }: Slice,
    {
      chunk,
      fromMs,
      toMs,
      soundMs,
    }: { chunk: StoredChunk | null; fromMs: number; toMs: number; soundMs: number },
  ): Promise<boolean> {
    const { database, clock, announce } = this.#deps;
    const heardToMs = Math.max(fromMs, Math.round(toMs));
    const nowMs = clock.nowMs();
    const isStored = await database.transaction(async (transaction) => {
      const isRunning = await advanceTranscript(transaction, {
        recordingId: row.recording_id,
        heardToMs,
        nowMs,
      });
      if (!isRunning) return false;
      const rows =
        chunk === null ? [] : rowsOfChunk(row.recording_id, chunk, linesOfWords(readableWords(chunk.words)));
      const span = { recordingId: row.recording_id, fromMs, toMs: heardToMs };
      const isSilent = chunk !== null && chunk.cause === 'no-speech' && chunk.words.length === 0;
      await replaceLines(
        transaction,
        span,
        isSilent && (await extendSilence(transaction, row.recording_id, chunk)) ? [] : rows,
      );
      await countTranscribed(transaction, {
        userId: recording.owner_id,
        nowMs,
        soundMs: Math.round(soundMs),
      });
      return true;
    });
    if (!isStored) return false;
    announce.transcriptChanged(recording.owner_id, row.recording_id);
    if (chunk !== null) this.#deps.onTranscribed?.(soundMs, outcomeOf(chunk));
    return true;
  }

  async #finish({ row, recording, endMs }: Slice): Promise<Outcome> {
    const { database, clock, announce } = this.#deps;
    const nowMs = clock.nowMs();
    await database.transaction(async (transaction) => {
      const isFinished = await changeTranscript(
        transaction,
        { recordingId: row.recording_id, from: ['running'] },
        {
          state: 'ready',
          cause: null,
          heard_to_ms: Math.max(row.from_ms, endMs),
          ended_at: nowMs,
          updated_at: nowMs,
        },
      );
      if (isFinished) await reindexRecording(transaction, row.recording_id);
    });
    announce.transcriptChanged(recording.owner_id, row.recording_id);
    return await this.#isWaiting();
  }
}

const recordingIdOf = (payload: unknown): string =>
  typeof payload === 'object' && payload !== null && 'recordingId' in payload
    ? String(payload.recordingId)
    : '';

/** The job that transcribes one recording. A server without an engine leaves it to others. */
export function transcribeJobs(deps: TranscriptsDeps): JobHandler[] {
  const { transcriber } = deps;
  if (transcriber === null || !transcriber.isInstalled()) return [];
  const of = (payload: unknown): Transcription =>
    new Transcription({ ...deps, transcriber }, recordingIdOf(payload));
  return [
    {
      kind: transcribeJob,
      lane: 'background',
      async run({ payload, attempts }, context) {
        return (await of(payload).run({ ...context, attempts })) === 'again' ? 'again' : undefined;
      },
      onSetAside: (payload) => of(payload).fail('internal'),
    },
  ];
}
