import * as contract from '#contract/transcripts-api.ts';
import type { Feature } from '#server/features/feature.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { needsModel } from '#server/transcribers/transcriber.ts';
import { putCorrection, removeCorrection } from './correct-transcript.ts';
import { findLines } from './find-lines.ts';
import { presentState, readTranscript } from './read-transcript.ts';
import { startTranscript } from './start-transcript.ts';
import { transcribeJobs } from './transcribe-job.ts';
import { changeTranscript, deleteTranscript, findTranscript } from './transcript-store.ts';
import type { TranscriptsDeps } from './transcripts-deps.ts';

async function stateOf({ transcriber, models }: TranscriptsDeps): Promise<contract.TranscriberState> {
  if (transcriber === null || !(await models.settings()).isOn) return { state: 'off', address: null };
  const { address } = transcriber;
  if (!transcriber.isInstalled()) return { state: 'engine-missing', address };
  const isReady = !needsModel(transcriber) || (await models.modelFor(null)) !== null;
  return { state: isReady ? 'ready' : 'no-model', address };
}

/** Stops a transcription that waits or runs. The running slice sees it at its next chunk. */
async function stop(
  { database, clock, announce }: TranscriptsDeps,
  of: { ownerId: string; recordingId: string },
): Promise<void> {
  const nowMs = clock.nowMs();
  const isStopped = await changeTranscript(
    database.queries,
    { recordingId: of.recordingId, from: ['waiting', 'running'] },
    { state: 'stopped', ended_at: nowMs, updated_at: nowMs },
  );
  if (isStopped) announce.transcriptChanged(of.ownerId, of.recordingId);
}

async function remove(
  { database, announce }: TranscriptsDeps,
  of: { ownerId: string; recordingId: string },
): Promise<void> {
  const isDeleted = await database.transaction(async (transaction) => {
    await lockRecordings(transaction, [of.recordingId]);
    const had = await deleteTranscript(transaction, of.recordingId);
    if (had) await reindexRecording(transaction, of.recordingId);
    return had;
  });
  if (isDeleted) announce.transcriptChanged(of.ownerId, of.recordingId);
}

function transcriptRoutes(deps: TranscriptsDeps): Route[] {
  const { access, database } = deps;
  const { queries } = database;
  return [
    route(contract.getTranscriber, async () => ({ body: await stateOf(deps) })),
    route(contract.getTranscript, async ({ principal, params: { recordingId }, query: { fromMs } }) => {
      await access.recording(principal, recordingId, 'listen');
      return { body: await readTranscript(queries, { recordingId, fromMs }) };
    }),
    route(contract.findInTranscript, async ({ principal, params: { recordingId }, query: { q } }) => {
      await access.recording(principal, recordingId, 'listen');
      return { body: await findLines(database, { recordingId, typed: q }) };
    }),
    route(contract.startTranscript, async (context) => {
      const { recordingId } = context.params;
      await startTranscript(deps, sessionOf(context), { ...context.body, recordingId });
      return { status: 202, body: presentState(await findTranscript(queries, recordingId)) };
    }),
    route(contract.stopTranscript, async ({ principal, params: { recordingId } }) => {
      const { owner_id: ownerId } = await access.recording(principal, recordingId, 'change');
      await stop(deps, { ownerId, recordingId });
      return {};
    }),
    route(contract.removeTranscript, async ({ principal, params: { recordingId } }) => {
      const { owner_id: ownerId } = await access.recording(principal, recordingId, 'change');
      await remove(deps, { ownerId, recordingId });
      return {};
    }),
    route(contract.putCorrection, async ({ principal, params: { recordingId, correctionId: id }, body }) => {
      const { created, revision } = await putCorrection(deps, principal, { ...body, id, recordingId });
      return { status: created ? 201 : 200, body: { id, revision } };
    }),
    route(contract.removeCorrection, async ({ principal, params: { recordingId, correctionId: id } }) => {
      await removeCorrection(deps, principal, { id, recordingId });
      return {};
    }),
  ];
}

/** Builds the transcripts feature: the words of recordings, and what users write in their place. */
export const createTranscripts = (deps: TranscriptsDeps): Feature => ({
  routes: transcriptRoutes(deps),
  jobs: transcribeJobs(deps),
});
