import { randomBytes, randomUUID } from 'node:crypto';
import type { CompiledQuery, InferResult } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { ipPrefix } from '#server/http/edge/client-network.ts';
import { clockToleranceMs } from '#server/storage/rows/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';

const tokenPattern = /^[\w-]{43}$/;
const seenEveryMs = minute;

export interface SessionWithUser {
  session: SessionRow;
  user: UserRow;
}

/** What a user has just proven. */
export interface SessionProof {
  /** `password`, `passkey`, the id of a provider; `+totp` and the like where a second factor joined it. */
  method: string;
  /**
   * Whether it was, or was joined by, a second factor; a passkey that has verified its user counts as both.
   */
  isSecondFactor: boolean;
  /**
   * A provider vouched for the user, but not that they had just signed in there: no change of how the
   * account is protected may rest on it.
   */
  isWeak?: boolean;
}

/** The facts that a new session is stored with. */
export interface NewSession {
  userId: string;
  proof: SessionProof;
  label: string;
  ip: string;
  remember: boolean;
}

const newToken = (): string => randomBytes(32).toString('base64url');

/** Whether this is a session of a shared computer, which ends with the browser. */
export const isShared = (session: Pick<SessionRow, 'idle_ms'>): boolean =>
  session.idle_ms === limits.session.sharedIdleMs;

function spanOf(
  remember: boolean,
  nowMs: number,
): Pick<SessionRow, 'idle_ms' | 'idle_expires_at' | 'absolute_expires_at'> {
  const { idleMs, absoluteMs, sharedIdleMs, sharedAbsoluteMs } = limits.session;
  const [idle, absolute] = remember ? [idleMs, absoluteMs] : [sharedIdleMs, sharedAbsoluteMs];
  return { idle_ms: idle, idle_expires_at: nowMs + idle, absolute_expires_at: nowMs + absolute };
}

/**
 * Begins a session with a new token of 256 random bits, of which only the SHA-256 is stored, and forgets the
 * user's ended ones. Run it in the transaction that removes the session the browser had before: no token
 * survives an authentication.
 */
export async function startSession(
  queries: Queries,
  given: NewSession,
  deps: { clock: Clock },
): Promise<{ token: string; session: SessionRow }> {
  const nowMs = deps.clock.nowMs();
  const token = newToken();
  const session: SessionRow = {
    token_hash: hashOf(token),
    id: randomUUID(),
    user_id: given.userId,
    created_at: nowMs,
    last_seen_at: nowMs,
    ...spanOf(given.remember, nowMs),
    auth_time: nowMs,
    second_factor_at: given.proof.isSecondFactor ? nowMs : null,
    proven_at: given.proof.isWeak === true ? null : nowMs,
    notices_seen_at: null,
    method: given.proof.method,
    label: given.label,
    ip_prefix: ipPrefix(given.ip),
  };
  await queries.insertInto('sessions').values(session).execute();
  await queries
    .deleteFrom('sessions')
    .where('user_id', '=', given.userId)
    .where(({ eb }) => eb.or([eb('idle_expires_at', '<=', nowMs), eb('absolute_expires_at', '<=', nowMs)]))
    .execute();
  return { token, session };
}

/**
 * Gives a session a new token and, with a proof, new life; the old token counts no longer (ASVS 7.2.4). Its
 * public id stays, and with it what is open in its name. Null when the token counts no longer: of two that
 * exchange one token, one gets the new one.
 */
export async function renewSession(
  queries: Queries,
  given: { tokenHash: string; proof: SessionProof | null },
  deps: { clock: Clock },
): Promise<{ token: string; session: SessionRow } | null> {
  const nowMs = deps.clock.nowMs();
  const old = await queries
    .deleteFrom('sessions')
    .where('token_hash', '=', given.tokenHash)
    .returningAll()
    .executeTakeFirst();
  if (!old) return null;
  const token = newToken();
  const proven = given.proof && {
    auth_time: nowMs,
    ...spanOf(!isShared(old), nowMs),
    ...(given.proof.isWeak === true ? {} : { proven_at: nowMs }),
    ...(given.proof.isSecondFactor ? { second_factor_at: nowMs } : {}),
  };
  const session: SessionRow = { ...old, last_seen_at: nowMs, ...proven, token_hash: hashOf(token) };
  await queries.insertInto('sessions').values(session).execute();
  return { token, session };
}

