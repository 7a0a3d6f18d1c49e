import { BackOff } from '#base/back-off.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { waitForRetry } from '#web/api/connection/retry.ts';
import { session } from '#web/api/session.ts';

let isPinging = false;

/** Sends requests at growing intervals until the server responds. A hidden page sends none. */
async function ping(): Promise<void> {
  const backOff = new BackOff();
  while (isUnreachable(connection.getSnapshot())) {
    await waitForRetry(backOff.nextMs());
    if (isUnreachable(connection.getSnapshot()) && document.visibilityState === 'visible')
      await session.refresh().catch(() => undefined);
  }
}

/** Detects that the server is back even if nothing else sends requests: signed-out users get no live events. */
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
