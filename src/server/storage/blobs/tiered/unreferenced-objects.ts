import { day, hour } from '#base/duration.ts';
import type { ClientBase } from 'pg';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { type HotDatabase, nowMs } from './hot-database.ts';

/** A reader that found an object before it was replaced may read it for this long. */
const defaultGraceMs = hour;
const defaultAgainAfterMs = day;
const maxPerSweep = 1000;

interface UnreferencedRow {
  name: string;
  isMultipart: boolean;
}

/** The object was swept before a blob referred to it. The blob is unchanged. */
export class SweptObjectError extends Error {
  override readonly name = 'SweptObjectError';
}

/**
 * The names of objects that no blob refers to. Every object is announced here before it is written, so an object of a
 * process that died is found without listing the bucket.
 */
export class UnreferencedObjects {
  readonly #database: HotDatabase;
  readonly #objects: ObjectStore;

  constructor(database: HotDatabase, objects: ObjectStore) {
    this.#database = database;
    this.#objects = objects;
  }

  /** Records a name before its object is written. */
  async announce(name: string, { isMultipart = false } = {}): Promise<void> {
    await this.#database.queries.query(
      `insert into unreferenced_objects (name, since, is_multipart) values ($1, ${nowMs}, $2)
        on conflict (name) do update set since = excluded.since, swept_at = null`,
      [name, isMultipart],
    );
  }

  /**
   * Runs the transaction that makes a blob refer to an announced object; `refer` returns false if the blob has changed
   * and nothing refers to the object.
   * @throws SweptObjectError when a sweep has deleted the object, because this process was paused for too long
   */
  async referTo(name: string, refer: (client: ClientBase) => Promise<boolean>): Promise<void> {
    try {
      await this.#database.transaction(async (client) => {
        if (!(await refer(client))) return;
        const { rowCount } = await client.query(
          'delete from unreferenced_objects where name = $1 and swept_at is null',
          [name],
        );
        if (rowCount !== 1) throw new SweptObjectError(`${name} was swept before it was used`);
      });
    } catch (error) {
      // The object may have been written after the sweep. The next sweep deletes it.
      if (error instanceof SweptObjectError) await this.announce(name);
      throw error;
    }
  }

  /**
   * Deletes objects that have been unreferenced for a while, and deletes them again much later: a process that was
   * paused after it had announced a name could write the object after the first time, and die before it refers to it.
   */
  async sweep({
    graceMs = defaultGraceMs,
    againAfterMs = defaultAgainAfterMs,
    signal,
  }: { graceMs?: number; againAfterMs?: number; signal?: AbortSignal } = {}): Promise<void> {
    // They are marked in a transaction of their own: a process that would still refer to one finds the mark.
    const { rows: first } = await this.#database.queries.query<UnreferencedRow>(
      `update unreferenced_objects set swept_at = ${nowMs} where name in (
        select name from unreferenced_objects as u where swept_at is null and since <= ${nowMs} - $1::bigint
          and not exists (select from blob_objects where blob_objects.name = u.name)
        order by since limit ${maxPerSweep} for update skip locked
      ) returning name, is_multipart as "isMultipart"`,
      [graceMs],
    );
    for (const row of first) {
      // The second deletion is also for those that are left.
      signal?.throwIfAborted();
      await this.#delete(row);
    }
    const { rows: again } = await this.#database.queries.query<UnreferencedRow>(
      `select name, is_multipart as "isMultipart" from unreferenced_objects
        where swept_at <= ${nowMs} - $1::bigint order by swept_at limit ${maxPerSweep}`,
      [againAfterMs],
    );
    for (const row of again) {
      signal?.throwIfAborted();
      await this.#delete(row);
      await this.#database.queries.query(
        'delete from unreferenced_objects where name = $1 and swept_at is not null',
        [row.name],
      );
    }
  }

  async #delete({ name, isMultipart }: UnreferencedRow): Promise<void> {
    await this.#objects.delete(name);
    if (isMultipart) await this.#objects.deleteParts(name);
  }
}

/** Deletes the bytes of blobs. Their objects become unreferenced. */
export async function dropBytes(client: ClientBase, ids: readonly number[]): Promise<void> {
  await client.query(
    `with dropped as (delete from blob_objects where blob_id = any($1) returning name)
      insert into unreferenced_objects (name, since) select name, ${nowMs} from dropped`,
    [ids],
  );
  await client.query('delete from blob_pieces where blob_id = any($1)', [ids]);
}
