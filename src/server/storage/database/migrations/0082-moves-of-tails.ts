import { sql } from 'kysely';
import type { Migration } from '#server/storage/database/migration.ts';

const now = sql.raw('(extract(epoch from clock_timestamp()) * 1000)::bigint');

/** Stores when a tail of the tiered blob store was moved last, so that one that grows slowly is moved too. */
export const movesOfTailsMigration: Migration = {
  name: '0082-moves-of-tails',
  oldestCode: '0065-shares',
  async up({ transaction, dialect }) {
    if (dialect !== 'postgres') return;
    // A constant default changes no row. New rows get the time at which they are created.
    await sql`alter table blobs add column moved_at bigint not null default 0
      check (moved_at >= 0 and moved_at <= ${sql.raw(String(Number.MAX_SAFE_INTEGER))})`.execute(transaction);
    await sql`alter table blobs alter column moved_at set default ${now}`.execute(transaction);
  },
};
