import type { AccountNotice, SignInMethods, User } from '#contract/accounts-api.ts';
import { createStore } from '#base/store.ts';

export type SessionState = (
  | { status: 'unknown'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User }
) & {
  /** Whether this server lets people create accounts. */
  signUp: 'open' | 'closed';
  /** Whether this server sends mail: a forgotten password can then be reset by it. */
  hasMail: boolean;
  /** There is no account yet, and the first one needs the code that the server prints when it starts. */
  needsSetUpCode: boolean;
  /** What opens the account of the person who is signed in. */
  methods: SignInMethods | null;
  /** What administrators did to the account and this session has not confirmed yet. */
  notices: readonly AccountNotice[];
  /** A sign-out is on its way in this browser: nothing new should be begun with the session. */
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

/** The id of the person this page works for; null: nobody, or not known yet. */
export const principalOf = (state: SessionState): string | null => state.user?.id ?? null;

/** The user whose session may send changes; null while nobody is signed in or a sign-out is under way. */
export function senderId(): string | null {
  const { user, isLeaving } = sessionState.getSnapshot();
  return isLeaving ? null : (user?.id ?? null);
}
