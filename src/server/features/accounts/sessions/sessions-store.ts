import { randomBytes, randomUUID } from 'node:crypto';
import type { CompiledQuery, InferResult } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { ipPrefix } from '#server/http/client-network.ts';
import { clockToleranceMs } from '#server/storage/rows/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { prepared } from '#server/storage/database/prepared.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';

const tokenPattern = /^[\w-]{43}$/;
const seenEveryMs = minute;

export interface SessionWithUser {
  session: SessionRow;
  user: UserRow;
}

/** A proof that a user has just given. */
export interface SessionProof {
  /** `password`, `passkey` or the id of a provider, followed by for example `+totp` if a second factor was used. */
  method: string;
  /** Whether the proof includes a second factor. A passkey that verified its user counts as both factors. */
  isSecondFactor: boolean;
  /**
   * Whether the provider identified the user without proving that they had just signed in there. Such a proof does
   * not allow changes to how the account is protected.
   */
  isWeak?: boolean;
}

/** The data of a new session. */
export interface NewSession {
  userId: string;
  proof: SessionProof;
  label: string;
  ip: string;
  remember: boolean;
}

const newToken = (): string => randomBytes(32).toString('base64url');

/** Whether this is a session on a shared computer, which ends when the browser closes. */
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
 * Starts a session with a new token of 256 random bits, of which only the SHA-256 is stored, and deletes the
 * user's expired sessions. Run it in the transaction that ends the browser's previous session, so that no token
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
 * Replaces a session's token (ASVS 7.2.4) and, with a proof, extends the session. The old token becomes invalid.
 * The public id stays the same, so open connections stay open. Returns null if the token is invalid; of two
 * concurrent renewals only one succeeds.
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

/** Deletes the session of a token and returns it; null if there was none. `endSession` ends what it opened, too. */
export async function deleteSession(queries: Queries, token: string | null): Promise<SessionRow | null> {
  if (token === null || !tokenPattern.test(token)) return null;
  return (
    (await queries
      .deleteFrom('sessions')
      .where('token_hash', '=', hashOf(token))
      .returningAll()
      .executeTakeFirst()) ?? null
  );
}

/** Selects session and user as one row, with aliases for the columns whose names clash. */
const joined = (queries: Queries, tokenHash: string, nowMs: number) =>
  queries
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.token_hash',
      'sessions.id',
      'sessions.user_id',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.idle_ms',
      'sessions.idle_expires_at',
      'sessions.absolute_expires_at',
      'sessions.auth_time',
      'sessions.second_factor_at',
      'sessions.proven_at',
      'sessions.notices_seen_at',
      'sessions.method',
      'sessions.label',
      'sessions.ip_prefix',
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
    .where('users.disabled_at', 'is', null)
    .modifyEnd(prepared);

type Joined = InferResult<ReturnType<typeof joined>>[number];
/** Runs on every request. Building the statement each time would cost more than running it. */
const compiled = new WeakMap<Queries, CompiledQuery<Joined>>();

function joinedFor(queries: Queries, tokenHash: string, nowMs: number): CompiledQuery<Joined> {
  const known = compiled.get(queries);
  if (known) return { ...known, parameters: [tokenHash, nowMs, nowMs] };
  const query = joined(queries, tokenHash, nowMs).compile();
  compiled.set(queries, query);
  return query;
}

/**
 * Whether a session's numbers are plausible. A session that would outlive every real one, or that has unreadable
 * numbers, is rejected.
 */
const isReadable = (session: SessionRow, nowMs: number): boolean =>
  session.absolute_expires_at <= nowMs + limits.session.absoluteMs + clockToleranceMs &&
  session.idle_ms > 0 &&
  session.idle_ms <= limits.session.absoluteMs &&
  Number.isFinite(session.created_at) &&
  Number.isFinite(session.last_seen_at);

/**
 * Finds the session and user of a token. Returns null if the token is unknown, expired or ended, or its user is
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
 * Records that a session was used and extends its idle timeout. Writes at most once a minute, so that not every
 * read request writes.
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
