import { second } from '#base/duration.ts';
import { createStore, type Store } from '#base/store.ts';
import { sessionState } from '#web/api/session-state.ts';
import { connection, isUnreachable } from './connection.ts';

/** How long a screen waits for the server before it says so and shows the data on this device. */
export const maxSilentWaitMs = 2 * second;

const store = createStore(false);

/** True while the session is unknown and the server can't be reached or has not responded for two seconds. */
export const cutOff: Store<boolean> = store;

let isLate = false;

const update = (): void => {
  store.set(
    sessionState.getSnapshot().status === 'unknown' && (isLate || isUnreachable(connection.getSnapshot())),
  );
};

/** Starts watching the first request of the page. Call once per page. */
export function watchFirstAnswer(): void {
  sessionState.subscribe(update);
  connection.subscribe(update);
  setTimeout(() => {
    isLate = true;
    update();
  }, maxSilentWaitMs);
}
