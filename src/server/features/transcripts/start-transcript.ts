import { hour } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { startTranscript as startEndpoint } from '#contract/transcripts-api.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import { needsModel } from '#server/transcribers/transcriber.ts';
import { findTranscript, transcribedTodayMs } from './transcript-store.ts';
import { transcribeJob, type TranscriptsDeps } from './transcripts-deps.ts';

type Wanted = ParsedBodyOf<typeof startEndpoint>;

/** The primary subtag, which speech models know a language by. */
const primaryOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag;

/** Rejects a part that is no part of the recording. */
function rejectPart({ fromMs = 0, toMs }: Wanted, durationMs: number): void {
  if (fromMs >= durationMs) throw rejectField('/fromMs', 'too-large', { largest: durationMs - 1 });
  if (toMs !== undefined && toMs < fromMs + limits.transcript.minSpanMs)
    throw rejectField('/toMs', 'too-small', { smallest: fromMs + limits.transcript.minSpanMs });
}

/** Rejects what this server cannot or may not transcribe. */
async function rejectUnsupported(
  { transcriber, models, database, clock }: TranscriptsDeps,
  {
    userId,
    language,
    agreesToAddress,
  }: { userId: string; language: string | null } & Pick<Wanted, 'agreesToAddress'>,
): Promise<void> {
  const { isOn, hoursPerDay } = await models.settings();
  if (transcriber === null || !isOn || !transcriber.isInstalled())
    throw new ProblemError('transcriber-missing');
  if (transcriber.address !== null && agreesToAddress !== transcriber.address)
    throw new ProblemError('transcriber-needs-agreement');
  if (needsModel(transcriber)) {
    if ((await models.modelFor(null)) === null) throw new ProblemError('transcriber-missing');
    if (language !== null && (await models.modelFor(language)) === null)
      throw new ProblemError('language-unsupported');
  }
  const todayMs = await transcribedTodayMs(database.queries, { userId, nowMs: clock.nowMs() });
  if (todayMs >= hoursPerDay * hour) throw new ProblemError('transcription-limit');
}

async function store(
  queries: Queries,
  {
    recordingId,
    language,
    wanted,
    nowMs,
  }: { recordingId: string; language: string | null; wanted: Wanted; nowMs: number },
): Promise<boolean> {
  const before = await findTranscript(queries, recordingId);
  if (before?.state === 'waiting' || before?.state === 'running') return false;
  const fromMs = wanted.fromMs ?? 0;
  const started = {
    state: 'waiting' as const,
    language,
    model: null,
    from_ms: fromMs,
    to_ms: wanted.toMs ?? null,
    hears_all: wanted.hearsAll ? 1 : 0,
    heard_to_ms: fromMs,
    cause: null,
    revision: (before?.revision ?? 0) + 1,
    updated_at: nowMs,
    ended_at: null,
  };
  await queries
    .insertInto('transcripts')
    .values({ ...started, recording_id: recordingId, created_at: nowMs })
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(started))
    .execute();
  return true;
}

/**
 * Starts the transcription of a recording, or of a part. One that waits or runs is left as it is.
 * @throws ProblemError see `startTranscript` of the contract
 */
export async function startTranscript(
  deps: TranscriptsDeps,
  principal: SessionPrincipal,
  { recordingId, ...wanted }: Wanted & { recordingId: string },
): Promise<void> {
  const { access, database, recordings, queue, clock, announce } = deps;
  await access.recording(principal, recordingId, 'change');
  const recording = await recordings.find(recordingId);
  if (recording === undefined || recording.deleted_at !== null) throw new ProblemError('not-found');
  if (isUnfinished(recording) || recording.state === 'finishing') throw new ProblemError('still-recording');
  if (recording.state === 'failed') throw new ProblemError('unreadable-audio');
  rejectPart(wanted, recording.duration_ms);
  const spoken = wanted.language ?? recording.language;
  const language = spoken === null ? null : primaryOf(spoken);
  await rejectUnsupported(deps, {
    userId: principal.userId,
    language,
    agreesToAddress: wanted.agreesToAddress,
  });
  await recordings.sounds(recording);
  const isStarted = await database.transaction(async (transaction) => {
    const isNew = await store(transaction, { recordingId, language, wanted, nowMs: clock.nowMs() });
    if (isNew)
      await queue.enqueue(transaction, {
        kind: transcribeJob,
        payload: { recordingId },
        userId: principal.userId,
        dedupeKey: recordingId,
      });
    return isNew;
  });
  if (!isStarted) return;
  queue.wake();
  announce.transcriptChanged(principal.userId, recordingId);
}
