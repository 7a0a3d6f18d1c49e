import { createStore, type Store } from '#base/store.ts';
import type { Owner } from './recording-state.ts';

const store = createStore<string | null>(null);

/**
 * The user whose takes this page may show: the signed-in user or, while the server can't be reached, the user who
 * was signed in last. Null: no user.
 */
export const viewer: Store<string | null> = store;

/** Called by the session. */
export const setViewer = (userId: string | null): void => {
  store.set(userId);
};

interface Owned {
  ownerId: string | null;
}

/** A take without an owner is visible to everyone on this device, an owned one only to its owner. */
export const isVisibleTo = ({ ownerId }: Owned, userId: string | null): boolean =>
  ownerId === null || ownerId === userId;

/** The owner of a take from the point of view of a user. */
export function ownerFor({ ownerId }: Owned, userId: string | null): Owner {
  if (ownerId === null) return 'nobody';
  return ownerId === userId ? 'me' : 'other';
}
