import { createStore, type Store } from '#base/store.ts';
import type { Owner } from './recording-state.ts';

const store = createStore<string | null>(null);

/**
 * The user whose takes this page may show: the one who is signed in or, while no server says who that is, the
 * one who was signed in last. Null: nobody.
 */
export const viewer: Store<string | null> = store;

/** The session says for whom the page is. */
export const setViewer = (userId: string | null): void => {
  store.set(userId);
};

interface Owned {
  ownerId: string | null;
}

/** A take without an owner is visible to everyone on this device, an owned one to its owner alone. */
export const isVisibleTo = ({ ownerId }: Owned, userId: string | null): boolean =>
  ownerId === null || ownerId === userId;

/** Whose a take is, from the point of view of a user. */
export function ownerFor({ ownerId }: Owned, userId: string | null): Owner {
  if (ownerId === null) return 'nobody';
  return ownerId === userId ? 'me' : 'other';
}
