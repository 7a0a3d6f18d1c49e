import type { AccountNotice, SignInMethods, User } from '#contract/accounts-api.ts';
import { createStore } from '#base/store.ts';
import { userScope } from './user-scope.ts';

export type SessionState = (
  | { status: 'unknown'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User }
) & {
  /** Whether this server accepts new accounts. */
  signUp: 'open' | 'closed';
  /** Whether this server sends mail, which allows resetting a forgotten password. */
  hasMail: boolean;
  /** There is no account yet, and the first one needs the code that the server prints when it starts. */
  needsSetUpCode: boolean;
  /** The sign-in methods of the signed-in user. */
  methods: SignInMethods | null;
  /** What administrators did to the account and this session has not confirmed yet. */
  notices: readonly AccountNotice[];
  /** A sign-out is under way in this browser: nothing new may be started with the session. */
  isLeaving: boolean;
};

export const sessionState = createStore<SessionState>({
  status: 'unknown',
  user: null,
  signUp: 'open',
  hasMail: false,
  needsSetUpCode: false,
  methods: null,
  notices: [],
  isLeaving: false,
});

/** The id of the user whose session this page has; null while no user is signed in, or that is not known yet. */
export const principalOf = (state: SessionState): string | null => state.user?.id ?? null;

/** The user whose session may send changes; null while no user is signed in or a sign-out is under way. */
export function senderId(): string | null {
  const { user, isLeaving } = sessionState.getSnapshot();
  return isLeaving ? null : (user?.id ?? null);
}

/** Until when a read of the session leaves `isLeaving` as it is, on the page's clock. */
let leavingUntilMs = 0;

/**
 * Sets `isLeaving`. A later read of the session clears it.
 * @param holdMs for how long such a read does not: a recent proof or another tab may read it during a sign-out
 */
export function setLeaving(isLeaving: boolean, holdMs = 0): void {
  leavingUntilMs = performance.now() + holdMs;
  sessionState.set({ ...sessionState.getSnapshot(), isLeaving });
}

/** Whether a sign-out is still under way, for a read of the session that found a user. */
export const isStillLeaving = (): boolean =>
  sessionState.getSnapshot().isLeaving && performance.now() < leavingUntilMs;

// The first listener: a user's data is gone before any other part of the page learns of the change.
let known = sessionState.getSnapshot();
sessionState.subscribe(() => {
  const now = sessionState.getSnapshot();
  userScope.follow(principalOf(now), known.isLeaving || now.isLeaving);
  known = now;
});
