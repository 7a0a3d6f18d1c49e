import { sql } from 'kysely';
import type { Database } from '#server/storage/database/database.ts';

/** The migrations that `withoutLimits` reverts. */
export const undone = ['0023-believable-labels', '0024-believable-rest'] as const;

/** Constraints of migration 0015 in PostgreSQL belong to these tables, and to none of these columns. */
const older: ReadonlySet<string> = new Set(['recordings', 'uploads']);
const added: ReadonlySet<string> = new Set(
  ['packet_samples', 'sealed_at', 'verified_at', 'damaged_at', 'created_at', 'epoch']
    .map((column) => `uploads_believable_${column}`)
    .concat('recordings_believable_distrusted_at'),
);

/**
 * Reverts a schema to the state before these migrations, as an older version left it; `migrate` runs them again.
 */
export async function withoutLimits({ dialect, queries }: Database): Promise<void> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{
      name: string;
    }>`select name from sqlite_schema where type = 'trigger' and name like '%!_believable!_%!_at!_%' escape '!'`.execute(
      queries,
    );
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(queries);
  } else {
    const { rows } = await sql<{
      conname: string;
      owner: string;
    }>`select conname, conrelid::regclass::text as owner from pg_constraint where conname like '%\\_believable\\_%'`.execute(
      queries,
    );
    for (const { conname, owner } of rows)
      if (!older.has(owner) || added.has(conname))
        await sql`alter table ${sql.table(owner)} drop constraint ${sql.ref(conname)}`.execute(queries);
  }
  for (const name of undone) await sql`delete from schema_migrations where name = ${name}`.execute(queries);
}

/** Removes all limits on stored numbers, so that any can be written, as a damaged disk would. */
export async function withoutAnyLimit(database: Database): Promise<void> {
  await withoutLimits(database);
  if (database.dialect === 'sqlite') {
    await sql`pragma ignore_check_constraints = on`.execute(database.queries);
    return;
  }
  const { rows } = await sql<{
    conname: string;
    owner: string;
  }>`select conname, conrelid::regclass::text as owner from pg_constraint where conname like '%\\_believable\\_%'`.execute(
    database.queries,
  );
  for (const { conname, owner } of rows)
    await sql`alter table ${sql.table(owner)} drop constraint ${sql.ref(conname)}`.execute(database.queries);
}
