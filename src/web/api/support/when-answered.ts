import { second } from '#base/duration.ts';
import { connection, isUnreachable } from '#web/api/reach/connection.ts';
import { sessionState } from '#web/api/session-state.ts';
import { knownQueryClient } from './known-query-client.ts';
import { until } from './until.ts';
import { whenIdle } from './when-idle.ts';

/** A server that does not answer must not keep from being fetched what is needed without it. */
const longestMs = 5 * second;

async function answered(): Promise<void> {
  await until(
    [sessionState, connection],
    () => sessionState.getSnapshot().status !== 'unknown' || isUnreachable(connection.getSnapshot()),
  );
  await whenIdle();
  const client = knownQueryClient.getSnapshot();
  if (client) await until([client.getQueryCache()], () => client.isFetching() === 0);
}

/**
 * Resolves when the page rests and has the answers to what it asked first: on a slow line nothing that may be
 * needed later comes before what is looked at. After five seconds at the latest.
 */
export async function whenAnswered(): Promise<void> {
  await Promise.race([
    answered(),
    new Promise((resolve) => {
      setTimeout(resolve, longestMs);
    }),
  ]);
}
