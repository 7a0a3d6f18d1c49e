import { createHash } from 'node:crypto';
import { type BackupSource, type BackupTarget, keyOfContent } from '#server/storage/backups/backup-target.ts';
import { type BlobHead, type BlobStore, isDamagedBlob } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { WantedBlob } from '#server/features/backups/copy/wanted-blobs.ts';
import { type BlobEntry, contentsOf } from '#server/features/backups/format/blob-entry.ts';
import type { FileSum } from '#server/features/backups/format/values.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { chunkBytes, cutIntoChunks } from './chunks.ts';

const copiedAtOnce = 64;

/** The blob cannot be read; the backup continues with the others. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** Reads a blob; errors of the source are told apart from those of the target. */
async function* bytesOf(
  blobs: BlobStore,
  { key, sizeBytes, signal }: { key: string; sizeBytes: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const stream = blobs.stream(key, { startByte: 0, endByteExclusive: sizeBytes });
  try {
    for await (const bytes of stream as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      yield bytes;
    }
  } catch (error) {
    const isLost = isDamagedBlob(error) || (await blobs.head(key)) === null;
    throw isLost ? new UnreadableError(key, { cause: error }) : error;
  }
}

export interface CopyDeps {
  blobs: BlobStore;
  target: BackupTarget;
  signal: AbortSignal;
}

export interface CopiedBlobs {
  count: number;
  sizeBytes: number;
  damagedCount: number;
  /** A file that the server makes was replaced or deleted since the snapshot. */
  isOutdated: boolean;
  /** A stream is stored in chunks. */
  hasChunks: boolean;
  copied: { count: number; sizeBytes: number };
}

/** What the target has of a blob. */
type StoredBlob = Pick<BlobEntry, 'sha256' | 'sizeBytes' | 'chunks'>;

/** Returns what the target should have of a blob if that is known without reading it. */
function knownOf(
  wanted: WantedBlob,
  { head, before, sizeBytes }: { head: BlobHead | null; before: BlobEntry | undefined; sizeBytes: number },
): StoredBlob | null {
  if (wanted.sha256 !== null) return { sha256: wanted.sha256, sizeBytes };
  const isUnchanged =
    head !== null && before?.sizeBytes === head.sizeBytes && before.changedAtMs === head.changedAtMs;
  return isUnchanged && before.sha256 !== null ? before : null;
}

/** Copies blobs to a target that has most of them. */
export class BlobCopier {
  readonly #deps: CopyDeps;
  readonly totals: CopiedBlobs = {
    count: 0,
    sizeBytes: 0,
    damagedCount: 0,
    isOutdated: false,
    hasChunks: false,
    copied: { count: 0, sizeBytes: 0 },
  };

  constructor(deps: CopyDeps) {
    this.#deps = deps;
  }

  /**
   * Copies the wanted blobs and yields what the target has of each.
   * @param before the blobs of an earlier snapshot, in the same order: those that have not changed are not read
   */
  async *copy(
    wanted: AsyncIterable<WantedBlob>,
    before: AsyncIterable<BlobEntry>,
  ): AsyncGenerator<BlobEntry> {
    const earlier = new EarlierEntries(before);
    let batch: { wanted: WantedBlob; before: BlobEntry | undefined }[] = [];
    for await (const each of wanted) {
      batch.push({ wanted: each, before: await earlier.find(each) });
      if (batch.length < copiedAtOnce) continue;
      yield* await this.#copyBatch(batch);
      batch = [];
    }
    yield* await this.#copyBatch(batch);
    await earlier.close();
  }

  async #copyBatch(
    batch: readonly { wanted: WantedBlob; before: BlobEntry | undefined }[],
  ): Promise<BlobEntry[]> {
    this.#deps.signal.throwIfAborted();
    const entries = await mapInBatches(batch, (each) => this.#copyOne(each.wanted, each.before));
    return entries.filter((entry) => entry !== null);
  }

  async #copyOne(wanted: WantedBlob, before: BlobEntry | undefined): Promise<BlobEntry | null> {
    const head = wanted.of === 'sealed' ? null : await this.#deps.blobs.head(wanted.key);
    if (wanted.of === 'optional' && head === null) return null;
    if (wanted.of === 'made' && head?.sizeBytes !== wanted.sizeBytes) this.totals.isOutdated = true;
    const sizeBytes = wanted.sizeBytes ?? head?.sizeBytes ?? 0;
    return (
      (await this.#entryOfStored(wanted, { head, before, sizeBytes })) ??
      (await this.#read(wanted, head, sizeBytes))
    );
  }

  async #has({ sha256, sizeBytes }: FileSum): Promise<boolean> {
    return (await this.#deps.target.sizeOf(keyOfContent(sha256))) === sizeBytes;
  }

  /** Returns the entry of a blob whose content the target has already; null if it has to be read. */
  async #entryOfStored(
    wanted: WantedBlob,
    present: { head: BlobHead | null; before: BlobEntry | undefined; sizeBytes: number },
  ): Promise<BlobEntry | null> {
    const known = knownOf(wanted, present);
    if (known === null) return null;
    for (const content of contentsOf(known)) if (!(await this.#has(content))) return null;
    return this.#count(wanted, known, { changedAtMs: present.head?.changedAtMs ?? null });
  }

  async #store(source: BackupSource): Promise<FileSum> {
    const { isNew, ...stored } = await this.#deps.target.store(source);
    if (isNew) {
      this.totals.copied.count += 1;
      this.totals.copied.sizeBytes += stored.sizeBytes;
    }
    return stored;
  }

  /**
   * Stores a stream that is still growing in chunks. All but the last are the same in the next backup. All of it is
   * read, because bytes at the end may have been replaced after a crash.
   */
  async #storeChunks(source: BackupSource): Promise<StoredBlob> {
    const whole = createHash('sha256');
    const chunks: FileSum[] = [];
    let sizeBytes = 0;
    for await (const bytes of cutIntoChunks(source)) {
      whole.update(bytes);
      sizeBytes += bytes.length;
      const chunk = { sha256: hashOf(bytes), sizeBytes: bytes.length };
      if (!(await this.#has(chunk))) await this.#store(once(bytes));
      chunks.push(chunk);
    }
    return { sha256: whole.digest('hex'), sizeBytes, chunks };
  }

  async #read(wanted: WantedBlob, head: BlobHead | null, sizeBytes: number): Promise<BlobEntry> {
    const { blobs, signal } = this.#deps;
    const changedAtMs = head?.changedAtMs ?? null;
    try {
      // A server that died between registering an upload and creating its blob has no file for no bytes.
      const source = sizeBytes === 0 ? nothing() : bytesOf(blobs, { key: wanted.key, sizeBytes, signal });
      const hasChunks = wanted.of === 'growing' && sizeBytes > chunkBytes;
      const stored = await (hasChunks ? this.#storeChunks(source) : this.#store(source));
      return this.#count(wanted, stored, { changedAtMs });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return this.#count(wanted, { sha256: null, sizeBytes: 0 }, { changedAtMs });
    }
  }

  #count(
    { ownerId, kind, key, of, sha256: expected, sizeBytes: expectedBytes }: WantedBlob,
    { sha256, sizeBytes, chunks }: StoredBlob,
    { changedAtMs }: { changedAtMs: number | null },
  ): BlobEntry {
    const isDamaged =
      sha256 === null ||
      (of === 'sealed' && expected !== null && sha256 !== expected) ||
      (of === 'made' && sizeBytes !== expectedBytes);
    this.totals.count += 1;
    this.totals.sizeBytes += sizeBytes;
    if (isDamaged) this.totals.damagedCount += 1;
    if (chunks !== undefined) this.totals.hasChunks = true;
    return {
      ownerId,
      kind,
      key,
      sha256,
      sizeBytes,
      changedAtMs,
      isDamaged,
      ...(chunks === undefined ? {} : { chunks }),
    };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}

/** Finds entries of an earlier snapshot while both are read in order. */
class EarlierEntries {
  readonly #entries: AsyncIterator<BlobEntry>;
  #next: BlobEntry | null | undefined;
  /** The entries of the owner at which the reader stands. */
  #ofOwner: BlobEntry[] = [];

  constructor(entries: AsyncIterable<BlobEntry>) {
    this.#entries = entries[Symbol.asyncIterator]();
  }

  async find(wanted: WantedBlob): Promise<BlobEntry | undefined> {
    const [owner] = this.#ofOwner;
    if (owner?.kind !== wanted.kind || owner.ownerId !== wanted.ownerId) await this.#advanceTo(wanted);
    return this.#ofOwner.find(({ key }) => key === wanted.key);
  }

  async close(): Promise<void> {
    await this.#entries.return?.();
  }

  async #advanceTo(wanted: WantedBlob): Promise<void> {
    this.#ofOwner = [];
    for (;;) {
      this.#next ??= await this.#read();
      if (this.#next === null || isAfter(this.#next, wanted)) return;
      if (this.#next.kind === wanted.kind && this.#next.ownerId === wanted.ownerId)
        this.#ofOwner.push(this.#next);
      this.#next = undefined;
    }
  }

  async #read(): Promise<BlobEntry | null> {
    const result = await this.#entries.next();
    return result.done === true ? null : result.value;
  }
}

type Place = Pick<BlobEntry, 'kind' | 'ownerId'>;
const isAfter = (a: Place, b: Place): boolean =>
  a.kind === b.kind ? a.ownerId > b.ownerId : a.kind === 'recording';
