import { sql } from 'kysely';
import type { Migration } from '#server/storage/database/migration.ts';

const whole = (column: string) =>
  sql.raw(`check (${column} >= 0 and ${column} <= ${Number.MAX_SAFE_INTEGER})`);
const small = (column: string) => sql.raw(`check (${column} >= 0 and ${column} <= 2147483647)`);

/**
 * The rows of the tiered blob store (decision 0090): the newest bytes of each blob, and the names of the objects that
 * hold the others. It needs PostgreSQL, so SQLite has none of these tables.
 */
export const tieredBlobsMigration: Migration = {
  name: '0070-tiered-blobs',
  async up({ transaction, dialect }) {
    if (dialect !== 'postgres') return;
    // Columns that every append changes come first, and no index covers them: PostgreSQL then updates the row in
    // place (HOT) and logs only its beginning.
    await sql`create table blobs (
      size_bytes bigint not null default 0 ${whole('size_bytes')},
      changed_at bigint not null ${whole('changed_at')},
      note_at bigint ${whole('note_at')},
      note bytea,
      epoch bigint not null default 0 ${whole('epoch')},
      version integer not null default 0 ${small('version')},
      cold_bytes bigint not null default 0 ${whole('cold_bytes')},
      leased_until bigint not null default 0 ${whole('leased_until')},
      id bigint generated always as identity primary key ${whole('id')},
      key text collate "C" not null unique
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`.execute(transaction);
    await sql`create table blob_pieces (
      blob_id bigint not null ${whole('blob_id')},
      at_byte bigint not null ${whole('at_byte')},
      bytes bytea not null,
      primary key (blob_id, at_byte)
    ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05)`.execute(transaction);
    // Encoded sound does not get smaller. Appends of up to 8 kB stay in the row.
    await sql`alter table blob_pieces alter column bytes set storage external`.execute(transaction);
    await sql`create table blob_objects (
      blob_id bigint not null ${whole('blob_id')},
      at_byte bigint not null ${whole('at_byte')},
      size_bytes bigint not null ${whole('size_bytes')},
      name text collate "C" not null unique,
      primary key (blob_id, at_byte)
    )`.execute(transaction);
    await sql`create index blob_objects_later on blob_objects (blob_id) where at_byte > 0`.execute(
      transaction,
    );
    await sql`create table unreferenced_objects (
      name text collate "C" primary key,
      since bigint not null ${whole('since')},
      is_multipart boolean not null default false,
      swept_at bigint ${whole('swept_at')}
    )`.execute(transaction);
    await sql`create index unreferenced_objects_since on unreferenced_objects (since) where swept_at is null`.execute(
      transaction,
    );
    await sql`create index unreferenced_objects_swept on unreferenced_objects (swept_at) where swept_at is not null`.execute(
      transaction,
    );
  },
};
