import { checkDownloads } from './check-downloads.ts';
import { pingWhileUnreachable } from './ping-server.ts';
import { watchForMissingParts } from './missing-chunks.ts';
import { installShell } from './shell-worker.ts';

export { ConnectionStatus } from './connection-status.tsx';
export { PageNotices } from './page-notices.tsx';
export { NewVersionNotice } from './new-version-notice.tsx';

let isStarted = false;

/**
 * Begins to keep the app for times without a server, to notice when the server goes, comes and is renewed,
 * and to check downloads. Once per page.
 */
export function startOffline(): void {
  if (isStarted) return;
  isStarted = true;
  watchForMissingParts();
  checkDownloads();
  pingWhileUnreachable();
  void installShell();
}
