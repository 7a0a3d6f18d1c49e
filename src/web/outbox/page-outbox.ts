import { minute } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import { ObservedStore } from '#device/outbox/observed-store.ts';
import { Outbox } from '#device/outbox/outbox.ts';
import type { OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { outboxStore } from '#device/outbox/outbox-store.ts';
import { openBroadcast } from '#device/site-data/broadcast.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { lastUser } from '#web/api/last-user.ts';
import { senderId, sessionState } from '#web/api/session-state.ts';
import { onViewerChange, viewerId } from '#web/api/viewer.ts';
import { moveStoredStars } from './move-stored-stars.ts';
import { sendEntry } from './send-entry.ts';

// The pages that are drawn where there is no window have no other tabs (app/prerender).
const channel = typeof window === 'undefined' ? null : openBroadcast('outbox');

/** Nothing that a user did on a shared computer stays there; a position or a cancelled import says nothing of them. */
const mayStay = ({ kind, userId }: OutboxEntry): boolean =>
  kind === 'position' || kind === 'import' || lastUser()?.id === userId;

const store = new ObservedStore({
  store: outboxStore(mayStay),
  viewerId,
  notify: () => channel?.postMessage('changed'),
});

const refresh = (): void => {
  void store.refresh();
};
channel?.addEventListener('message', refresh);
sessionState.subscribe(refresh);
onViewerChange(refresh);
refresh();

let timer: ReturnType<typeof setTimeout> | undefined;

// An insecure page has no locks; sending an entry twice is harmless.
const withLock = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  navigator.locks?.request(name, work) ?? work();

/** The one outbox of this page. */
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

/** What the viewer changed and the server does not have yet, also by other tabs. */
export const pendingEntries: Store<readonly OutboxEntry[]> = store.entries;

/** Sends what this device has to send, now and whenever session or connection change. Once per page. */
export function followOutbox(): void {
  const flush = () => {
    void outbox.flush().catch(() => undefined);
  };
  sessionState.subscribe(flush);
  onReachableAgain(flush);
  addEventListener('online', flush);
  setInterval(flush, minute);
  flush();
  void withLock('earshot favourites', () => moveStoredStars(store)).then(flush, () => undefined);
}
