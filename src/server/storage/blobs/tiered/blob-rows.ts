import type { ClientBase, Pool } from 'pg';
import { BlobMissingError, type ByteRange } from '#server/storage/blobs/blob-store.ts';
import type { HotDatabase } from './hot-database.ts';

type Queryable = Pick<Pool | ClientBase, 'query'>;

/** The state of one blob. Its bytes up to `coldBytes` are in objects, the others in pieces. */
export interface BlobRow {
  id: number;
  sizeBytes: number;
  coldBytes: number;
  /** Raised whenever bytes that were stored are cut or replaced. */
  version: number;
  epoch: number;
  changedAtMs: number;
  noteAt: number | null;
  note: Buffer | null;
}

/** The first `sizeBytes` bytes of an object are those of the blob from `atByte` on. */
interface ObjectRow {
  atByte: number;
  sizeBytes: number;
  name: string;
}

interface PieceRow {
  atByte: number;
  bytes: Buffer;
}

/** There is no blob with this key. */
export const missingBlob = (key: string): Error => new BlobMissingError(key);

const columns = `id, size_bytes as "sizeBytes", cold_bytes as "coldBytes", version, epoch,
  changed_at as "changedAtMs", note_at as "noteAt", note`;

/** Finds blobs by their keys; the result lacks those that do not exist. */
export async function findBlobs(
  database: HotDatabase,
  keys: readonly string[],
): Promise<ReadonlyMap<string, BlobRow>> {
  const { rows } = await database.promptly<BlobRow & { key: string }>(database.queries, {
    name: 'find-blobs',
    text: `select key, ${columns} from blobs where key = any ($1::text[])`,
    values: [keys],
  });
  return new Map(rows.map(({ key, ...blob }) => [key, blob]));
}

/** Finds a blob; null if there is none. */
export async function findBlob(database: HotDatabase, key: string): Promise<BlobRow | null> {
  return (await findBlobs(database, [key])).get(key) ?? null;
}

/** Finds a blob and locks its row until the transaction ends. */
export async function lockBlob(client: ClientBase, key: string): Promise<BlobRow | null> {
  const { rows } = await client.query<BlobRow>(`select ${columns} from blobs where key = $1 for update`, [
    key,
  ]);
  return rows[0] ?? null;
}

export type BlobWithObjects = BlobRow & { objects: ObjectRow[] };

/** Finds a blob with the objects of one range, both as of the same moment; null if there is no blob. */
export async function findWithObjects(
  database: Queryable,
  key: string,
  { startByte, endByteExclusive }: ByteRange,
): Promise<BlobWithObjects | null> {
  const { rows } = await database.query<BlobWithObjects>({
    name: 'find-with-objects',
    text: `select ${columns}, (
        select coalesce(json_agg(json_build_object('atByte', o.at_byte, 'sizeBytes', o.size_bytes, 'name', o.name)
          order by o.at_byte), '[]')
        from blob_objects as o where o.blob_id = blobs.id and o.at_byte < $3 and o.at_byte + o.size_bytes > $2
      ) as objects
      from blobs where key = $1`,
    values: [key, startByte, Math.min(endByteExclusive, Number.MAX_SAFE_INTEGER)],
  });
  return rows[0] ?? null;
}

/**
 * Reads the pieces that overlap a range, in order. Returns none if the blob has another version by now. The first can
 * start before the range.
 */
export async function readPieces(
  database: Queryable,
  { id, version }: Pick<BlobRow, 'id' | 'version'>,
  { startByte, endByteExclusive }: ByteRange,
): Promise<PieceRow[]> {
  const { rows } = await database.query<PieceRow>({
    name: 'read-pieces',
    text: `select at_byte as "atByte", bytes from blob_pieces
      where blob_id = $1 and at_byte < $3
        and at_byte >= coalesce((select max(at_byte) from blob_pieces where blob_id = $1 and at_byte <= $2), 0)
        and exists (select from blobs where id = $1 and version = $4)
      order by at_byte`,
    values: [id, startByte, endByteExclusive, version],
  });
  return rows;
}

/** Makes a blob refer to an object that has its bytes from `atByte` on. */
export async function insertObject(
  client: ClientBase,
  blobId: number,
  { atByte, sizeBytes, name }: ObjectRow,
): Promise<void> {
  await client.query(
    'insert into blob_objects (blob_id, at_byte, size_bytes, name) values ($1, $2, $3, $4)',
    [blobId, atByte, sizeBytes, name],
  );
}

/**
 * The ids of all blobs with pieces, as the recursive table `hot (blob_id)`. It jumps from one id to the next in the
 * index, so it takes as long as there are such blobs, regardless of how many pieces and blobs exist.
 */
export const hotBlobs = `recursive hot (blob_id) as (
  (select blob_id from blob_pieces order by blob_id limit 1)
  union all
  select (select p.blob_id from blob_pieces as p where p.blob_id > hot.blob_id order by p.blob_id limit 1)
  from hot where hot.blob_id is not null
)`;
