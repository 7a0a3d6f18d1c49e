import { z } from 'zod';
import { hour } from '#base/duration.ts';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import * as store from '#server/features/recordings/recordings-store.ts';
import { judgementVersion, judgementVersionOfReadable } from './classify-file.ts';
import { type ImportJobDeps, publishRejudged } from './publish-import.ts';

const judgeJob = 'judge-import';
const findJob = 'find-unjudged-imports';
/** After this many attempts the import keeps its previous state. */
const maxAttempts = 3;
const payloadSchema = z.object({ recordingId: z.string() });

/** How often the server looks for imports that were judged by older rules. */
export const judgeSchedules = [{ kind: findJob, everyMs: hour }] as const;

export type JudgeAgainDeps = ImportJobDeps & { findFfmpeg: () => Promise<string | null> };

const nextUnjudged = ({ queries }: Database): Promise<{ id: string; owner_id: string } | undefined> =>
  queries
    .selectFrom('imported_files')
    .innerJoin('recordings', 'recordings.id', 'imported_files.recording_id')
    .select(['recordings.id', 'recordings.owner_id'])
    .where((eb) =>
      eb.or([
        eb.and([
          eb('imported_files.judged_version', '<', judgementVersionOfReadable),
          eb('recordings.state', '=', 'ready'),
        ]),
        eb.and([
          eb('imported_files.judged_version', '<', judgementVersion),
          eb('recordings.state', '=', 'failed'),
        ]),
      ]),
    )
    .orderBy('imported_files.judged_version')
    .orderBy('imported_files.recording_id')
    .limit(1)
    .executeTakeFirst();

/**
 * Enqueues the next import. Each job enqueues its successor, so at most one is queued or running.
 * @param known the number of such jobs that exist anyway: 1 if called by one
 */
async function enqueueNext({ database, queue, findFfmpeg }: JudgeAgainDeps, known: 0 | 1): Promise<void> {
  if ((await findFfmpeg()) === null) return;
  const waiting = await database.queries
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', judgeJob)
    .where('state', 'in', ['queued', 'running'])
    .limit(2)
    .execute();
  if (waiting.length > known) return;
  const next = await nextUnjudged(database);
  if (next === undefined) return;
  await queue.enqueue(database.queries, {
    kind: judgeJob,
    payload: { recordingId: next.id },
    userId: next.owner_id,
    dedupeKey: next.id,
  });
  queue.wake();
}

const markJudged = (database: Database, recordingId: string): Promise<void> =>
  store.updateFile(database.queries, recordingId, { judged_version: judgementVersion });

async function judgeAgain(deps: JudgeAgainDeps, id: string, signal: AbortSignal): Promise<void> {
  const row = await store.findAny(deps.database.queries, id);
  if (row?.source !== 'import' || (row.state !== 'ready' && row.state !== 'failed')) return;
  await deps.reserve.admit(0);
  const stored = await deps.uploads.storedSegments(id);
  const { prepared } = await deps.prepareImport(stored, { signal });
  // An import that could be played must stay playable, even without a reason for the failure.
  if (prepared.kind === 'audio' && (row.state === 'failed' || prepared.rendition !== 'failed'))
    await publishRejudged(deps, row, { stored, prepared });
  await markJudged(deps.database, id);
}

/**
 * The jobs that judge imports of older versions again, one at a time. The files stay unchanged; everything derived
 * from them is made again.
 */
export function judgeAgainJobs(deps: JudgeAgainDeps): JobHandler[] {
  const markAndContinue = async (payload: unknown): Promise<void> => {
    await markJudged(deps.database, payloadSchema.parse(payload).recordingId);
    await enqueueNext(deps, 0);
  };
  return [
    { kind: findJob, lane: 'background', run: () => enqueueNext(deps, 0) },
    {
      kind: judgeJob,
      lane: 'background',
      onSetAside: markAndContinue,
      async run({ payload, attempts }, { signal }) {
        try {
          await judgeAgain(deps, payloadSchema.parse(payload).recordingId, signal);
        } catch (error) {
          if (attempts < maxAttempts || isStorageOutage(error) || signal.aborted) throw error;
          // The import is still played as before.
          await markJudged(deps.database, payloadSchema.parse(payload).recordingId);
        }
        await enqueueNext(deps, 1);
      },
    },
  ];
}
