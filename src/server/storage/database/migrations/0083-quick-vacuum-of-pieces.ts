import { sql } from 'kysely';
import type { Migration } from '#server/storage/database/migration.ts';

/**
 * While PostgreSQL's own vacuum works on `blob_pieces`, the servers' vacuum skips it (pieces-vacuum.ts). Without pauses
 * it takes as long as that one.
 */
export const quickVacuumOfPiecesMigration: Migration = {
  name: '0083-quick-vacuum-of-pieces',
  oldestCode: '0065-shares',
  async up({ transaction, dialect }) {
    if (dialect !== 'postgres') return;
    await sql`alter table blob_pieces set (autovacuum_vacuum_cost_delay = 0)`.execute(transaction);
  },
};
