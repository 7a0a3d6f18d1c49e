import type { Queries } from '../../../storage/database/database.ts';
import type { SessionRow } from '../../../storage/database/schema.ts';

/** The sessions of a person that count, the latest use first. */
export function listSessions(queries: Queries, userId: string, nowMs: number): Promise<SessionRow[]> {
  return queries.selectFrom('sessions').selectAll().where('user_id', '=', userId).where('idle_expires_at', '>', nowMs).where('absolute_expires_at', '>', nowMs)
    .orderBy('last_seen_at', 'desc').orderBy('id').execute();
}

/** Ends sessions of a person, all but `exceptId`, only `onlyId`, only those that `method` opened, with or without a second factor; answers with those that ended. */
export function endSessionsOf(queries: Queries, userId: string, which: { exceptId?: string; onlyId?: string; method?: string } = {}): Promise<SessionRow[]> {
  let query = queries.deleteFrom('sessions').where('user_id', '=', userId);
  if (which.exceptId !== undefined) query = query.where('id', '!=', which.exceptId);
  if (which.onlyId !== undefined) query = query.where('id', '=', which.onlyId);
  const { method } = which;
  if (method !== undefined) query = query.where(({ eb }) => eb.or([eb('method', '=', method), eb('method', 'like', `${method}+%`)]));
  return query.returningAll().execute();
}
