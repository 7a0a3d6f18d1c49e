import { type Append, sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import { isDeadlock } from '#server/storage/database/postgres/postgres-errors.ts';
import { retryDeadlocks } from '#server/storage/database/retry-deadlocks.ts';
import { type HotDatabase, nowMs } from './hot-database.ts';

/**
 * Size, epoch and seal are compared on the row that the same statement changes: of two writers, on whatever servers,
 * one succeeds. The note of each append follows its bytes in $8.
 */
const appendBatch = `
with appends as (
  select * from unnest($1::int[], $2::text[], $3::bigint[], $4::int[], $5::int[], $6::bigint[], $7::int[])
    as a (ordinal, key, at_byte, start, length, epoch, note_length)
), grown as (
  update blobs set
    size_bytes = blobs.size_bytes + a.length,
    changed_at = ${nowMs},
    epoch = greatest(blobs.epoch, a.epoch),
    note_at = case when a.note_length > 0 then a.at_byte + a.length else blobs.note_at end,
    note = case when a.note_length > 0 then substring($8::bytea from a.start + a.length + 1 for a.note_length)
      else blobs.note end
  from appends as a
  where blobs.key = a.key and blobs.size_bytes = a.at_byte
    and blobs.epoch < ${sealedEpoch} and (a.epoch is null or blobs.epoch <= a.epoch)
  returning a.ordinal, blobs.id, a.at_byte, a.start, a.length
), stored as (
  insert into blob_pieces (blob_id, at_byte, bytes)
  select id, at_byte, substring($8::bytea from start + 1 for length) from grown
)
select ordinal from grown`;

const maxAppends = 512;
const maxBytes = 4 * 1024 * 1024;
/** One batch is being built while another one is being committed. */
const batchesAtOnce = 2;

interface Waiting extends Append {
  key: string;
  resolve: (isStored: boolean) => void;
  reject: (error: unknown) => void;
}

const compareKeys = (one: Waiting, other: Waiting): number =>
  one.key < other.key ? -1 : one.key > other.key ? 1 : 0;

/** The arrays of one statement, with all bytes in one buffer. */
function parametersOf(batch: readonly Waiting[]): unknown[] {
  const starts: number[] = [];
  const parts: Uint8Array[] = [];
  let start = 0;
  for (const { bytes, note } of batch) {
    starts.push(start);
    parts.push(bytes);
    if (note !== undefined) parts.push(note);
    start += bytes.byteLength + (note?.byteLength ?? 0);
  }
  return [
    batch.map((_, ordinal) => ordinal),
    batch.map(({ key }) => key),
    batch.map(({ offsetBytes }) => offsetBytes),
    starts,
    batch.map(({ bytes }) => bytes.byteLength),
    batch.map(({ epoch }) => epoch ?? null),
    batch.map(({ note }) => note?.byteLength ?? 0),
    Buffer.concat(parts, start),
  ];
}

/**
 * Group commit: the appends that arrive while a batch is being committed form the next one. The more there is to do,
 * the more share one statement and one sync of PostgreSQL's log.
 */
export class AppendBatcher {
  readonly #database: HotDatabase;
  #waiting: Waiting[] = [];
  #running = 0;
  #batches = 0;
  #appends = 0;

  constructor(database: HotDatabase) {
    this.#database = database;
  }

  /** How many batches were started. */
  get commits(): number {
    return this.#batches;
  }

  /** How many appends a batch has had on average. */
  get appendsPerBatch(): number {
    return this.#batches === 0 ? 0 : this.#appends / this.#batches;
  }

  /** Stores one append. Resolves with false if the row has another size, a higher epoch or a seal, or is missing. */
  store(key: string, append: Append): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...append, key, resolve, reject });
      // Everything that arrives in this turn of the event loop goes together.
      if (this.#waiting.length === 1)
        setImmediate(() => {
          this.#startBatches();
        });
    });
  }

  #startBatches(): void {
    while (this.#running < batchesAtOnce && this.#waiting.length > 0) {
      let [count, bytes] = [0, 0];
      while (count < this.#waiting.length && count < maxAppends && bytes < maxBytes) {
        bytes += this.#waiting[count]?.bytes.byteLength ?? 0;
        count += 1;
      }
      // Batches that lock rows in the same order do not wait for each other in a circle.
      const batch = this.#waiting.splice(0, count).sort(compareKeys);
      this.#running += 1;
      this.#batches += 1;
      this.#appends += count;
      void this.#commit(batch).finally(() => {
        this.#running -= 1;
        this.#startBatches();
      });
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await this.#run(parametersOf(batch));
      for (const [ordinal, { resolve }] of batch.entries()) resolve(stored.has(ordinal));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #run(values: unknown[]): Promise<Set<number>> {
    const { rows } = await retryDeadlocks(isDeadlock, () =>
      this.#database.promptly<{ ordinal: number }>(this.#database.appends, {
        name: 'append-batch',
        text: appendBatch,
        values,
      }),
    );
    return new Set(rows.map(({ ordinal }) => ordinal));
  }
}
