import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { SessionRow, UserRow } from '../../storage/database/schema.ts';
import { ipPrefix } from './client-traits.ts';

const tokenPattern = /^[\w-]{43}$/;
const seenEveryMs = minute;

export interface SessionWithUser { session: SessionRow; user: UserRow }

/** Where a session is begun. */
export interface NewSession { userId: string; method: 'password'; label: string; ip: string; remember: boolean }

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether this is a session of a shared computer, which ends with the browser. */
export const isShared = (session: Pick<SessionRow, 'idle_ms'>): boolean => session.idle_ms === limits.session.sharedIdleMs;

/**
 * Begins a session with a new token of 256 random bits, of which only the SHA-256 is stored, and forgets the person's ended ones.
 * Run it in the transaction that removes the session the browser had before: no token survives an authentication.
 */
export async function beginSession(queries: Queries, given: NewSession, deps: { clock: Clock }): Promise<{ token: string; session: SessionRow }> {
  const nowMs = deps.clock.nowMs();
  const token = randomBytes(32).toString('base64url');
  const { idleMs, absoluteMs, sharedIdleMs, sharedAbsoluteMs } = limits.session;
  const session: SessionRow = {
    token_hash: hashOf(token), id: randomUUID(), user_id: given.userId, created_at: nowMs, last_seen_at: nowMs,
    idle_ms: given.remember ? idleMs : sharedIdleMs,
    idle_expires_at: nowMs + (given.remember ? idleMs : sharedIdleMs),
    absolute_expires_at: nowMs + (given.remember ? absoluteMs : sharedAbsoluteMs),
    auth_time: nowMs, method: given.method, label: given.label, ip_prefix: ipPrefix(given.ip),
  };
  await queries.insertInto('sessions').values(session).execute();
  await queries.deleteFrom('sessions').where('user_id', '=', given.userId)
    .where(({ eb }) => eb.or([eb('idle_expires_at', '<=', nowMs), eb('absolute_expires_at', '<=', nowMs)])).execute();
  return { token, session };
}

/** Ends the session of a token and answers with it; null when there was none. */
export async function endSession(queries: Queries, token: string | null): Promise<SessionRow | null> {
  if (token === null || !tokenPattern.test(token)) return null;
  return (await queries.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).returningAll().executeTakeFirst()) ?? null;
}

/** The session and person of a token; null when it counts no longer: unknown, expired, ended, or its person disabled. */
export async function findSession(queries: Queries, token: string, nowMs: number): Promise<SessionWithUser | null> {
  if (!tokenPattern.test(token)) return null;
  const session = await queries.selectFrom('sessions').selectAll()
    .where('token_hash', '=', hashOf(token)).where('idle_expires_at', '>', nowMs).where('absolute_expires_at', '>', nowMs).executeTakeFirst();
  if (!session) return null;
  const user = await queries.selectFrom('users').selectAll().where('id', '=', session.user_id).where('disabled_at', 'is', null).executeTakeFirst();
  return user ? { session, user } : null;
}

/** Notes that a session was used, which moves its idle end; at most once a minute, so that reading does not mean writing. */
export async function touchSession(queries: Queries, session: SessionRow, nowMs: number): Promise<SessionRow> {
  if (nowMs - session.last_seen_at < seenEveryMs) return session;
  const change = { last_seen_at: nowMs, idle_expires_at: Math.min(nowMs + session.idle_ms, session.absolute_expires_at) };
  await queries.updateTable('sessions').set(change).where('token_hash', '=', session.token_hash).execute();
  return { ...session, ...change };
}
