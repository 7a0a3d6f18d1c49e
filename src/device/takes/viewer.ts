import { createStore, type Store } from '#base/store.ts';
import { storedIds } from '#device/site-data/stored-ids.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';
import type { Owner } from './recording-state.ts';

/** What a tab remembers of the user whose session it had last, until that user leaves. */
export interface TabTakes {
  ownerId: string | null;
  /** The takes that this tab recorded for that user. */
  takeIds: ReadonlySet<string>;
}

/** Who looks at this page. Every surface and every change of a take asks `accessTo` with it. */
export interface ViewerFacts {
  /**
   * The signed-in user or, while the server can't be reached, the user who was signed in last. Null: no user.
   */
  userId: string | null;
  /** Missing where a session that ended elsewhere makes no difference. */
  tab?: TabTakes | undefined;
}

interface Owned {
  id: string;
  ownerId: string | null;
}

/** `full`: see and change everything. `existence`: learn that it exists, how long it is, and stop it if it runs. */
export type TakeAccess = 'full' | 'existence';

/**
 * What a viewer may do with a take. The only place that decides it; it is asked at each use, never once at a sign-out.
 *
 * - A take without an owner belongs to everyone at this browser.
 * - An owned take belongs to its owner.
 * - After a session has ended elsewhere, the takes that this tab recorded stay with the person at the tab, until that
 *   person signs out, says "not me", or somebody else signs in.
 */
export function accessTo({ id, ownerId }: Owned, { userId, tab }: ViewerFacts): TakeAccess {
  if (ownerId === null || ownerId === userId) return 'full';
  const isOfTab = userId === null && tab?.ownerId === ownerId && tab.takeIds.has(id);
  return isOfTab ? 'full' : 'existence';
}

export const isVisibleTo = (take: Owned, viewer: ViewerFacts): boolean => accessTo(take, viewer) === 'full';

/** The owner of a take from the point of view of a viewer. */
export function ownerFor(take: Owned, viewer: ViewerFacts): Owner {
  if (take.ownerId === null) return 'nobody';
  if (take.ownerId === viewer.userId) return 'me';
  return isVisibleTo(take, viewer) ? 'me-signed-out' : 'other';
}

const ownerKey = 'earshot.tab-owner';
const storedTakes = storedIds('sessionStorage', 'earshot.tab-takes');
const noTakes: ReadonlySet<string> = new Set();

const store = createStore<ViewerFacts & { tab: TabTakes }>({
  userId: null,
  // In sessionStorage, because a provider's sign-in page reloads the tab.
  tab: { ownerId: readText('sessionStorage', ownerKey), takeIds: new Set(storedTakes.read()) },
});

/** Who looks at this page now. */
export const viewer: Store<ViewerFacts & { tab: TabTakes }> = store;

/** Called by the session. */
export function setViewer(userId: string | null): void {
  const { tab, userId: before } = store.getSnapshot();
  if (userId !== before) store.set({ userId, tab });
}

/** Called by the session when a user signs in, and with null when the user leaves the tab. */
export function setTabOwner(ownerId: string | null): void {
  const { userId, tab } = store.getSnapshot();
  if (ownerId === tab.ownerId) return;
  writeText('sessionStorage', ownerKey, ownerId);
  // What the tab recorded before anyone was signed in joins the account that signs in.
  const takeIds = tab.ownerId === null ? tab.takeIds : noTakes;
  if (takeIds === noTakes) storedTakes.clear();
  store.set({ userId, tab: { ownerId, takeIds } });
}

/** This tab has started to record a take. */
export function addTabTake(takeId: string): void {
  const { userId, tab } = store.getSnapshot();
  if (tab.takeIds.has(takeId)) return;
  const takeIds = new Set([...tab.takeIds, takeId]);
  storedTakes.save(takeIds, 100);
  store.set({ userId, tab: { ...tab, takeIds } });
}
