import { sql, type Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { DatabaseUnusableError, type Database } from './database.ts';
import type { Schema } from './schema.ts';
import { migrations } from './migrations/all-migrations.ts';
import { columnTypesOf, createTable, type MigrationContext } from './migration.ts';

type LedgerTables = { schema_migrations: { name: string; ran_at: number } };
type Ledger = Transaction<Schema & LedgerTables>;

/** An arbitrary number that all servers of one database share. */
const advisoryLock = 20_361_204;

const ledgerName = 'schema_migrations';

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

/** Returns the tables in the schema where the migrations create theirs. */
async function tablesHere({ dialect }: MigrationContext, ledger: Ledger) {
  const tables = await ledger.introspection.getTables({ withInternalKyselyTables: true });
  if (dialect === 'sqlite') return tables;
  const { rows } = await sql<{ here: string | null }>`select current_schema() as here`.execute(ledger);
  return tables.filter(({ schema }) => schema === rows[0]?.here);
}

/** Returns whether the database has never contained a recording. */
async function knowsNoRecording(context: MigrationContext, ledger: Ledger): Promise<boolean> {
  const names = new Set((await tablesHere(context, ledger)).map(({ name }) => name));
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
async function rejectForeign(context: MigrationContext, ledger: Ledger): Promise<void> {
  const tables = await tablesHere(context, ledger);
  const known = tables.find(({ name }) => name === ledgerName);
  const foreign = tables.find(({ name }) => context.dialect === 'sqlite' || commonTables.has(name));
  if (known === undefined && foreign !== undefined)
    throw new DatabaseUnusableError('foreign', `a table "${foreign.name}" and no "${ledgerName}"`);
  if (known !== undefined && !known.columns.some(({ name }) => name === 'ran_at'))
    throw new DatabaseUnusableError('foreign', `a table "${ledgerName}" of another kind`);
}

async function namesAlreadyRun(context: MigrationContext, ledger: Ledger): Promise<Set<string>> {
  const { text, integer } = context.types;
  await createTable(context, ledgerName)
    .ifNotExists()
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('ran_at', integer, (column) => column.notNull())
    .execute();
  const rows = await ledger.selectFrom('schema_migrations').select('name').execute();
  return new Set(rows.map((row) => row.name));
}

export interface MigrateOptions {
  upTo?: string;
  whenNoRecording?: () => void;
}

/**
 * Runs all pending migrations or none, while holding the database's lock: servers that start together run each
 * migration once.
 * @param options.whenNoRecording called before any change if the database has never contained a recording; an
 * error it throws aborts the migration
 * @param options.upTo the last migration to run, to test what later ones do to an older schema
 * @returns the names of the migrations that ran
 * @throws DatabaseUnusableError when the database belongs to a newer version or to another program
 */
export async function migrate(
  database: Database,
  clock: Clock,
  { upTo, whenNoRecording }: MigrateOptions = {},
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const { dialect } = database;
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
    const context = { transaction, dialect, types: columnTypesOf(dialect) };
    const ledger: Ledger = transaction.$extendTables<LedgerTables>();
    await rejectForeign(context, ledger);
    if (whenNoRecording !== undefined && (await knowsNoRecording(context, ledger))) whenNoRecording();
    const ran = await namesAlreadyRun(context, ledger);
    const unknown = [...ran].filter((name) => !migrations.some((migration) => migration.name === name));
    if (unknown.length > 0) throw new DatabaseUnusableError('newer', unknown.join(', '));
    const last = migrations.findIndex(({ name }) => name === upTo);
    const pending = (last === -1 ? migrations : migrations.slice(0, last + 1)).filter(
      (migration) => !ran.has(migration.name),
    );
    for (const migration of pending) {
      await migration.up(context);
      await ledger
        .insertInto('schema_migrations')
        .values({ name: migration.name, ran_at: clock.nowMs() })
        .execute();
    }
    return pending.map((migration) => migration.name);
  });
}
