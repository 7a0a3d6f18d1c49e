import { minute } from '#base/duration.ts';
import { Outbox } from '#device/outbox/outbox.ts';
import { outboxStore } from '#device/outbox/outbox-store.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { senderId, sessionState } from '#web/api/session-state.ts';
import { sendEntry } from './send-entry.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** The one outbox of this page. */
export const outbox = new Outbox({
  store: outboxStore,
  userId: senderId,
  send: sendEntry,
  // An insecure page has no locks; sending an entry twice is harmless.
  withLock: (name, work) => navigator.locks?.request(name, work) ?? work(),
  schedule: (delayMs, work) => {
    clearTimeout(timer);
    timer = setTimeout(work, delayMs);
  },
});

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
}
