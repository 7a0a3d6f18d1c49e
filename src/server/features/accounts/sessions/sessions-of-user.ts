import type { Queries } from '#server/storage/database/database.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import { deleteSession } from './sessions-store.ts';
import type { SessionsDeps } from './sessions-deps.ts';

/** Lists the unexpired sessions of a user, most recently used first. */
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
 * Selects the sessions to end: all but `exceptId`, only `onlyId`, or only those that `method` started, with or
 * without a second factor. The running takes of sessions in `finishTakesOf` continue.
 */
export interface EndedSessions {
  exceptId?: string;
  onlyId?: string;
  method?: string;
  finishTakesOf?: readonly string[];
}

/**
 * Ends sessions of a user and revokes their upload capabilities. If all sessions end, also revokes the
 * capabilities of sessions that ended earlier. Returns the ended sessions. Call `announceEnded` after the commit.
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

/**
 * Ends the session of a token in a transaction and revokes its upload capabilities, because a copy of the cookie may
 * have requested some. Returns the session, or null if there was none. Call `announceEnded` after the commit.
 */
export async function endSession(
  { takes }: Pick<SessionsDeps, 'takes'>,
  queries: Queries,
  token: string | null,
): Promise<SessionRow | null> {
  const ended = await deleteSession(queries, token);
  if (ended) await takes.end(queries, { userId: ended.user_id, sessionIds: [ended.id], finishTakesOf: [] });
  return ended;
}

/** Announces ended sessions after the commit, so that their open connections are closed. */
export function announceEnded(
  { takes, onSessionEnded }: Pick<SessionsDeps, 'takes' | 'onSessionEnded'>,
  ended: readonly SessionRow[],
): void {
  takes.ended();
  for (const { id, user_id: userId } of ended) onSessionEnded(id, userId);
}
