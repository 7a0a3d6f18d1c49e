import { createStore, type Store } from '#base/store.ts';
import { storedIds } from '#device/site-data/stored-ids.ts';

/** In sessionStorage, because a provider's sign-in page reloads the tab and the user stays the same. */
const stored = storedIds('sessionStorage', 'earshot.claims');

const store = createStore<ReadonlySet<string>>(new Set(stored.read()));

/**
 * The takes without an owner that the signed-in user gets without confirmation: those recorded in this tab and
 * those that the user has claimed. On a shared device all others may belong to another user.
 */
export const claims: Store<ReadonlySet<string>> & {
  add: (takeIds: readonly string[]) => void;
  clear: () => void;
} = {
  getSnapshot: store.getSnapshot,
  subscribe: store.subscribe,
  add: (takeIds) => {
    const claimed = new Set([...store.getSnapshot(), ...takeIds]);
    stored.save(claimed, 100);
    store.set(claimed);
  },
  /** Call it when the user who claimed them signs out. The next user is asked. */
  clear: () => {
    stored.clear();
    store.set(new Set());
  },
};

const dismissed = storedIds('localStorage', 'earshot.not-mine');

/**
 * Takes without an owner that a user has declined. They are stored in this browser, so that each is offered only
 * once.
 */
export const dismissedClaims = {
  has: (userId: string, takeId: string): boolean => dismissed.read().includes(`${userId}:${takeId}`),
  /** Whether another user has declined takes on this device, which means that several users share it. */
  isAnsweredByOthers: (userId: string): boolean =>
    dismissed.read().some((entry) => !entry.startsWith(`${userId}:`)),
  add: (userId: string, takeIds: readonly string[]): void =>
    dismissed.save(new Set([...dismissed.read(), ...takeIds.map((takeId) => `${userId}:${takeId}`)]), 1000),
};
