import { type BlobHead, type BlobStore, isDamagedBlob } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { Database } from '#server/storage/database/database.ts';
import { findMoved, type MovedBlob, noteMoved } from '#server/storage/database/unfinished-move.ts';
import { readRowsAfter } from '#server/storage/tables/read-table.ts';
import { tableShapesOf } from '#server/storage/tables/table-shape.ts';
import { tablesWithBlobs, type WantedBlob } from '#server/features/backups/copy/wanted-blobs.ts';
import { appendBlob, hasContent, sealBlob, writeBlob } from '#server/features/backups/copy/write-blob.ts';
import { BackupError } from '#server/features/backups/format/backup-error.ts';

const movedAtOnce = 32;

export interface MoveBlobsDeps {
  /** The installation that is moved. It is only read. */
  from: { database: Database; blobs: BlobStore };
  /** Where it is moved to. The database has the table of the unfinished move. */
  to: { database: Database; blobs: BlobStore };
}

export interface MovedBlobs {
  count: number;
  /** The bytes that were copied now. */
  copiedBytes: number;
  /** Blobs that are missing, or do not match their receipts. */
  damagedCount: number;
}

/** Yields the blobs that the tables name, those of 500 rows at a time. */
async function* wantedBlobs({ queries, dialect }: Database): AsyncGenerator<WantedBlob[]> {
  const shapes = await tableShapesOf(queries, dialect);
  for (const [name, blobsOf] of tablesWithBlobs) {
    const table = shapes.find((each) => each.name === name);
    if (table === undefined) throw new TypeError(`there is no table ${name}`);
    for (let after = ''; ;) {
      const rows = await readRowsAfter(queries, table, after);
      const last = rows.at(-1);
      if (last === undefined) break;
      yield rows.flatMap(blobsOf);
      after = last[table.columns[0]?.name ?? ''] ?? '';
    }
  }
}

/** What became of one blob: the bytes that were copied, and what the new store has if that changed. */
interface Outcome {
  moved: MovedBlob | null;
  copiedBytes: number;
  isDamaged: boolean;
}

const unchanged: Outcome = { moved: null, copiedBytes: 0, isDamaged: false };
const missing: Outcome = { ...unchanged, isDamaged: true };

/** Copies the blobs of an installation into another store. */
class BlobMover {
  readonly #deps: MoveBlobsDeps;

  constructor(deps: MoveBlobsDeps) {
    this.#deps = deps;
  }

