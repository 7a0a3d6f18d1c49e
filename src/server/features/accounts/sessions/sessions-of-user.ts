import type { Queries } from '#server/storage/database/database.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import type { SessionsDeps } from './sessions-deps.ts';

/** The sessions of a user that count, the latest use first. */
export function listSessions(queries: Queries, userId: string, nowMs: number): Promise<SessionRow[]> {
  return queries
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idle_expires_at', '>', nowMs)
    .where('absolute_expires_at', '>', nowMs)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Which sessions end: all but `exceptId`, only `onlyId`, only those that `method` opened, with or without a
 * second factor. The running takes of sessions in `finishTakesOf` continue.
 */
export interface EndedSessions {
  exceptId?: string;
  onlyId?: string;
  method?: string;
  finishTakesOf?: readonly string[];
}

/**
 * Ends sessions of a user and their rights to append to recordings; where all of them end, also the rights
 * of sessions that had ended before. Answers with those that ended. Call `takes.ended` and `onSessionEnded`
 * once the transaction is certain.
 */
export async function endSessionsOf(
  { takes }: Pick<SessionsDeps, 'takes'>,
  queries: Queries,
  { userId, ...which }: EndedSessions & { userId: string },
): Promise<SessionRow[]> {
  let query = queries.deleteFrom('sessions').where('user_id', '=', userId);
  if (which.exceptId !== undefined) query = query.where('id', '!=', which.exceptId);
  if (which.onlyId !== undefined) query = query.where('id', '=', which.onlyId);
  const { method, onlyId, finishTakesOf = [] } = which;
  if (method !== undefined)
    query = query.where(({ eb }) => eb.or([eb('method', '=', method), eb('method', 'like', `${method}+%`)]));
  const ended = await query.returningAll().execute();
  const isAll = method === undefined && onlyId === undefined;
  await takes.end(queries, { userId, sessionIds: isAll ? null : ended.map(({ id }) => id), finishTakesOf });
  return ended;
}

/** Makes the end of sessions known once it is certain, so that what is still open in their name is closed. */
export function announceEnded(
  { takes, onSessionEnded }: Pick<SessionsDeps, 'takes' | 'onSessionEnded'>,
  ended: readonly SessionRow[],
): void {
  takes.ended();
  for (const { id, user_id: userId } of ended) onSessionEnded(id, userId);
}
