import { checkDownloads } from './check-downloads.ts';
import { pingWhileUnreachable } from './ping-server.ts';
import { watchForMissingParts } from './missing-chunks.ts';
import { installShell } from './shell-worker.ts';

export { ConnectionStatus } from './connection-status.tsx';
export { PageNotices } from './page-notices.tsx';
export { NewVersionNotice } from './new-version-notice.tsx';

let isStarted = false;

/**
 * Starts storing the app for offline use, watching the connection and newer builds, and checking downloads. Call
 * once per page.
 */
export function startOffline(): void {
  if (isStarted) return;
  isStarted = true;
  watchForMissingParts();
  checkDownloads();
  pingWhileUnreachable();
  void installShell();
}