  async move(wanted: WantedBlob, before: MovedBlob | undefined): Promise<Outcome> {
    try {
      return await (wanted.of === 'sealed'
        ? this.#moveSealed(wanted, before)
        : this.#moveUnsealed(wanted, before));
    } catch (error) {
      // Purged meanwhile, or lost before.
      if (isDamagedBlob(error) || (await this.#deps.from.blobs.head(wanted.key)) === null) return missing;
      throw error;
    }
  }

  async #moveSealed({ key, ...wanted }: WantedBlob, before: MovedBlob | undefined): Promise<Outcome> {
    const sizeBytes = wanted.sizeBytes ?? 0;
    const expected = wanted.sha256 ?? '';
    const { blobs } = this.#deps.to;
    const startByte = await this.#startOf(key, before, sizeBytes);
    let sha256 = expected;
    let copiedBytes = sizeBytes - startByte;
    // What was copied while the stream grew is read back with the rest.
    if (startByte > 0) await this.#append({ key, startByte, sizeBytes });
    if (startByte === 0 || !(await hasContent(blobs, { key, sizeBytes, sha256 }))) {
      sha256 = await writeBlob(blobs, { key, sizeBytes, source: this.#read(key, 0, sizeBytes) });
      copiedBytes = sizeBytes;
    }
    await sealBlob(blobs, { key, sizeBytes });
    return {
      moved: { key, sizeBytes, changedAtMs: null, sha256 },
      copiedBytes,
      isDamaged: sha256 !== expected,
    };
  }

  async #moveUnsealed({ key, of }: WantedBlob, before: MovedBlob | undefined): Promise<Outcome> {
    const head = await this.#deps.from.blobs.head(key);
    if (head === null) return of === 'made' ? missing : unchanged;
    return of === 'growing' ? this.#moveGrowing(key, head, before) : this.#moveMade(key, head, before);
  }

  async #moveMade(
    key: string,
    { sizeBytes, changedAtMs }: BlobHead,
    before: MovedBlob | undefined,
  ): Promise<Outcome> {
    if (before?.sizeBytes === sizeBytes && before.changedAtMs === changedAtMs) return unchanged;
    const source = this.#read(key, 0, sizeBytes);
    const sha256 = await writeBlob(this.#deps.to.blobs, { key, sizeBytes, source });
    return { moved: { key, sizeBytes, changedAtMs, sha256 }, copiedBytes: sizeBytes, isDamaged: false };
  }

  async #moveGrowing(key: string, { sizeBytes }: BlobHead, before: MovedBlob | undefined): Promise<Outcome> {
    const startByte = await this.#startOf(key, before, sizeBytes);
    if (startByte === sizeBytes && before !== undefined) return unchanged;
    if (startByte === 0) {
      await this.#deps.to.blobs.remove(key);
      await this.#deps.to.blobs.create(key);
    }
    await this.#append({ key, startByte, sizeBytes });
    return {
      moved: { key, sizeBytes, changedAtMs: null, sha256: null },
      copiedBytes: sizeBytes - startByte,
      isDamaged: false,
    };
  }

  /** Returns where copying continues: 0, unless the new store has exactly what was noted of a growing stream. */
  async #startOf(key: string, before: MovedBlob | undefined, sizeBytes: number): Promise<number> {
    if (before === undefined || before.sizeBytes > sizeBytes) return 0;
    const head = await this.#deps.to.blobs.head(key);
    return head?.sizeBytes === before.sizeBytes ? before.sizeBytes : 0;
  }

  async #append({
    key,
    startByte,
    sizeBytes,
  }: {
    key: string;
    startByte: number;
    sizeBytes: number;
  }): Promise<void> {
    const source = this.#read(key, startByte, sizeBytes);
    const { sizeBytes: end } = await appendBlob(this.#deps.to.blobs, { key, fromByte: startByte, source });
    if (end !== sizeBytes)
      throw new BackupError(`${key} became shorter while it was copied: run the command again.`);
  }

  async *#read(key: string, startByte: number, endByteExclusive: number): AsyncGenerator<Uint8Array> {
    if (startByte === endByteExclusive) return;
    const stream = this.#deps.from.blobs.stream(key, { startByte, endByteExclusive });
    yield* stream as AsyncIterable<Uint8Array>;
  }
}

const isSealedThere = ({ of }: WantedBlob, before: MovedBlob | undefined): before is MovedBlob =>
  of === 'sealed' && before !== undefined && before.sha256 !== null;

const add = (totals: MovedBlobs, { copiedBytes, isDamaged }: Outcome): void => {
  totals.count += 1;
  totals.copiedBytes += copiedBytes;
  if (isDamaged) totals.damagedCount += 1;
};

/**
 * Copies every blob that the tables of an installation name and the new store lacks. It may run beside the server, be
 * interrupted and be repeated: what the new store has is noted in its database.
 * @param options.skipsOptional leaves out what the server makes again when it is needed
 * @param options.onProgress called after each batch
 * @throws an error of the store that failed
 */
export async function moveBlobs(
  deps: MoveBlobsDeps,
  {
    skipsOptional,
    onProgress,
  }: { skipsOptional: boolean; onProgress: (moved: Readonly<MovedBlobs>) => void },
): Promise<MovedBlobs> {
  const mover = new BlobMover(deps);
  const { queries } = deps.to.database;
  const totals: MovedBlobs = { count: 0, copiedBytes: 0, damagedCount: 0 };
  for await (const page of wantedBlobs(deps.from.database)) {
    const wanted = skipsOptional ? page.filter(({ of }) => of !== 'optional') : page;
    const before = await findMoved(
      queries,
      wanted.map(({ key }) => key),
    );
    const due: WantedBlob[] = [];
    for (const each of wanted) {
      const there = before.get(each.key);
      if (isSealedThere(each, there)) add(totals, { ...unchanged, isDamaged: there.sha256 !== each.sha256 });
      else due.push(each);
    }
    for (let from = 0; from < due.length; from += movedAtOnce) {
      const outcomes = await mapInBatches(due.slice(from, from + movedAtOnce), (each) =>
        mover.move(each, before.get(each.key)),
      );
      await noteMoved(
        queries,
        outcomes.flatMap(({ moved }) => (moved === null ? [] : [moved])),
      );
      for (const outcome of outcomes) add(totals, outcome);
      onProgress(totals);
    }
  }
  return totals;
}
