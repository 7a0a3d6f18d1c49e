import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import { systemClock, type Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { codeOf } from '#base/errors/code-of.ts';
import {
  DatabaseUnusableError,
  type ConstraintKind,
  type Database,
} from '#server/storage/database/database.ts';
import { guardedDatabase } from '#server/storage/database/guarded-database.ts';
import { assertMigrated, migrate } from '#server/storage/database/migrate.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { allowLongStatements } from '#server/storage/database/long-statements.ts';
import { isDeadlock } from './postgres-errors.ts';
import { openPostgresPool } from './postgres-pool.ts';

const oldestVersion = 150_000;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const constraintKinds = new Map<string, ConstraintKind>([
  ['23505', 'unique'],
  ['23503', 'foreign-key'],
]);

/**
 * Ends a statement that has become endless, for example by a bad plan or a lock that is never released, before such
 * statements occupy all connections. Migrations, snapshots and copies of whole tables have no limit.
 */
const defaultStatementTimeoutMs = 2 * minute;

/**
 * JIT and parallel workers take longer to start than any of our queries runs. A random index read costs hardly
 * more than a sequential one, in memory or on an SSD.
 */
const settings = ['jit = off', 'max_parallel_workers_per_gather = 0', 'random_page_cost = 1.1'];

/**
 * After a migration rewrites a table, PostgreSQL has neither statistics nor a visibility map for it:
 * index-only scans are not used until a VACUUM ANALYZE.
 */
async function analyzeTables(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('vacuum (analyze) recordings, recording_words').catch(() => undefined);
  } finally {
    // The pool opens another connection, with the usual settings.
    client.release(true);
  }
}

async function assertVersion(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0]?.server_version_num);
  if (!(version >= oldestVersion))
    throw new DatabaseUnusableError(
      'engine',
      `PostgreSQL 15 or newer is needed, the server has version number ${version}`,
    );
}

/**
 * Opens a PostgreSQL database (15 or newer) through a pool of connections and migrates its schema.
 * @param options.url `postgres://user:password@host:port/database`
 * @param options.connections how many connections the pool may open; ten unless given
 * @param options.statementTimeoutMs how long one statement may take, except in migrations, snapshots and copies
 * @param options.migrates whether pending migrations run; otherwise they are an error
 * @param options.whenNoRecording called before any change if the database has never contained a recording
 * @param options.upTo the last migration to run; all if absent
 * @param options.restoreId the backup or move that fills the database, if it is new
 * @throws Error when the server cannot be reached, is too old or denies the changes
 */
export async function openPostgresDatabase(options: {
  url: string;
  connections?: number;
  statementTimeoutMs?: number;
  migrates?: boolean;
  clock?: Clock;
  whenNoRecording?: () => void;
  upTo?: string;
  isRestore?: boolean;
  restoreId?: string;
}): Promise<Database> {
  const pool = openPostgresPool(options.url, {
    connections: options.connections ?? 10,
    settings: [...settings, `statement_timeout = ${options.statementTimeoutMs ?? defaultStatementTimeoutMs}`],
  });
  try {
    await assertVersion(pool);
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    const database = guardedDatabase({
      dialect: 'postgres',
      kysely,
      snapshot: (work) =>
        kysely
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (transaction) => {
            await allowLongStatements(transaction, 'postgres');
            // The moment is that of the first query.
            await sql`select 1`.execute(transaction);
            return work(transaction);
          }),
      async lockUser(transaction, userId) {
        await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
      },
      waitingForConnection: () => pool.waitingCount,
      constraintOf: (error) => constraintKinds.get(codeOf(error)) ?? null,
      isDeadlock,
    });
    if (options.migrates === false) {
      await assertMigrated(database);
      return database;
    }
    const ran = await migrate(database, options.clock ?? systemClock, options);
    if (ran.length > 0) await analyzeTables(pool);
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}
