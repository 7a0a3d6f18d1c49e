import type { ClientBase } from 'pg';
import { minute } from '#base/duration.ts';
import { sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { newObjectName } from './blob-changes.ts';
import { hotBlobs, insertObject, readPieces } from './blob-rows.ts';
import { type HotDatabase, nowMs } from './hot-database.ts';
import {
  claimedColumns,
  type ClaimedBlob,
  leaseMs,
  type OnMoveStep,
  releaseClaim,
  releasedUnlessTaken,
} from './move-steps.ts';
import type { UnreferencedObjects } from './unreferenced-objects.ts';

/** Which tails are moved. */
export interface DueTails {
  /** Those of this size. */
  atBytes: number;
  /** Those that have not grown for this time. */
  afterMs: number;
  /**
   * Those that have not been moved for half of this time to all of it, so that takes that began together are not
   * moved together. Slow streams, such as peaks, would become many small rows.
   */
  everyMs: number;
}

/** An hour of sound at the usual quality makes four or five objects, and its peaks two to four. */
export const defaultDueTails: DueTails = {
  atBytes: 5 * 1024 * 1024,
  afterMs: 15 * minute,
  everyMs: 30 * minute,
};

/** Bounds the memory of one move. A longer tail is moved in several. */
const maxObjectBytes = 16 * 1024 * 1024;
const movesAtOnce = 4;

/** Differs from blob to blob, and is the same on each server. */
const ownInterval = '$3::bigint * (64 + blobs.id % 65) / 128';

const claimDue = `
with ${hotBlobs}, due as (
  select blobs.id from hot join blobs on blobs.id = hot.blob_id
  where blobs.leased_until < ${nowMs} and blobs.epoch < ${sealedEpoch}
    and (blobs.size_bytes - blobs.cold_bytes >= $1 or blobs.changed_at <= ${nowMs} - $2::bigint
      or blobs.moved_at <= ${nowMs} - ${ownInterval})
  order by blobs.size_bytes - blobs.cold_bytes desc
  limit ${movesAtOnce} for update of blobs skip locked
)
update blobs set leased_until = ${nowMs} + ${leaseMs} from due where blobs.id = due.id
returning ${claimedColumns}`;

export interface TailMoverDeps {
  database: HotDatabase;
  objects: ObjectStore;
  unreferenced: UnreferencedObjects;
  onStep: OnMoveStep;
}

/** Moves tails from rows to objects. Any number of servers may do so at once. */
export class TailMover {
  readonly #deps: TailMoverDeps;

  constructor(deps: TailMoverDeps) {
    this.#deps = deps;
  }

  /**
   * Moves up to four due tails.
   * @returns how many were moved
   */
  async moveDue({ atBytes, afterMs, everyMs }: DueTails): Promise<number> {
    const { rows } = await this.#deps.database.queries.query<ClaimedBlob>({
      name: 'claim-due-tails',
      text: claimDue,
      values: [atBytes, afterMs, everyMs],
    });
    const results = await Promise.allSettled(rows.map((blob) => this.#moveOrRelease(blob)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return results.filter((result) => result.status === 'fulfilled' && result.value).length;
  }

  async #moveOrRelease(blob: ClaimedBlob): Promise<boolean> {
    try {
      return await this.#move(blob);
    } catch (error) {
      await releaseClaim(this.#deps.database, blob).catch(() => undefined);
      throw error;
    }
  }

  /** Returns false if the blob has changed since it was claimed. */
  async #move(blob: ClaimedBlob): Promise<boolean> {
    const { onStep, unreferenced, objects, database } = this.#deps;
    await onStep('claimed');
    const pieces = await readPieces(database.queries, blob, {
      startByte: blob.coldBytes,
      endByteExclusive: Math.min(blob.sizeBytes, blob.coldBytes + maxObjectBytes),
    });
    const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
    // If it still has a tail, that is claimed again.
    if (pieces[0]?.atByte !== blob.coldBytes || bytes.length === 0) {
      await releaseClaim(database, blob);
      return false;
    }
    await onStep('read');
    const name = newObjectName(`${blob.key}.${blob.coldBytes}-${blob.coldBytes + bytes.length}`);
    await unreferenced.announce(name);
    await onStep('announced');
    await objects.put(name, bytes);
    await onStep('stored');
    await unreferenced.referTo(name, async (client) => {
      const isMoved = await replacePieces(client, blob, { name, sizeBytes: bytes.length });
      await onStep('committing');
      return isMoved;
    });
    await onStep('committed');
    return true;
  }
}

/** Returns false if the blob was cut, replaced, removed or moved since it was claimed. */
async function replacePieces(
  client: ClientBase,
  { id, coldBytes, version, leasedUntil }: ClaimedBlob,
  { name, sizeBytes }: { name: string; sizeBytes: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update blobs set cold_bytes = $4, moved_at = ${nowMs}, leased_until = ${releasedUnlessTaken(5)}
      where id = $1 and cold_bytes = $2 and version = $3`,
    [id, coldBytes, version, coldBytes + sizeBytes, leasedUntil],
  );
  if (rowCount !== 1) return false;
  await insertObject(client, id, { atByte: coldBytes, sizeBytes, name });
  await client.query('delete from blob_pieces where blob_id = $1 and at_byte >= $2 and at_byte < $3', [
    id,
    coldBytes,
    coldBytes + sizeBytes,
  ]);
  return true;
}
