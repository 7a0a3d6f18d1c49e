import { useSyncExternalStore } from 'react';
import { minute, second } from '#base/duration.ts';
import type { User } from '#contract/accounts-api.ts';
import { ApiError, isUnreached } from './api-error.ts';
import { authEvents } from './auth-events.ts';
import { firstCall } from './first-call.ts';
import { watchFirstAnswer } from './connection/cut-off.ts';
import { forgetSignOut, isSignOutPending, storeSignOut } from '#web/api/connection/pending-sign-out.ts';
import { readSession } from './request.ts';
import { principalOf, sessionState, setLeaving, type SessionState } from './session-state.ts';
import { retry } from './connection/retry.ts';
import { knownQueryClient } from './queries/known-query-client.ts';
import { followTabOwner, followViewer, leaveTab, rememberUsers } from './viewer.ts';
import { tabChannel } from './tab-channel.ts';

export type { SessionState } from './session-state.ts';

/** A tab that becomes visible reads the session again, but not more often than this. */
const recheckMs = 30_000;

/** Without an answer until then, the user is signed out here and the server ends the session later. */
const signOutTimeoutMs = 5 * second;

/** The tab that signs out may be closed meanwhile: the others then no longer wait for it. */
const maxLeaveMs = minute;

/** The session, for code outside React. */
export const session = {
  subscribe: sessionState.subscribe,
  getSnapshot: sessionState.getSnapshot,
  /** @throws ApiError if the server cannot be reached; the state stays unchanged */
  refresh: readSession,
  /** Takes over a changed profile of the signed-in user. */
  updateUser(user: User): void {
    const state = sessionState.getSnapshot();
    if (state.user?.id === user.id) sessionState.set({ ...state, status: 'signed-in', user });
  },
};

export function useSession(): SessionState {
  return useSyncExternalStore(sessionState.subscribe, sessionState.getSnapshot, sessionState.getSnapshot);
}

/**
 * Sends a call that ends the session in this tab and all others. Notifies all tabs before the request,
 * because the server then closes the live connections, which must not look like a lost session.
 */
export async function leave(send: () => Promise<unknown>): Promise<void> {
  tabChannel.post('signing-out');
  setLeaving(true, Infinity);
  try {
    await send();
  } catch (error) {
    setLeaving(false);
    tabChannel.post('signed-out');
    throw error;
  }
  showSignedOut('this-tab');
  tabChannel.post('signed-out');
}

/**
 * Shows nothing of the user any more, whether or not the server knows it yet. After a sign-out of another tab, the
 * session and `isLeaving` end together: the screens then say so, as after a read of the session.
 */
function showSignedOut(by: 'this-tab' | 'another-tab'): void {
  setLeaving(true);
  leaveTab();
  sessionState.set({
    ...sessionState.getSnapshot(),
    status: 'signed-out',
    user: null,
    methods: null,
    notices: [],
    isLeaving: by === 'this-tab',
  });
  setLeaving(false);
}

/** Whether the server may have ended the session later or not at all, because it has not said. */
const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiError) || isUnreached(error) || error.status >= 500;

/**
 * Signs out. Takes that are not on the server yet stay on this device. Without an answer of the server the user is
 * signed out here, and the session ends as soon as the server can be reached, also after a reload.
 * @returns whether the server has ended the session
 * @throws ApiError; the user is then still signed in
 */
export async function signOut(): Promise<'ended' | 'pending'> {
  const { user } = sessionState.getSnapshot();
  const isStored = user !== null && storeSignOut(user.id);
  try {
    await leave(() => firstCall('logOut', { signal: AbortSignal.timeout(signOutTimeoutMs) }));
  } catch (error) {
    if (!isStored || !isUnanswered(error)) {
      forgetSignOut();
      throw error;
    }
    showSignedOut('this-tab');
    void endPendingSession();
    return 'pending';
  }
  forgetSignOut();
  return 'ended';
}

/** The next answer about the session ends it (request.ts). */
const endPendingSession = (): Promise<void> => retry(readSession, isSignOutPending).catch(() => undefined);

/** Another tab may have signed out without the server, or this page may be from before that. */
function followPendingSignOut(): void {
  if (isSignOutPending() && sessionState.getSnapshot().user !== null) showSignedOut('another-tab');
}

let isStarted = false;

/** Starts following the session: now, in other tabs, and whenever this page becomes visible. Call once per page. */
export function loadSession(): void {
  if (isStarted) return;
  isStarted = true;
  followUser();
  rememberUsers();
  followViewer();
  followTabOwner();
  watchFirstAnswer();
  authEvents.on('login-cancelled', () => {
    // Until the server has confirmed it, no request may run into the same lost session and reopen the dialog that
    // was just closed.
    setLeaving(true);
    refreshQuietly();
  });
  tabChannel.listen((hint) => {
    if (hint === 'signing-out') setLeaving(true, maxLeaveMs);
    if (hint === 'signed-out') {
      setLeaving(true);
      // If the sign-out failed, the next read of the session finds the user at this tab again.
      leaveTab();
      followPendingSignOut();
      refreshQuietly();
    }
  });
  let checkedAtMs = performance.now();
  const recheck = () => {
    if (document.visibilityState !== 'visible' || performance.now() - checkedAtMs < recheckMs) return;
    checkedAtMs = performance.now();
    refreshQuietly();
  };
  document.addEventListener('visibilitychange', recheck);
  // A page from the back-forward cache shows the user of that time.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    followPendingSignOut();
    refreshQuietly();
  });
  // The browser's events prove nothing: a server on this machine responds without a network. Ask the server.
  for (const change of ['online', 'offline']) addEventListener(change, () => refreshQuietly());
  void readFirstSession();
}

function refreshQuietly(): void {
  readSession().catch(() => undefined);
}

/**
 * Retries the first request until it succeeds: without a session state the page can neither send changes nor show
 * the account.
 */
const readFirstSession = (): Promise<void> =>
  retry(
    async () => {
      if (sessionState.getSnapshot().status === 'unknown') await readSession();
    },
    () => true,
  );

/** Refetches the current screens once a user signs in, and emits an event if it is another user than before. */
function followUser(): void {
  let known = principalOf(sessionState.getSnapshot());
  // Kept across a sign-out, because a running take still belongs to that user.
  let lastUserId = known;
  sessionState.subscribe(() => {
    const [from, to] = [known, principalOf(sessionState.getSnapshot())];
    known = to;
    if (from === to || to === null) return;
    // A query that waits for this sign-in must not be sent twice.
    if (from === null) void knownQueryClient.getSnapshot()?.invalidateQueries({}, { cancelRefetch: false });
    else void knownQueryClient.getSnapshot()?.refetchQueries({ type: 'active' });
    const before = lastUserId;
    lastUserId = to;
    if (before !== null && before !== to) authEvents.emit('principal-changed', { from: before, to });
  });
}
