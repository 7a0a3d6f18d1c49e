import { sql } from 'kysely';
import { BatchedReads } from '#base/batched-reads.ts';
import { minute, second } from '#base/duration.ts';
import { RecentReads } from '#base/recent-reads.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { isOneOf, prepared } from '#server/storage/database/prepared.ts';
import type { UploadRow } from '#server/storage/database/schema.ts';

/**
 * `storedBytes`: the bytes that the database counts already; for an import or a restored recording the announced
 * size.
 */
interface Growing {
  storedBytes: number;
  landedBytes: number;
}
type Account = Map<string, Growing>;
type OpenOrSealed = Pick<UploadRow, 'recording_id' | 'stream' | 'segment_index' | 'size_bytes' | 'sealed_at'>;

/** How long the counts of this server are used where others append as well. */
const trustedMs = 10 * second;

function uncountedIn(account: Account): number {
  let bytes = 0;
  for (const { storedBytes, landedBytes } of account.values())
    bytes += Math.max(0, landedBytes - storedBytes);
  return bytes;
}

/**
 * Counts the appended bytes of recordings that are still receiving. The counts are in memory and are read from the
 * blob store when a user's are first needed after a start, so they are exact even after a crash. Where other servers
 * append as well, they are read again after ten seconds. Other recordings are counted in the database.
 */
export class LandedBytes {
  readonly #blobs: BlobStore;
  readonly #accounts: RecentReads<string, Account>;
  readonly #batched = new WeakMap<Queries, BatchedReads<Account>>();

  /** @param nowMs a clock that never goes back */
  constructor(blobs: BlobStore, nowMs: () => number = () => performance.now()) {
    this.#blobs = blobs;
    this.#accounts = new RecentReads({ idleMs: 10 * minute, nowMs });
  }

  /** The bytes of a user's growing recordings that the database does not count yet. */
  async uncountedOf(queries: Queries, ownerId: string): Promise<number> {
    return uncountedIn(await this.#accountOf(queries, ownerId));
  }

  /** The same for each recording. */
  async uncountedOfEach(queries: Queries, ownerId: string): Promise<ReadonlyMap<string, number>> {
    return new Map(
      [...(await this.#accountOf(queries, ownerId))].map(([id, growing]) => [
        id,
        uncountedIn(new Map([[id, growing]])),
      ]),
    );
  }

  /**
   * The count of a recording that receives or starts to receive again. `uncounted` returns the current value of
   * `uncountedOf`.
   */
  async growing(
    queries: Queries,
    { ownerId, recordingId }: { ownerId: string; recordingId: string },
  ): Promise<{ growing: Growing; uncounted: () => number }> {
    const account = await this.#accounts.getTogether(ownerId, this.#terms(queries));
    return {
      growing: account.get(recordingId) ?? (await this.#start(queries, { account, recordingId })),
      uncounted: () => uncountedIn(account),
    };
  }

  /** Reads accounts together that are due in one task. */
  #batchedOf(queries: Queries): BatchedReads<Account> {
    const batched = this.#batched.get(queries);
    if (batched !== undefined) return batched;
    const created = new BatchedReads<Account>((ids) => this.#readAccounts(queries, ids));
    this.#batched.set(queries, created);
    return created;
  }

  async #start(
    queries: Queries,
    { account, recordingId }: { account: Account; recordingId: string },
  ): Promise<Growing> {
    const row = await queries
      .selectFrom('recordings')
      .select(['id', 'stored_bytes'])
      .where('id', '=', recordingId)
      .executeTakeFirst();
    const read = row && (await this.#read(queries, [row])).get(recordingId);
    const growing = account.get(recordingId) ?? read ?? { storedBytes: 0, landedBytes: 0 };
    account.set(recordingId, growing);
    return growing;
  }

  /** Call when a recording no longer receives or was deleted; from then on the database counts it. */
  async forget(ownerId: string, recordingId: string): Promise<void> {
    const account = await this.#accounts.known(ownerId);
    account?.delete(recordingId);
  }

  #accountOf(queries: Queries, ownerId: string): Promise<Account> {
    return this.#accounts.get(ownerId, this.#terms(queries));
  }

  #terms(queries: Queries): { trustedMs: number; read: (ownerId: string) => Promise<Account> } {
    return {
      trustedMs: this.#blobs.hasOtherWriters ? trustedMs : Infinity,
      read: async (ownerId) => (await this.#batchedOf(queries).read(ownerId)) ?? new Map(),
    };
  }

  /** Reads the receiving recordings of several accounts with two statements. */
  async #readAccounts(queries: Queries, ownerIds: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    const rows = await queries
      .selectFrom('recordings')
      .select(['id', 'owner_id', 'stored_bytes'])
      .where((eb) => isOneOf(queries, eb.ref('owner_id'), ownerIds))
      .where('state', '=', sql.lit('receiving'))
      .modifyEnd(prepared)
      .execute();
    const growing = await this.#read(queries, rows);
    const accounts = new Map<string, Account>(ownerIds.map((id) => [id, new Map()]));
    for (const { id, owner_id: ownerId } of rows) {
      const read = growing.get(id);
      if (read !== undefined) accounts.get(ownerId)?.set(id, read);
    }
    return accounts;
  }

  async #read(
    queries: Queries,
    rows: readonly { id: string; stored_bytes: number }[],
  ): Promise<ReadonlyMap<string, Growing>> {
    const recordings = new Map(
      rows.map(({ id, stored_bytes: storedBytes }) => [id, { storedBytes, landedBytes: 0 }]),
    );
    if (rows.length === 0) return recordings;
    const uploads = await queries
      .selectFrom('uploads')
      .select(['recording_id', 'stream', 'segment_index', 'size_bytes', 'sealed_at'])
      .where((eb) => isOneOf(queries, eb.ref('recording_id'), [...recordings.keys()]))
      .modifyEnd(prepared)
      .execute();
    await Promise.all(
      uploads.map(async (upload) => {
        const sizeBytes = await this.#sizeOf(upload);
        const growing = recordings.get(upload.recording_id);
        if (growing !== undefined) growing.landedBytes += sizeBytes;
      }),
    );
    return recordings;
  }

  async #sizeOf(upload: OpenOrSealed): Promise<number> {
    const { recording_id: recordingId, stream, segment_index: index } = upload;
    if (upload.sealed_at !== null && upload.size_bytes !== null) return upload.size_bytes;
    return (await this.#blobs.head(blobKeyOf({ recordingId, stream, index })))?.sizeBytes ?? 0;
  }
}
