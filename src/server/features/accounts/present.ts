import type { FastifyReply } from 'fastify';
import { instantOf } from '#base/instant.ts';
import type { SignedIn, User } from '#contract/accounts-api.ts';
import type { RunningTakeOf } from '#contract/credentials-api.ts';
import type { RouteContext } from '#server/http/route.ts';
import { knownLanguage, knownRole } from '#server/storage/believable/known-words.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import type { AccountsContext, Caller, NewSignIn } from './accounts-context.ts';
import type { AccountCookies } from './cookies.ts';
import type { AccountMail } from './account-mail.ts';
import type { AuthFlows } from './challenges/auth-flows.ts';
import type { LinkTokens } from './challenges/link-tokens.ts';
import type { PasskeyCeremony } from './credentials/passkey-ceremony.ts';
import { isShared } from './sessions/sessions-store.ts';
import type { FailureCeiling } from './throttle/failure-ceiling.ts';

/** What the account routes work with: the context of the operations, and what speaks to browsers. */
export interface AccountsRoutesDeps extends AccountsContext {
  cookies: AccountCookies;
  flows: AuthFlows;
  links: LinkTokens;
  ceremony: PasskeyCeremony;
  ceiling: FailureCeiling;
  mail: AccountMail;
  onSessionEnded: (sessionId: string, userId: string) => void;
  onProfileChanged: (userId: string) => void;
  recordings: AccountRecordings;
  takes: SessionTakes;
}

/** What an account's end means for its recordings; the recordings feature's answer. */
export interface AccountRecordings {
  /** How many there are, and how long together. */
  countOf(userId: string): Promise<{ recordings: number; durationMs: number }>;
  /** Moves them all to the trash, within the transaction of the account's end. */
  trashAllOf(transaction: AccountsTransaction, userId: string): Promise<void>;
}

/** What the sessions of a person may append to; the uploads feature's answer. */
export interface SessionTakes {
  /** The takes of a person that run now, by the sessions that may append to them, the newest first. */
  running(
    queries: Queries,
    userId: string,
  ): Promise<{ sessionId: string; deviceLabel: string; recordingId: string; startedAtMs: number }[]>;
  /**
   * Ends rights to append, within the transaction that ended the sessions: those of these sessions, or (null)
   * of all that no longer exist. Takes that run go on where they belong to a session in `finishTakesOf`.
   */
  end(
    queries: Queries,
    which: { userId: string; sessionIds: readonly string[] | null; finishTakesOf: readonly string[] },
  ): Promise<void>;
  /** The transaction is certain: what is remembered of ended rights is dropped. */
  ended(): void;
}

export type AccountsTransaction = Parameters<Parameters<AccountsContext['database']['transaction']>[0]>[0];

export const presentUser = (row: UserRow): User => ({
  id: row.id,
  displayName: row.display_name,
  email: row.email,
  locale: knownLanguage(row.locale),
  role: knownRole(row.role),
  createdAt: instantOf(row.created_at),
});

export const presentSession = (row: SessionRow): SignedIn['session'] => ({
  id: row.id,
  createdAt: instantOf(row.created_at),
  authTime: instantOf(row.auth_time),
  idleExpiresAt: instantOf(row.idle_expires_at),
  absoluteExpiresAt: instantOf(row.absolute_expires_at),
});

type RunningTake = Awaited<ReturnType<SessionTakes['running']>>[number];

export const presentTake = ({ startedAtMs, ...take }: RunningTake): RunningTakeOf => ({
  ...take,
  startedAt: instantOf(startedAtMs),
});

/** Where a request comes from, and the session it brought. */
export function callerOf(
  { request, ip }: Pick<RouteContext<unknown>, 'request' | 'ip'>,
  cookies: AccountCookies,
): Caller {
  return { ip, userAgent: request.headers['user-agent'], presentedToken: cookies.sessionToken(request) };
}

/**
 * Puts a session into the browser's cookie, closes what the one before it had open, and answers with who is
 * signed in.
 */
export function handOut(
  deps: Pick<AccountsRoutesDeps, 'cookies' | 'onSessionEnded'>,
  signIn: NewSignIn,
  reply: FastifyReply,
): SignedIn {
  deps.cookies.setSession(reply, signIn.token, { remember: !isShared(signIn.session) });
  if (signIn.passwordHash !== null) deps.cookies.rememberDevice(reply, signIn.passwordHash);
  if (signIn.ended) deps.onSessionEnded(signIn.ended.id, signIn.ended.user_id);
  return { user: presentUser(signIn.user), session: presentSession(signIn.session) };
}
