import { type Expression, PostgresAdapter, sql, type SqlBool } from 'kysely';
import type { Queries } from './database.ts';

/** What `prepared` puts at the end of a statement. */
export const preparedMark = '/* prepared */';

/**
 * Put it at the end of a statement that runs often: `query.modifyEnd(prepared)`. PostgreSQL then plans it a few times
 * for each connection, instead of every time. It must be one that is found by keys: the plan does not know how often a
 * value occurs, so a page of the library, for example, must be planned for each account. It must name its columns and
 * use `isOneOf`, so that its text and its result stay the same.
 */
export const prepared = sql.raw(preparedMark);

/**
 * Whether a column has one of these texts: `where((eb) => isOneOf(queries, eb.ref('id'), ids))`. The statement has one
 * text and one parameter for any number of them. PostgreSQL's planner cannot look into the list, so it expects the
 * same rows of each and can use one plan for all.
 */
export function isOneOf(
  queries: Queries,
  column: Expression<string>,
  texts: readonly string[],
): Expression<SqlBool> {
  return queries.getExecutor().adapter instanceof PostgresAdapter
    ? sql<SqlBool>`${column} = any (array(select unnest(${texts}::text[])))`
    : sql<SqlBool>`${column} in (select value from json_each(${JSON.stringify(texts)}))`;
}