/** Ends the session of a token and answers with it; null when there was none. */
export async function endSession(queries: Queries, token: string | null): Promise<SessionRow | null> {
  if (token === null || !tokenPattern.test(token)) return null;
  return (
    (await queries
      .deleteFrom('sessions')
      .where('token_hash', '=', hashOf(token))
      .returningAll()
      .executeTakeFirst()) ?? null
  );
}

/** Session and user in one row, the user's columns under names of their own. */
const joined = (queries: Queries, tokenHash: string, nowMs: number) =>
  queries
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select([
      'users.display_name',
      'users.email',
      'users.email_key',
      'users.email_verified_at',
      'users.locale',
      'users.role',
      'users.disabled_at',
      'users.created_at as user_created_at',
      'users.notices_seen_at as user_notices_seen_at',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.idle_expires_at', '>', nowMs)
    .where('sessions.absolute_expires_at', '>', nowMs)
    .where('users.disabled_at', 'is', null);

type Joined = InferResult<ReturnType<typeof joined>>[number];
/** Asked by every request: building the statement again would cost more than the database does. */
const compiled = new WeakMap<Queries, CompiledQuery<Joined>>();

function joinedFor(queries: Queries, tokenHash: string, nowMs: number): CompiledQuery<Joined> {
  const known = compiled.get(queries);
  if (known) return { ...known, parameters: [tokenHash, nowMs, nowMs] };
  const query = joined(queries, tokenHash, nowMs).compile();
  compiled.set(queries, query);
  return query;
}

/**
 * Whether a session can be one of ours. One that would last longer than any, or whose numbers cannot be read,
 * proves nothing.
 */
const isReadable = (session: SessionRow, nowMs: number): boolean =>
  session.absolute_expires_at <= nowMs + limits.session.absoluteMs + clockToleranceMs &&
  session.idle_ms > 0 &&
  session.idle_ms <= limits.session.absoluteMs &&
  Number.isFinite(session.created_at) &&
  Number.isFinite(session.last_seen_at);

/**
 * The session and user of a token; null when it counts no longer: unknown, expired, ended, or its user
 * disabled.
 */
export async function findSession(
  queries: Queries,
  token: string,
  nowMs: number,
): Promise<SessionWithUser | null> {
  if (!tokenPattern.test(token)) return null;
  const {
    rows: [row],
  } = await queries.executeQuery(joinedFor(queries, hashOf(token), nowMs));
  if (!row || !isReadable(row, nowMs)) return null;
  const {
    display_name,
    email,
    email_key,
    email_verified_at,
    locale,
    role,
    disabled_at,
    user_created_at,
    user_notices_seen_at,
    ...session
  } = row;
  return {
    session,
    user: {
      id: session.user_id,
      display_name,
      email,
      email_key,
      email_verified_at,
      locale,
      role,
      disabled_at,
      created_at: user_created_at,
      notices_seen_at: user_notices_seen_at,
    },
  };
}

/**
 * Notes that a session was used, which moves its idle end; at most once a minute, so that reading does not
 * mean writing.
 */
export async function touchSession(
  queries: Queries,
  session: SessionRow,
  nowMs: number,
): Promise<SessionRow> {
  if (nowMs - session.last_seen_at < seenEveryMs) return session;
  const change = {
    last_seen_at: nowMs,
    idle_expires_at: Math.min(nowMs + session.idle_ms, session.absolute_expires_at),
  };
  await queries.updateTable('sessions').set(change).where('token_hash', '=', session.token_hash).execute();
  return { ...session, ...change };
}
