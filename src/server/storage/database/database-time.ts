import { type RawBuilder, sql } from 'kysely';
import { systemClock, type Clock } from '#base/clock.ts';
import type { Database, Queries } from './database.ts';

/** Returns an SQL expression for the time now, in Unix milliseconds. */
export type DatabaseTime = () => RawBuilder<number>;

/** The time of a clock as an SQL expression. */
export const timeOf =
  (clock: Clock): DatabaseTime =>
  () =>
    sql<number>`${sql.lit(clock.nowMs())}`;

/** Not `clock_timestamp()`, which is the same clock, but can change during a statement and so uses no index. */
const postgresTime = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/**
 * The time that all servers of a database agree on. Leases and due times are compared with it, because the clocks of
 * servers differ. On PostgreSQL it is the database's own; on SQLite there is only one machine. A clock that a test sets
 * stands for every clock.
 */
export const databaseTime = ({ dialect }: Pick<Database, 'dialect'>, clock: Clock): DatabaseTime =>
  dialect === 'postgres' && clock === systemClock ? () => postgresTime : timeOf(clock);

/** Reads the time of a database, in Unix milliseconds. */
export async function readTime(queries: Queries, time: DatabaseTime): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${time()} as now`.execute(queries);
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not return its time');
  return row.now;
}
