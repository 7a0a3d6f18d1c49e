import { minute } from '#base/duration.ts';
import { createStore, type Store } from '#base/store.ts';
import { ObservedStore } from '#device/outbox/observed-store.ts';
import { Outbox } from '#device/outbox/outbox.ts';
import type { OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { outboxStore } from '#device/outbox/outbox-store.ts';
import { openBroadcast } from '#device/site-data/broadcast.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { lastUser } from '#web/api/last-user.ts';
import { senderId, sessionState } from '#web/api/session-state.ts';
import { onViewerChange, viewerId } from '#web/api/viewer.ts';
import { hasStoredStars, moveStoredStars } from './move-stored-stars.ts';
import { sendEntry } from './send-entry.ts';

// Prerendered pages (app/prerender) have no window and no other tabs.
const channel = typeof window === 'undefined' ? null : openBroadcast('outbox');

/**
 * On a shared computer no changes of a user may be stored, except positions and cancelled imports, which reveal
 * nothing about the user, and texts of takes, which are stored there until the server has them.
 */
const mayStay = (entry: OutboxEntry): boolean =>
  entry.kind === 'position' ||
  entry.kind === 'import' ||
  (entry.kind === 'note' && entry.payload.isOfTake === true) ||
  lastUser()?.id === entry.userId;

/** The kinds of entries that screens show. They do not show positions and cancelled imports. */
const shownKinds = ['favourite', 'marker', 'note'] as const;
type ShownKind = (typeof shownKinds)[number];
const isShown = ({ kind }: OutboxEntry): boolean => shownKinds.some((shown) => shown === kind);

const store = new ObservedStore({
  store: outboxStore(mayStay),
  viewerId,
  isShown,
  notify: () => channel?.postMessage('changed'),
});

const refresh = (): void => {
  void store.refresh();
};
channel?.addEventListener('message', refresh);
refresh();

let shownViewerId = viewerId();
/** Most changes of the session leave the viewer the same. */
function refreshForViewer(): void {
  if (viewerId() === shownViewerId) return;
  shownViewerId = viewerId();
  refresh();
}
sessionState.subscribe(refreshForViewer);
onViewerChange(refreshForViewer);

let timer: ReturnType<typeof setTimeout> | undefined;

// An insecure page has no locks. Sending an entry twice is harmless.
const withLock = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  navigator.locks?.request(name, work) ?? work();

/** The only outbox of this page. */
export const outbox = new Outbox({
  store,
  userId: senderId,
  send: sendEntry,
  withLock,
  schedule: (delayMs, work) => {
    clearTimeout(timer);
    timer = setTimeout(work, delayMs);
  },
});

/** The changes of a user that the server doesn't have yet, oldest first. */
export const listEntries = (userId: string): Promise<OutboxEntry[]> => store.list(userId);

/** The viewer's changes that screens show and the server doesn't have yet, including those of other tabs. */
export const pendingEntries: Store<readonly OutboxEntry[]> = store.entries;

const isSame = (before: readonly OutboxEntry[], now: readonly OutboxEntry[]): boolean =>
  now.length === before.length && now.every(({ id }, index) => id === before[index]?.id);

type EntryOfKind<Kind extends ShownKind> = Extract<OutboxEntry, { kind: Kind }>;

/** The pending entries of one kind, as a store that changes only with them. */
export function pendingOf<Kind extends ShownKind>(kind: Kind): Store<readonly EntryOfKind<Kind>[]> {
  const isOfKind = (entry: OutboxEntry): entry is EntryOfKind<Kind> => entry.kind === kind;
  const entriesNow = (): EntryOfKind<Kind>[] => pendingEntries.getSnapshot().filter(isOfKind);
  const pending = createStore<readonly EntryOfKind<Kind>[]>(entriesNow());
  pendingEntries.subscribe(() => {
    const now = entriesNow();
    if (!isSame(pending.getSnapshot(), now)) pending.set(now);
  });
  return pending;
}

/** Flushes the outbox now and whenever session or connection change. Call it once per page. */
export function followOutbox(): void {
  const flush = () => {
    void outbox.flush().catch(() => undefined);
  };
  sessionState.subscribe(flush);
  onReachableAgain(flush);
  addEventListener('online', flush);
  setInterval(flush, minute);
  flush();
  if (hasStoredStars())
    void withLock('earshot favourites', () => moveStoredStars(store)).then(flush, () => undefined);
}
