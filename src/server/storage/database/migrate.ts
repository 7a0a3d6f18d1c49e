import { setTimeout as delay } from 'node:timers/promises';
import { sql, type TableMetadata, type Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { DatabaseUnusableError, type Database, type Queries } from './database.ts';
import { allowLongStatements } from './long-statements.ts';
import { readRestoreMarker, writeRestoreMarker } from './restore-marker.ts';
import type { Schema } from './schema.ts';
import { migrations } from './migrations/all-migrations.ts';
import { columnTypesOf, createTable, type Migration, type MigrationContext } from './migration.ts';
import { tablesHere } from './tables-here.ts';

interface LedgerRow {
  name: string;
  ran_at: number;
  /** Null in rows of versions without this column, whose code later migrations don't support. */
  oldest_code: string | null;
}
type LedgerTables = { schema_migrations: LedgerRow };
type Ledger = Transaction<Schema & LedgerTables>;

/** An arbitrary number that all servers of one database share. */
const advisoryLock = 20_361_204;

const ledgerName = 'schema_migrations';
const ledgerIn = (tables: readonly TableMetadata[]): TableMetadata | undefined =>
  tables.find(({ name }) => name === ledgerName);

/** A database that has one of these tables but not our ledger belongs to another program. */
const commonTables: ReadonlySet<string> = new Set([
  'users',
  'sessions',
  'recordings',
  'uploads',
  'jobs',
  'markers',
  'tags',
  'notes',
  'identities',
  'credentials',
]);

/** Returns whether the database has never contained a recording. */
async function knowsNoRecording(tables: readonly TableMetadata[], ledger: Ledger): Promise<boolean> {
  const names = new Set(tables.map(({ name }) => name));
  for (const table of ['recordings', 'purged_recordings'] as const) {
    if (
      names.has(table) &&
      (await ledger.selectFrom(table).select('id').limit(1).executeTakeFirst()) !== undefined
    )
      return false;
  }
  return true;
}

/**
 * Rejects a database of another program before changing it. An SQLite file belongs to one program; a PostgreSQL
 * database may contain tables of extensions.
 */
function rejectForeign(tables: readonly TableMetadata[], dialect: Database['dialect']): void {
  const known = ledgerIn(tables);
  const foreign = tables.find(({ name }) => dialect === 'sqlite' || commonTables.has(name));
  if (known === undefined && foreign !== undefined)
    throw new DatabaseUnusableError('foreign', `a table "${foreign.name}" and no "${ledgerName}"`);
  if (known !== undefined && !known.columns.some(({ name }) => name === 'ran_at'))
    throw new DatabaseUnusableError('foreign', `a table "${ledgerName}" of another kind`);
}

/** Rejects a database that contains only a part of a backup. */
async function rejectUnfinishedRestore(dialect: Database['dialect'], ledger: Ledger): Promise<void> {
  const marker = await readRestoreMarker(ledger, dialect);
  if (marker !== null) throw new DatabaseUnusableError('restoring', marker.backup);
}

const oldestCodeColumn = 'oldest_code';
const hasOldestCode = (known: TableMetadata): boolean =>
  known.columns.some(({ name }) => name === oldestCodeColumn);

/** Creates the ledger, or adds the column that older versions did not have. */
async function ensureLedger(
  context: MigrationContext,
  known: TableMetadata | undefined,
  ledger: Ledger,
): Promise<void> {
  const { text, integer } = context.types;
  if (known === undefined)
    await createTable(context, ledgerName)
      .addColumn('name', text, (column) => column.primaryKey().notNull())
      .addColumn('ran_at', integer, (column) => column.notNull())
      .addColumn(oldestCodeColumn, text)
      .execute();
  else if (!hasOldestCode(known))
    await ledger.schema.alterTable(ledgerName).addColumn(oldestCodeColumn, text).execute();
}

/** Completes a sentence that names the first of several migrations. */
const andMore = (count: number): string => (count === 1 ? '' : ` and ${count - 1} more`);

/**
 * Rejects a database that newer code migrated, unless its newest migrations support this code.
 * @throws DatabaseUnusableError
 */
function rejectNewer(
  ran: readonly Pick<LedgerRow, 'name' | 'oldest_code'>[],
  code: readonly Migration[],
): void {
  const newest = code.at(-1)?.name ?? '';
  const unsupported = ran.filter(
    ({ name, oldest_code: oldestCode }) =>
      !code.some((migration) => migration.name === name) && (oldestCode === null || oldestCode > newest),
  );
  const [first] = unsupported.map(({ name }) => name).sort();
  if (first !== undefined) throw new DatabaseUnusableError('newer', first + andMore(unsupported.length));
}

/** How long a step of a migration may wait for users of a table, who wait for it in turn. */
const lockTimeoutMs = 2 * second;
const pauseMs = second;
/** How often a migration that met a lock begins again before the start fails. */
const maxTries = 60;

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

/** Runs work again after its statements waited too long for locks, with pauses for those who wait behind it. */
async function whenLocksAreFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries === maxTries)
        throw new DatabaseUnusableError('busy', 'other connections do not release its tables');
      await delay(pauseMs);
    }
  }
}

