import type { HotDatabase } from './hot-database.ts';

/** The steps of moving a tail, or of composing an object. A process can die after any of them. */
export type MoveStep = 'claimed' | 'read' | 'announced' | 'stored' | 'committing' | 'committed';

/** Called at each step; a test throws here, or changes the blob. */
export type OnMoveStep = (step: MoveStep) => void | Promise<void>;

/** A blob that this process may move until its lease ends. Other processes skip it. */
export interface ClaimedBlob {
  id: number;
  key: string;
  sizeBytes: number;
  coldBytes: number;
  version: number;
}

export const claimedColumns = `blobs.id, blobs.key, blobs.size_bytes as "sizeBytes",
  blobs.cold_bytes as "coldBytes", blobs.version`;

/** After this time, another process may move the blob: the first one has died, or is slower than a new attempt. */
export const leaseMs = 60_000;

/** Ends a claim, so that any process may claim the blob at once. */
export async function releaseClaim(database: HotDatabase, { id }: ClaimedBlob): Promise<void> {
  await database.queries.query('update blobs set leased_until = 0 where id = $1', [id]);
}
