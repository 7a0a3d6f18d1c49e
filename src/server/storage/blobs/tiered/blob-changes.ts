import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { BlobOffsetError, sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { findBlob, insertObject, lockBlob, missingBlob } from './blob-rows.ts';
import { type HotDatabase, nowMs } from './hot-database.ts';
import { dropBytes, type UnreferencedObjects } from './unreferenced-objects.ts';

/** A name that no other object has ever had. It starts with the blob's key, for people who look into the bucket. */
export const newObjectName = (key: string): string => `${key}.${randomUUID()}`;

export interface BlobChangesDeps {
  database: HotDatabase;
  objects: ObjectStore;
  unreferenced: UnreferencedObjects;
  /** A blob of up to this size is put into rows. It can then be stored while the object store does not respond. */
  inlineBytes: number;
}

/** Replaces, cuts, renames, seals and removes blobs. */
export class BlobChanges {
  readonly #deps: BlobChangesDeps;

  constructor(deps: BlobChangesDeps) {
    this.#deps = deps;
  }

  async create(key: string): Promise<void> {
    await this.#deps.database.queries.query(
      `insert into blobs (key, changed_at) values ($1, ${nowMs}) on conflict (key) do nothing`,
      [key],
    );
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength <= this.#deps.inlineBytes) await this.#putIntoRows(key, bytes);
    else await this.#putIntoObject(key, bytes);
  }

  async fence(key: string, epoch: number, expectedBytes: number | null): Promise<void> {
    const { database } = this.#deps;
    const { rowCount } = await database.promptly(database.queries, {
      text: `update blobs set epoch = greatest(epoch, $2::bigint),
          note = case when $2 < ${sealedEpoch} then note end,
          note_at = case when $2 < ${sealedEpoch} then note_at end
        where key = $1 and ($3::bigint is null or size_bytes = $3)`,
      values: [key, epoch, expectedBytes],
    });
    if (rowCount === 1) return;
    const blob = await findBlob(database, key);
    if (blob === null) throw missingBlob(key);
    throw new BlobOffsetError(blob.sizeBytes);
  }

  async move(fromKey: string, toKey: string): Promise<void> {
    await this.#deps.database.transaction(async (client) => {
      const found = new Map<string, number>();
      // In the same order everywhere, so that two moves do not wait for each other.
      for (const key of [fromKey, toKey].sort()) {
        const blob = await lockBlob(client, key);
        if (blob !== null) found.set(key, blob.id);
      }
      const [id, replaced] = [found.get(fromKey), found.get(toKey)];
      if (id === undefined) throw missingBlob(fromKey);
      if (id === replaced) return;
      if (replaced !== undefined) await remove(client, [replaced]);
      await client.query('update blobs set key = $2, epoch = 0, note = null, note_at = null where id = $1', [
        id,
        toKey,
      ]);
    });
  }

  async truncate(key: string, sizeBytes: number): Promise<void> {
    await this.#deps.database.transaction(async (client) => {
      const blob = await lockBlob(client, key);
      if (blob === null) throw missingBlob(key);
      if (!(sizeBytes >= 0 && sizeBytes <= blob.sizeBytes))
        throw new RangeError(`a blob of ${blob.sizeBytes} bytes cannot be cut to ${sizeBytes}`);
      const values = [blob.id, sizeBytes];
      await client.query('delete from blob_pieces where blob_id = $1 and at_byte >= $2', values);
      await client.query(
        `update blob_pieces set bytes = substring(bytes from 1 for ($2 - at_byte)::int)
          where blob_id = $1 and at_byte < $2 and at_byte + octet_length(bytes) > $2`,
        values,
      );
      await client.query(
        `with dropped as (delete from blob_objects where blob_id = $1 and at_byte >= $2 returning name)
          insert into unreferenced_objects (name, since) select name, ${nowMs} from dropped`,
        values,
      );
      await client.query(
        'update blob_objects set size_bytes = $2 - at_byte where blob_id = $1 and at_byte + size_bytes > $2',
        values,
      );
      await client.query(
        `update blobs set size_bytes = $2, cold_bytes = least(cold_bytes, $2), note = null, note_at = null,
          version = version + 1, changed_at = ${nowMs} where id = $1`,
        values,
      );
    });
  }

  async remove(keyOrPrefix: string): Promise<void> {
    await this.#deps.database.transaction(async (client) => {
      const { rows } = await client.query<{ id: number }>(
        // Keys have no character between "/" and "0".
        `select id from blobs
          where ${keyOrPrefix.endsWith('/') ? `key > $1 and key < left($1, -1) || '0'` : 'key = $1'}
          order by key for update`,
        [keyOrPrefix],
      );
      if (rows.length > 0)
        await remove(
          client,
          rows.map(({ id }) => id),
        );
    });
  }

  async #putIntoRows(key: string, bytes: Uint8Array): Promise<void> {
    await this.#deps.database.transaction(async (client) => {
      const id = await replace(client, { key, sizeBytes: bytes.byteLength, coldBytes: 0 });
      if (bytes.byteLength > 0)
        await client.query('insert into blob_pieces (blob_id, at_byte, bytes) values ($1, 0, $2)', [
          id,
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        ]);
    });
  }

  async #putIntoObject(key: string, bytes: Uint8Array): Promise<void> {
    const { objects, unreferenced } = this.#deps;
    const name = newObjectName(key);
    await unreferenced.announce(name);
    await objects.put(name, bytes);
    await unreferenced.referTo(name, async (client) => {
      const sizeBytes = bytes.byteLength;
      const id = await replace(client, { key, sizeBytes, coldBytes: sizeBytes });
      await insertObject(client, id, { atByte: 0, sizeBytes, name });
      return true;
    });
  }
}

async function remove(client: ClientBase, ids: readonly number[]): Promise<void> {
  await client.query('delete from blobs where id = any($1)', [ids]);
  await dropBytes(client, ids);
}

/** Makes a blob empty of pieces and objects, and gives it the size of those that follow. Returns its id. */
async function replace(
  client: ClientBase,
  { key, sizeBytes, coldBytes }: { key: string; sizeBytes: number; coldBytes: number },
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into blobs (key, size_bytes, cold_bytes, changed_at) values ($1, $2, $3, ${nowMs})
      on conflict (key) do update set size_bytes = excluded.size_bytes, cold_bytes = excluded.cold_bytes,
        changed_at = excluded.changed_at, version = blobs.version + 1, epoch = 0, note = null, note_at = null
      returning id`,
    [key, sizeBytes, coldBytes],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${key} was not stored`);
  await dropBytes(client, [row.id]);
  return row.id;
}
