import { type HotDatabase, nowMs } from './hot-database.ts';

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
  /** When the lease ends, by the clock of the database. Every claim and extension has a later time, which identifies it. */
  leasedUntil: number;
}

export const claimedColumns = `blobs.id, blobs.key, blobs.size_bytes as "sizeBytes",
  blobs.cold_bytes as "coldBytes", blobs.version, blobs.leased_until as "leasedUntil"`;

/** After this time, another process may move the blob: the first one has died, or is slower than a new attempt. */
export const leaseMs = 60_000;

/** The lease ran out, and another process has claimed the blob since. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** Ends a claim, so that any process may claim the blob at once. Does nothing if another process has claimed it since. */
export async function releaseClaim(
  database: HotDatabase,
  { id, leasedUntil }: Readonly<ClaimedBlob>,
): Promise<void> {
  await database.queries.query('update blobs set leased_until = 0 where id = $1 and leased_until = $2', [
    id,
    leasedUntil,
  ]);
}

/**
 * Extends a claim to end `durationMs` from now.
 * @throws ClaimLostError when another process has claimed the blob since
 */
export async function extendClaim(
  database: HotDatabase,
  blob: ClaimedBlob,
  durationMs: number,
): Promise<void> {
  const { rows } = await database.queries.query<Pick<ClaimedBlob, 'leasedUntil'>>(
    `update blobs set leased_until = greatest(${nowMs} + $3::bigint, leased_until + 1)
      where id = $1 and leased_until = $2 returning leased_until as "leasedUntil"`,
    [blob.id, blob.leasedUntil, durationMs],
  );
  const [row] = rows;
  if (row === undefined) throw new ClaimLostError(`another process has claimed ${blob.key}`);
  blob.leasedUntil = row.leasedUntil;
}

/** The value of `leased_until` that ends the claim in parameter `at` of a statement, and no later one of another process. */
export const releasedUnlessTaken = (at: number): string =>
  `case when leased_until = $${at} then 0 else leased_until end`;
