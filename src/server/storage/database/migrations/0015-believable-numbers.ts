import { sql } from 'kysely';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import type { Migration, MigrationContext } from '#server/storage/database/migration.ts';

interface Bounds {
  min: number;
  max: number;
}
type Columns = Readonly<Record<string, Bounds>>;

/** The largest number that both databases and every browser represent exactly. */
const count: Bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
const length: Bounds = { min: 0, max: maxSoundMs };
/** From the year 0 to 9999-12-31: the range of RFC 3339. */
const moment: Bounds = { min: -62_167_219_200_000, max: 253_402_300_799_999 };

const ofRecordings: Columns = {
  duration_ms: length,
  size_bytes: count,
  stored_bytes: count,
  peaks_points: count,
  sample_rate_hz: { min: 0, max: 768_000 },
  channels: { min: 0, max: 255 },
  started_at: moment,
  created_at: moment,
  updated_at: moment,
  deleted_at: moment,
  damaged_at: moment,
  finished_at: moment,
};
const ofUploads: Columns = {
  start_ms: length,
  size_bytes: count,
  remuxed_bytes: count,
  segment_index: { min: 0, max: 9999 },
};

const conditionOf = (columns: Columns): string =>
  Object.entries(columns)
    .map(([column, { min, max }]) => `${column} between ${min} and ${max}`)
    .join(' and ');

/** Replaces impossible numbers with the nearest possible one. Returns the ids of the repaired rows. */
async function repair({ transaction }: MigrationContext, table: string, columns: Columns): Promise<string[]> {
  const nearest = Object.entries(columns).map(
    ([column, { min, max }]) =>
      `${column} = case when ${column} < ${min} then ${min} when ${column} > ${max} then ${max} else ${column} end`,
  );
  const { rows } = await sql
    .raw<{ id: string }>(
      `update ${table} set ${nearest.join(', ')} where not (${conditionOf(columns)}) returning id`,
    )
    .execute(transaction);
  return rows.map(({ id }) => id);
}

/**
 * Adds an integer column together with constraints on other columns, the only way SQLite can add them to a table.
 * The rows must satisfy them already. Each column gets a separate constraint, so that SQLite allows deleting or
 * renaming a row with another invalid number.
 */
async function addWithConstraints(
  { transaction, types }: MigrationContext,
  table: string,
  { column, columns }: { column: string; columns: Columns },
): Promise<void> {
  const checks = Object.entries(columns).map(
    ([name, bounds]) => `constraint ${table}_believable_${name} check (${conditionOf({ [name]: bounds })})`,
  );
  await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${types.integer} ${sql.raw(checks.join(' '))}`.execute(
    transaction,
  );
}

/**
 * Prevents impossible lengths, counts and moments from being stored, whatever a file claims or a feature forgets
 * to check: one such number would make every list with its row fail.
 */
export const believableNumbersMigration: Migration = {
  name: '0015-believable-numbers',
  async up(context) {
    await repair(context, 'uploads', ofUploads);
    await addWithConstraints(context, 'uploads', { column: 'packet_samples', columns: ofUploads });
    const repaired = await repair(context, 'recordings', ofRecordings);
    await addWithConstraints(context, 'recordings', { column: 'distrusted_at', columns: ofRecordings });
    for (const id of repaired)
      await sql`update recordings set distrusted_at = updated_at where id = ${id}`.execute(
        context.transaction,
      );
  },
};
