import { createStore, type Store } from '#base/store.ts';
import { storedIds } from '#device/site-data/stored-ids.ts';

/**
 * A tab that is reloaded on the way to an account, as by a provider's sign-in page, is still the same
 * person's.
 */
const kept = storedIds('sessionStorage', 'earshot.claims');

const store = createStore<ReadonlySet<string>>(new Set(kept.read()));

/**
 * The takes of nobody that whoever is signed in may have without a question: those made in this tab, and
 * those that were said to be theirs. On a shared device anything else may be another person's.
 */
export const claims: Store<ReadonlySet<string>> & { add: (takeIds: readonly string[]) => void } = {
  getSnapshot: store.getSnapshot,
  subscribe: store.subscribe,
  add: (takeIds) => {
    const claimed = new Set([...store.getSnapshot(), ...takeIds]);
    kept.save(claimed, 100);
    store.set(claimed);
  },
};

const rejected = storedIds('localStorage', 'earshot.not-mine');

/**
 * Which takes of nobody a person has said are not theirs; remembered in this browser, so that nobody is asked
 * twice.
 */
export const notMine = {
  has: (userId: string, takeId: string): boolean => rejected.read().includes(`${userId}:${takeId}`),
  /** Whether another person has answered the question on this device: it has several users then. */
  isAnsweredByOthers: (userId: string): boolean =>
    rejected.read().some((entry) => !entry.startsWith(`${userId}:`)),
  add: (userId: string, takeIds: readonly string[]): void =>
    rejected.save(new Set([...rejected.read(), ...takeIds.map((takeId) => `${userId}:${takeId}`)]), 1000),
};
