import type { Clock } from '#base/clock.ts';
import { hour } from '#base/duration.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { countDerivedBytes } from '#server/storage/rows/derived-bytes.ts';
import { removeM4a } from './media/m4a-rendition.ts';

const sweepJob = 'sweep-shares';

/** Recurring jobs and their intervals. */
export const shareSchedules = [{ kind: sweepJob, everyMs: hour }] as const;

export interface SweepDeps {
  database: Database;
  blobs: Pick<BlobStore, 'remove'>;
  clock: Clock;
}

/** Deletes the sound that was made for links that have ended. It is made again if they are extended. */
async function removeRenditions({ database, blobs }: SweepDeps, nowMs: number): Promise<void> {
  const ended = await database.queries
    .selectFrom('share_m4a')
    .innerJoin('shares', 'shares.id', 'share_m4a.share_id')
    .select(['shares.id', 'shares.recording_id', 'share_m4a.fingerprint'])
    .where((eb) => eb.or([eb('shares.ended_at', 'is not', null), eb('shares.expires_at', '<=', nowMs)]))
    .execute();
  for (const share of ended) {
    await removeM4a(blobs, share, share.fingerprint);
    await database.transaction((transaction) =>
      countDerivedBytes(transaction, share.recording_id, () =>
        transaction.deleteFrom('share_m4a').where('share_id', '=', share.id).execute(),
      ),
    );
  }
}

/** Deletes what links no longer need: visits and hashes that have expired, and sound of ended links. */
export const sweepSharesJob = (deps: SweepDeps): JobHandler => ({
  kind: sweepJob,
  lane: 'background',
  async run() {
    const nowMs = deps.clock.nowMs();
    for (const table of ['share_visits', 'ended_links'] as const)
      await deps.database.queries.deleteFrom(table).where('expires_at', '<=', nowMs).execute();
    await removeRenditions(deps, nowMs);
  },
});
