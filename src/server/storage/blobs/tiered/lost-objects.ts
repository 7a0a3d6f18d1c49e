import { second } from '#base/duration.ts';
import { ObjectMissingError, type ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import type { HotDatabase } from './hot-database.ts';

const answerTimeoutMs = 5 * second;
const samples = 10;

/**
 * Whether the bucket has none of the objects that the rows name, of which the oldest and the newest are looked up: it
 * is another bucket or prefix, or was emptied. False while the object store does not respond.
 */
export async function hasLostObjects(database: HotDatabase, objects: ObjectStore): Promise<boolean> {
  const { rows } = await database.queries.query<{ name: string }>(
    `(select name from blob_objects order by blob_id, at_byte limit ${samples})
      union (select name from blob_objects order by blob_id desc, at_byte desc limit ${samples})`,
  );
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const areMissing = await Promise.all(
    rows.map(({ name }) =>
      objects.get(name, { startByte: 0, endByteExclusive: 1 }, signal).then(
        () => false,
        (error: unknown) => error instanceof ObjectMissingError,
      ),
    ),
  );
  return rows.length > 0 && areMissing.every(Boolean);
}
