import { useSyncExternalStore } from 'react';
import type { User } from '#contract/accounts-api.ts';
import { authEvents } from './auth-events.ts';
import { call } from './call.ts';
import { watchFirstAnswer } from './connection/cut-off.ts';
import { rememberUsers } from './viewer.ts';
import { readSession } from './request.ts';
import { principalOf, sessionState, type SessionState } from './session-state.ts';
import { backOffMs } from '#base/back-off.ts';
import { knownQueryClient } from './queries/known-query-client.ts';
import { tabChannel } from './tab-channel.ts';

export type { SessionState } from './session-state.ts';

/** Not more often than this a tab that is looked at again asks who is signed in. */
const recheckMs = 30_000;

/** Who is signed in, for code outside React. */
export const session = {
  subscribe: sessionState.subscribe,
  getSnapshot: sessionState.getSnapshot,
  /** @throws ApiError when the server cannot be asked; the state stays as it was. */
  refresh: readSession,
  /** Takes over a changed profile of the person who is signed in. */
  updateUser(user: User): void {
    const state = sessionState.getSnapshot();
    if (state.user?.id === user.id) sessionState.set({ ...state, status: 'signed-in', user });
  },
};

export function useSession(): SessionState {
  return useSyncExternalStore(sessionState.subscribe, sessionState.getSnapshot, sessionState.getSnapshot);
}

/**
 * Ends the session here and in the other tabs by a call of the user's own. Before the server acts, all tabs know:
 * its last message to the live connections must not look like a lost session.
 */
async function leave(send: () => Promise<unknown>): Promise<void> {
  tabChannel.post('signing-out');
  setLeaving(true);
  try {
    await send();
  } catch (error) {
    setLeaving(false);
    tabChannel.post('signed-out');
    throw error;
  }
  sessionState.set({
    ...sessionState.getSnapshot(),
    status: 'signed-out',
    user: null,
    methods: null,
    notices: [],
    isLeaving: false,
  });
  tabChannel.post('signed-out');
}

/**
 * Signs out. Takes that are not on the server yet stay on this device.
 * @throws ApiError; the user is then still signed in
 */
export const signOut = (): Promise<void> => leave(() => call('logOut'));

/**
 * Deletes the account on the server, and with it all sessions.
 * @throws ApiError; the account is then still there
 */
export const deleteAccount = (): Promise<void> => leave(() => call('deleteAccount'));

function setLeaving(isLeaving: boolean): void {
  sessionState.set({ ...sessionState.getSnapshot(), isLeaving });
}

let isStarted = false;

/**
 * Begins to follow who is signed in: now, in other tabs, and whenever this page is looked at again. Once per
 * page.
 */
export function loadSession(): void {
  if (isStarted) return;
  isStarted = true;
  followUser();
  rememberUsers();
  watchFirstAnswer();
  authEvents.on('login-cancelled', () => {
    // Until the server has said so: nothing may run into the same lost session again and reopen the dialog
    // just closed.
    setLeaving(true);
    refreshQuietly();
  });
  tabChannel.listen((hint) => {
    if (hint === 'signing-out') setLeaving(true);
    if (hint === 'signed-out') refreshQuietly();
  });
  let checkedAtMs = performance.now();
  const recheck = () => {
    if (document.visibilityState !== 'visible' || performance.now() - checkedAtMs < recheckMs) return;
    checkedAtMs = performance.now();
    refreshQuietly();
  };
  document.addEventListener('visibilitychange', recheck);
  // A page out of the back-forward cache shows the person of back then.
  addEventListener('pageshow', (event) => {
    if (event.persisted) refreshQuietly();
  });
  // The browser's word alone proves nothing, in either direction: a server on this machine answers without a
  // network. Ask.
  for (const change of ['online', 'offline']) addEventListener(change, () => refreshQuietly());
  void learnFirst();
}

function refreshQuietly(): void {
  readSession().catch(() => undefined);
}

/**
 * The first question is asked until it is answered: without an answer the page can neither send nor say
 * anything about the account.
 */
async function learnFirst(): Promise<void> {
  for (let failures = 0; sessionState.getSnapshot().status === 'unknown'; failures += 1) {
    try {
      await readSession();
    } catch {
      await new Promise((resolve) => {
        setTimeout(resolve, backOffMs(failures));
      });
    }
  }
}

/** Reads again what the screens show once a user signs in, and says when it is another user than before. */
function followUser(): void {
  let known = principalOf(sessionState.getSnapshot());
  // Also past a sign-out: a running take still belongs to that user.
  let lastUserId = known;
  sessionState.subscribe(() => {
    const [from, to] = [known, principalOf(sessionState.getSnapshot())];
    known = to;
    if (from === to || to === null) return;
    // A query that waits for this very sign-in continues to wait; it must not be sent twice.
    if (from === null) void knownQueryClient.getSnapshot()?.invalidateQueries({}, { cancelRefetch: false });
    else void knownQueryClient.getSnapshot()?.refetchQueries({ type: 'active' });
    const before = lastUserId;
    lastUserId = to;
    if (before !== null && before !== to) authEvents.emit('principal-changed', { from: before, to });
  });
}
