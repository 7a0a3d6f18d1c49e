import { sql, type RawBuilder } from 'kysely';
import type { MigrationContext } from './migration.ts';

export interface ColumnBounds {
  min: number;
  max: number;
  /**
   * Replaces a number outside the bounds where the nearest bound would claim something false. Defaults to the
   * nearest bound.
   */
  instead?: number | null;
}
export type BoundedColumns = Readonly<Record<string, ColumnBounds>>;

const outside = (column: string, { min, max }: ColumnBounds): RawBuilder<boolean> =>
  sql`${sql.ref(column)} not between ${sql.lit(min)} and ${sql.lit(max)}`;

/** Matches rows with a number outside its bounds. */
export const isBroken = (columns: BoundedColumns): RawBuilder<boolean> =>
  sql`(${sql.join(
    Object.entries(columns).map(([column, bounds]) => outside(column, bounds)),
    sql` or `,
  )})`;

/** Replaces numbers outside their bounds. */
export async function repairNumbers(
  { transaction }: Pick<MigrationContext, 'transaction'>,
  table: string,
  columns: BoundedColumns,
): Promise<void> {
  for (const [column, bounds] of Object.entries(columns)) {
    const name = sql.ref(column);
    const nearest = sql`case when ${name} < ${sql.lit(bounds.min)} then ${sql.lit(bounds.min)} else ${sql.lit(bounds.max)} end`;
    const replacement = bounds.instead === undefined ? nearest : sql.lit(bounds.instead);
    await sql`update ${sql.table(table)} set ${name} = ${replacement} where ${outside(column, bounds)}`.execute(
      transaction,
    );
  }
}

/**
 * SQLite cannot add a constraint to an existing column, so triggers reject the same numbers. They check one column
 * each, so a row with another invalid number can still be changed.
 */
async function constrainInSqlite(
  { transaction }: MigrationContext,
  table: string,
  columns: BoundedColumns,
): Promise<void> {
  for (const [column, { min, max }] of Object.entries(columns)) {
    const name = `${table}_believable_${column}`;
    for (const [suffix, when] of [
      ['insert', 'insert'],
      ['update', `update of "${column}"`],
    ]) {
      await sql
        .raw(`create trigger ${name}_at_${suffix} before ${when} on ${table} when new."${column}" not between ${min} and ${max}
        begin select raise(abort, '${name}'); end`)
        .execute(transaction);
    }
  }
}

async function constrainInPostgres(
  { transaction }: MigrationContext,
  table: string,
  columns: BoundedColumns,
): Promise<void> {
  const checks = Object.entries(columns).map(
    ([column, { min, max }]) =>
      `add constraint ${table}_believable_${column} check ("${column}" between ${min} and ${max})`,
  );
  await sql.raw(`alter table ${table} ${checks.join(', ')}`).execute(transaction);
}

/** From now on the table takes no number outside of these bounds. Its rows must satisfy them already. */
export const constrainNumbers = (
  context: MigrationContext,
  table: string,
  columns: BoundedColumns,
): Promise<void> =>
  (context.dialect === 'sqlite' ? constrainInSqlite : constrainInPostgres)(context, table, columns);
