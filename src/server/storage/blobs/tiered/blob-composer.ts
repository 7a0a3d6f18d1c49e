import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { hour } from '#base/duration.ts';
import { BlobDamagedError, sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { newObjectName } from './blob-changes.ts';
import type { BlobReader } from './blob-reader.ts';
import { hotBlobs, insertObject } from './blob-rows.ts';
import { type HotDatabase, nowMs } from './hot-database.ts';
import {
  claimedColumns,
  type ClaimedBlob,
  ClaimLostError,
  extendClaim,
  leaseMs,
  type OnMoveStep,
  releaseClaim,
  releasedUnlessTaken,
} from './move-steps.ts';
import { dropBytes, type UnreferencedObjects } from './unreferenced-objects.ts';

/** The parts of a large object, and the size up to which an object is stored in one call. */
const partBytes = 32 * 1024 * 1024;
/** How long a blob of which bytes are missing is left alone. */
const damagedLeaseMs = hour;
const checkedPieceBytes = 4 * 1024 * 1024;

const claimSealed = `
with ${hotBlobs}, scattered (blob_id) as (
  select blob_id from hot where blob_id is not null
  union
  select blob_id from blob_objects where at_byte > 0
), due as (
  select blobs.id from scattered join blobs on blobs.id = scattered.blob_id
  where blobs.leased_until < ${nowMs} and blobs.epoch = ${sealedEpoch}
  order by blobs.leased_until limit 1 for update of blobs skip locked
)
update blobs set leased_until = ${nowMs} + ${leaseMs} from due where blobs.id = due.id
returning ${claimedColumns}`;

export interface BlobComposerDeps {
  database: HotDatabase;
  objects: ObjectStore;
  unreferenced: UnreferencedObjects;
  reader: BlobReader;
  onStep: OnMoveStep;
}

/** Makes one object of each sealed blob, so that other tools find whole files in the bucket. */
export class BlobComposer {
  readonly #deps: BlobComposerDeps;

  constructor(deps: BlobComposerDeps) {
    this.#deps = deps;
  }

  /**
   * Composes one sealed blob that is in pieces or in several objects.
   * @param signal ends it before the next part; the blob is unchanged then
   * @returns whether there was one
   * @throws Error when the object store returns other bytes than were stored; the blob is unchanged then
   */
  async composeNext(signal?: AbortSignal): Promise<boolean> {
    const { rows } = await this.#deps.database.queries.query<ClaimedBlob>({
      name: 'claim-sealed',
      text: claimSealed,
    });
    const [blob] = rows;
    if (blob === undefined) return false;
    try {
      await this.#compose(blob, signal);
    } catch (error) {
      // Another server continues at once.
      if (signal?.aborted === true) await releaseClaim(this.#deps.database, blob);
      await this.#postpone(blob, error);
    }
    return true;
  }

  /** @throws the error, unless the blob can be left alone and the next one composed */
  async #postpone(blob: ClaimedBlob, error: unknown): Promise<void> {
    // Another server composes it.
    if (error instanceof ClaimLostError) return;
    // Verification reports it. The others must not wait for it.
    if (!(error instanceof BlobDamagedError)) throw error;
    try {
      await extendClaim(this.#deps.database, blob, damagedLeaseMs);
    } catch (lost) {
      if (!(lost instanceof ClaimLostError)) throw lost;
    }
  }

  async #compose(blob: ClaimedBlob, signal: AbortSignal | undefined): Promise<void> {
    const { onStep, unreferenced } = this.#deps;
    await onStep('claimed');
    const name = newObjectName(blob.key);
    const isMultipart = blob.sizeBytes > partBytes;
    await unreferenced.announce(name, { isMultipart });
    await onStep('announced');
    const hash = await this.#store(blob, name, { isMultipart, signal });
    await onStep('stored');
    if ((await this.#hashOf(blob, name, signal)) !== hash)
      throw new Error(`the object store returns other bytes of ${name} than it was sent`);
    await onStep('read');
    await unreferenced.referTo(name, async (client) => {
      const isComposed = await replaceBytes(client, blob, name);
      await onStep('committing');
      return isComposed;
    });
    await onStep('committed');
  }

  /** Stores the whole blob as one object. Returns the hash of the bytes that were sent. */
  async #store(
    blob: ClaimedBlob,
    name: string,
    { isMultipart, signal }: { isMultipart: boolean; signal: AbortSignal | undefined },
  ): Promise<string> {
    const hash = createHash('sha256');
    const parts = this.#partsOf(blob, (bytes) => {
      signal?.throwIfAborted();
      hash.update(bytes);
    });
    if (isMultipart) await this.#deps.objects.putParts(name, parts);
    else for await (const whole of parts) await this.#deps.objects.put(name, whole);
    return hash.digest('hex');
  }

  async *#partsOf(blob: ClaimedBlob, onBytes: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array> {
    let [pieces, sizeBytes, totalBytes]: [Uint8Array[], number, number] = [[], 0, 0];
    for await (const piece of this.#deps.reader.all(blob.key)) {
      pieces.push(piece);
      sizeBytes += piece.byteLength;
      totalBytes += piece.byteLength;
      onBytes(piece);
      // All pieces of a stream but the last have the same size, which divides that of a part.
      if (sizeBytes < partBytes) continue;
      yield Buffer.concat(pieces, sizeBytes);
      [pieces, sizeBytes] = [[], 0];
      await extendClaim(this.#deps.database, blob, leaseMs);
    }
    if (sizeBytes > 0) yield Buffer.concat(pieces, sizeBytes);
    if (totalBytes !== blob.sizeBytes) throw new Error(`${blob.key} changed while it was being composed`);
  }

  async #hashOf(blob: ClaimedBlob, name: string, signal: AbortSignal | undefined): Promise<string> {
    const hash = createHash('sha256');
    for (let startByte = 0; startByte < blob.sizeBytes; startByte += checkedPieceBytes) {
      signal?.throwIfAborted();
      const endByteExclusive = Math.min(blob.sizeBytes, startByte + checkedPieceBytes);
      hash.update(await this.#deps.objects.get(name, { startByte, endByteExclusive }));
      if (startByte % partBytes === 0) await extendClaim(this.#deps.database, blob, leaseMs);
    }
    return hash.digest('hex');
  }
}

/** Returns false if the blob is no longer the one that was composed. */
async function replaceBytes(
  client: ClientBase,
  { id, sizeBytes, version, leasedUntil }: ClaimedBlob,
  name: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update blobs set cold_bytes = size_bytes, leased_until = ${releasedUnlessTaken(4)}
      where id = $1 and version = $2 and size_bytes = $3 and epoch = ${sealedEpoch}`,
    [id, version, sizeBytes, leasedUntil],
  );
  if (rowCount !== 1) return false;
  await dropBytes(client, [id]);
  await insertObject(client, id, { atByte: 0, sizeBytes, name });
  return true;
}
