import { sql, type RawBuilder } from 'kysely';
import { instantBounds } from '#base/instant.ts';
import { longestSoundMs } from '#base/numbers/untrusted-numbers.ts';
import type { Migration, MigrationContext } from '../migration.ts';

interface Bounds { least: number; most: number }
type Columns = Readonly<Record<string, Bounds>>;

const count: Bounds = { least: 0, most: Number.MAX_SAFE_INTEGER };
const length: Bounds = { least: 0, most: longestSoundMs };
const checksum: Bounds = { least: 0, most: 0xffff_ffff };

const exportColumns: Columns = { size_bytes: count, entry_count: count, directory_offset: count, directory_size: count, recording_count: count, left_out: count, created_at: instantBounds, expires_at: instantBounds };
const entryColumns: Columns = { position: count, size_bytes: count, crc32: checksum, offset_bytes: count, directory_bytes: count };

/** Every length, count, size and moment that 0015 left out, by table. Sums that triggers keep are not among them: a wrong one must not refuse a note. */
const believable: Readonly<Record<string, Columns>> = {
  markers: { at_ms: length, created_at: instantBounds },
  notes: { from_ms: length, to_ms: length, revision: { least: 1, most: count.most }, created_at: instantBounds, updated_at: instantBounds },
  playback_positions: { position_ms: length, heard_at: instantBounds },
  imported_files: { file_size_bytes: count },
  quotas: { quota_bytes: count },
  announced_recordings: { size_bytes: count },
  recording_changes: { position: count, at: instantBounds, from_ms: length, duration_ms: count, count },
  account_exports: exportColumns,
  account_export_entries: entryColumns,
  upload_checksums: { crc32: checksum },
  uploads: { packet_samples: count, sealed_at: instantBounds, verified_at: instantBounds, damaged_at: instantBounds, created_at: instantBounds },
  recordings: { distrusted_at: instantBounds },
};

/** Brings what cannot be to the nearest that can. */
async function repair({ transaction }: MigrationContext, table: string, columns: Columns): Promise<void> {
  for (const [column, { least, most }] of Object.entries(columns)) {
    const name = sql.ref(column);
    await sql`update ${sql.table(table)} set ${name} = case when ${name} < ${sql.lit(least)} then ${sql.lit(least)} else ${sql.lit(most)} end
      where ${name} < ${sql.lit(least)} or ${name} > ${sql.lit(most)}`.execute(transaction);
  }
}

/** Whether a row has a number that cannot be. */
const isBroken = (columns: Columns): RawBuilder<boolean> =>
  sql`(${sql.join(Object.entries(columns).map(([column, { least, most }]) => sql`${sql.ref(column)} not between ${sql.lit(least)} and ${sql.lit(most)}`), sql` or `)})`;

/** A plan of an export with repaired offsets would be a broken ZIP, and its entries are told apart by their positions. The user starts another. */
async function dropBrokenExports({ transaction }: MigrationContext): Promise<void> {
  await sql`delete from account_exports where ${isBroken(exportColumns)} or id in (select export_id from account_export_entries where ${isBroken(entryColumns)})`.execute(transaction);
}

/** SQLite adds a constraint to a table only together with a column: triggers refuse the same numbers. A row in which another number is wrong can still be changed. */
async function refuseInSqlite({ transaction }: MigrationContext, table: string, columns: Columns): Promise<void> {
  for (const [column, { least, most }] of Object.entries(columns)) {
    const name = `${table}_believable_${column}`;
    for (const [suffix, when] of [['insert', 'insert'], ['update', `update of "${column}"`]]) {
      await sql.raw(`create trigger ${name}_at_${suffix} before ${when} on ${table} when new."${column}" not between ${least} and ${most}
        begin select raise(abort, '${name}'); end`).execute(transaction);
    }
  }
}

async function refuseInPostgres({ transaction }: MigrationContext, table: string, columns: Columns): Promise<void> {
  const checks = Object.entries(columns).map(([column, { least, most }]) => `add constraint ${table}_believable_${column} check ("${column}" between ${least} and ${most})`);
  await sql.raw(`alter table ${table} ${checks.join(', ')}`).execute(transaction);
}

/** The rule of 0015 for labels, positions, imports, exports and the history: no number that cannot be is stored, whichever file or feature it comes from. */
export const believableLabelsMigration: Migration = {
  name: '0023-believable-labels',
  async up(context) {
    await dropBrokenExports(context);
    for (const [table, columns] of Object.entries(believable)) await repair(context, table, columns);
    // What was brought to the longest length may end where it begins: it is about a moment then.
    await sql`update notes set to_ms = null where to_ms <= from_ms`.execute(context.transaction);
    const refuse = context.dialect === 'sqlite' ? refuseInSqlite : refuseInPostgres;
    for (const [table, columns] of Object.entries(believable)) await refuse(context, table, columns);
  },
};
