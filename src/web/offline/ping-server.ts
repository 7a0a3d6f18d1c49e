import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { pauseBeforeReconnect } from '#web/api/live-connection.ts';
import { session } from '#web/api/session.ts';

let isPinging = false;

/**
 * Asks again and again until the server answers, at longer and longer intervals; a page nobody looks at asks
 * nothing.
 */
async function ping(): Promise<void> {
  const { signal } = new AbortController();
  for (let failures = 0; isUnreachable(connection.getSnapshot()); failures += 1) {
    await pauseBeforeReconnect(failures, signal);
    if (isUnreachable(connection.getSnapshot()) && document.visibilityState === 'visible')
      await session.refresh().catch(() => undefined);
  }
}

/** Notices that a lost server is back also where nothing else asks it: signed out, no live events come. */
export function pingWhileUnreachable(): void {
  const start = () => {
    if (isPinging || !isUnreachable(connection.getSnapshot())) return;
    isPinging = true;
    void ping().finally(() => {
      isPinging = false;
      start();
    });
  };
  connection.subscribe(start);
  start();
}
