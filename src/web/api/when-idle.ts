import { second } from '#base/duration.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { sessionState } from './session-state.ts';
import { knownQueryClient } from '#web/api/queries/known-query-client.ts';
import { waitFor } from '#base/store.ts';

/** A busy page, or a server that does not respond, delays lazy loading no longer than this. */
const maxMs = 5 * second;

/** Resolves when the page is idle; after five seconds at the latest. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function')
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: maxMs },
      );
    else setTimeout(resolve, second);
  });

async function answered(): Promise<void> {
  await waitFor(
    [sessionState, connection],
    () => sessionState.getSnapshot().status !== 'unknown' || isUnreachable(connection.getSnapshot()),
  );
  await whenIdle();
  const client = knownQueryClient.getSnapshot();
  if (client) await waitFor([client.getQueryCache()], () => client.isFetching() === 0);
}

/**
 * Resolves when the page is idle and has the responses to its first requests, after five seconds at the latest. On
 * a slow connection, prefetched chunks must not delay the current screen.
 */
export async function afterFirstResponses(): Promise<void> {
  await Promise.race([
    answered(),
    new Promise((resolve) => {
      setTimeout(resolve, maxMs);
    }),
  ]);
}
