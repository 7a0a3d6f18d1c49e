import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { firstRoutes } from '#contract/first-routes.ts';
import { splitRoute } from '#contract/route-text.ts';
import { answerOrError } from './api-error.ts';
import { authEvents } from './auth-events.ts';
import { trackedFetch } from '#web/api/connection/connection.ts';
import { forgetEarlyResponses } from '#web/api/connection/early-responses.ts';
import { rememberUser } from './last-user.ts';
import { fetchWithRetryAfter } from '#web/api/connection/retry-after.ts';
import { HoldClient, type HoldOptions } from '#web/api/hold/hold-client.ts';
import type { HoldEvent } from '#web/api/hold/hold-environment.ts';
import { forgetSignOut, isSignedOutHere, noteAuthTime } from '#web/api/connection/pending-sign-out.ts';
import { confirmOldWrites } from './old-writes-prompt.ts';
import { newId } from '#device/new-id.ts';
import { isStillLeaving, principalOf, sessionState } from './session-state.ts';
import { tabChannel } from './tab-channel.ts';
import { userScope } from './user-scope.ts';

function schedule(delayMs: number, action: () => void): () => void {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
}

/** The hold client of this page. `call`, live events and media probes all use it. */
export const holdClient = new HoldClient({
  fetch: fetchWithRetryAfter(trackedFetch, { isAuthCall, schedule }),
  principal: () => principalOf(sessionState.getSnapshot()),
  readPrincipal: async () => {
    await readSession();
    return principalOf(sessionState.getSnapshot());
  },
  isAuthCall,
  emit: raise,
  confirmSending: confirmOldWrites,
  clock: {
    nowMs: () => Date.now(),
    schedule,
  },
  limits: {
    maxMs: limits.heldRequestMs,
    max: limits.heldRequests,
    maxBytes: limits.heldBytes,
    confirmAfterMs: limits.heldWriteConfirmedAfterMs,
  },
  newKey: newId,
  headers: { 'x-requested-with': 'earshot' },
  channel: tabChannel,
});

/**
 * Sends a request by the rules of `hold/README.md` and returns any response. Use `call` for calls of the contract.
 */
export function request(url: string, init?: RequestInit, options?: HoldOptions): Promise<Response> {
  return holdClient.fetch(url, init, options);
}

userScope.onSessionEnd(forgetEarlyResponses);

let reading = 0;
let latest: Promise<void> = Promise.resolve();

/**
 * Reads from the server who is signed in and updates the session state. The latest request wins, and earlier
 * callers wait for its response.
 * @throws ApiError `offline` or a server error; the state stays unchanged
 */
export function readSession(): Promise<void> {
  latest = readInTurn(++reading);
  return latest;
}

async function readInTurn(turn: number): Promise<void> {
  const response = await answerOrError(() => request(splitRoute(firstRoutes.getSession).path));
  const reply: ReplyOf<Api['getSession']> = await answerOrError(() => response.json());
  if (turn !== reading) return latest;
  const { user, session, signUp, hasMail, needsSetUpCode, methods, notices } = reply;
  if (user && isSignedOutHere(user.id, session)) {
    await answerOrError(() => request(splitRoute(firstRoutes.logOut).path, { method: 'POST' }));
    forgetSignOut();
    return readSession();
  }
  forgetSignOut();
  if (user && session) rememberUser(user, session);
  const isLeaving = user !== null && isStillLeaving();
  const known = { signUp, hasMail, needsSetUpCode, methods, notices, isLeaving };
  sessionState.set(
    user ? { ...known, status: 'signed-in', user } : { ...known, status: 'signed-out', user: null },
  );
  noteAuthTime(session);
}

function raise(event: HoldEvent): void {
  switch (event.type) {
    case 'login-confirmed':
      return authEvents.emit('login-confirmed', { userId: event.principal });
    case 'login-cancelled':
      return authEvents.emit('login-cancelled', {});
    case 'forbidden':
      return authEvents.emit('forbidden', { code: event.code, url: event.url });
    case 'login-required':
      return authEvents.emit('login-required', { code: event.code, url: event.url });
    case 'reauthentication-required':
      return authEvents.emit('reauthentication-required', { url: event.url });
    // The session reads who is signed in instead and then emits the public event.
    case 'principal-changed':
      readSession().catch(() => undefined);
  }
}

/** Sends a background request: it is not held, and a lost session does not prompt for a sign-in. */
export function requestWithoutHold(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const principal = principalOf(sessionState.getSnapshot());
  const sent = new Headers(headers);
  sent.set('x-requested-with', 'earshot');
  if (principal !== null) sent.set('x-expected-principal', principal);
  return trackedFetch(path, { ...init, headers: sent });
}

/** Calls below `/auth/` that need a session. They are held until the sign-in, as any other call. */
const accountCalls =
  /^\/auth\/(?:identities|unlink|sessions|account|email|password|totp|recovery-codes|passkeys)(?:\/|$)/;
/** Calls below the same paths that need no session. */
const signedOutCalls = /^\/auth\/(?:password\/(?:forgot|reset)|email\/undo|passkeys\/(?:sign-in|sign-up))/;

/**
 * Whether a call signs a user in or out, or reads the session. Such a call is never held and expects no principal.
 */
export function isAuthCall(url: string): boolean {
  // The base only makes a relative URL parsable.
  const { pathname } = new URL(url, 'http://here');
  return pathname.startsWith('/auth/') && (!accountCalls.test(pathname) || signedOutCalls.test(pathname));
}
