import { second } from '#base/duration.ts';
import { createStore, type Store } from '#base/store.ts';
import { sessionState } from '#web/api/session-state.ts';
import { connection, isUnreachable } from './connection.ts';

/** How long a screen waits for the server before it says so and shows what this device has. */
export const longestSilentWaitMs = 2 * second;

const store = createStore(false);

/**
 * True while no server has said who is signed in: it can't be reached, or has not answered for two seconds.
 */
export const cutOff: Store<boolean> = store;

let isLate = false;

const update = (): void => {
  store.set(
    sessionState.getSnapshot().status === 'unknown' && (isLate || isUnreachable(connection.getSnapshot())),
  );
};

/** Begins to watch the first question of the page. Once per page. */
export function watchFirstAnswer(): void {
  sessionState.subscribe(update);
  connection.subscribe(update);
  setTimeout(() => {
    isLate = true;
    update();
  }, longestSilentWaitMs);
}