/** Returns the names of the migrations that a database has run, in order. */
export async function ranMigrations(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(ledgerName)} order by name`.execute(queries);
  return rows.map(({ name }) => name);
}

/** Whether these are the first migrations of this version, in their order. */
export const areFirstMigrations = (names: readonly string[]): boolean =>
  names.every((name, index) => migrations[index]?.name === name);

/** Returns the names that this version doesn't know. */
export const unknownMigrations = (names: readonly string[]): string[] =>
  names.filter((name) => !migrations.some((migration) => migration.name === name));

export interface MigrateOptions {
  upTo?: string;
  whenNoRecording?: () => void;
  /** Whether the caller restores a backup, and may open a database whose restore is unfinished. */
  isRestore?: boolean;
  /**
   * The backup or move that fills a new database. Its marker is written together with the tables: a server never finds
   * them empty and unmarked.
   */
  restoreId?: string;
  /** The migrations that the code knows; tests leave out the newest, as an older version does. */
  code?: readonly Migration[];
}

/**
 * Runs all pending migrations or none, while holding the database's lock: servers that start together run each
 * migration once. Statements that meet a lock give up after two seconds and all begin again later, so that others
 * never wait longer for them.
 * @param options.whenNoRecording called before any change if the database has never contained a recording; an
 * error it throws aborts the migration
 * @param options.upTo the last migration to run, to restore a backup of an older schema
 * @returns the names of the migrations that ran
 * @throws DatabaseUnusableError when the database belongs to a version that does not support this code, or to
 * another program, its tables stay locked, or a backup is being restored into it
 */
export function migrate(
  database: Database,
  clock: Clock,
  { upTo, whenNoRecording, isRestore = false, restoreId, code = migrations }: MigrateOptions = {},
): Promise<string[]> {
  const attempt = (): Promise<string[]> =>
    database.transaction(async (transaction) => {
      const { dialect } = database;
      await allowLongStatements(transaction, dialect);
      if (dialect === 'postgres') {
        await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
        await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
      }
      const context = { transaction, dialect, types: columnTypesOf(dialect) };
      const ledger: Ledger = transaction.$extendTables<LedgerTables>();
      const tables = await tablesHere(ledger, dialect);
      rejectForeign(tables, dialect);
      if (!isRestore) await rejectUnfinishedRestore(dialect, ledger);
      if (whenNoRecording !== undefined && (await knowsNoRecording(tables, ledger))) whenNoRecording();
      if (restoreId !== undefined && ledgerIn(tables) === undefined)
        await writeRestoreMarker(transaction, restoreId);
      await ensureLedger(context, ledgerIn(tables), ledger);
      const ran = await ledger.selectFrom('schema_migrations').select(['name', 'oldest_code']).execute();
      rejectNewer(ran, code);
      const last = code.findIndex(({ name }) => name === upTo);
      const pending = (last === -1 ? code : code.slice(0, last + 1)).filter(
        (migration) => !ran.some(({ name }) => name === migration.name),
      );
      for (const migration of pending) {
        await migration.up(context);
        const { name, oldestCode = name } = migration;
        await ledger
          .insertInto('schema_migrations')
          .values({ name, ran_at: clock.nowMs(), oldest_code: oldestCode })
          .execute();
      }
      return pending.map(({ name }) => name);
    });
  return whenLocksAreFree(attempt);
}

/**
 * Checks that the database has the schema of this code, and changes nothing.
 * @throws DatabaseUnusableError when migrations are pending, and as `migrate`
 */
export async function assertMigrated(
  database: Database,
  { code = migrations }: Pick<MigrateOptions, 'code'> = {},
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { dialect } = database;
    const ledger: Ledger = transaction.$extendTables<LedgerTables>();
    const tables = await tablesHere(ledger, dialect);
    rejectForeign(tables, dialect);
    await rejectUnfinishedRestore(dialect, ledger);
    const known = ledgerIn(tables);
    const ran =
      known === undefined
        ? []
        : await ledger
            .selectFrom('schema_migrations')
            .select('name')
            .select(hasOldestCode(known) ? 'oldest_code' : sql<null>`null`.as('oldest_code'))
            .execute();
    rejectNewer(ran, code);
    const pending = code.filter((migration) => !ran.some(({ name }) => name === migration.name));
    const [next] = pending;
    if (next !== undefined) throw new DatabaseUnusableError('older', next.name + andMore(pending.length));
  });
}
