import { knockWhileGone } from './knock.ts';
import { watchForMissingParts } from './missing-parts.ts';
import { keepShell } from './shell-worker.ts';

export { ConnectionStatus } from './connection-status.tsx';
export { NewVersionNotice } from './new-version-notice.tsx';

let isStarted = false;

/** Begins to keep the app for times without a server, and to notice when the server goes, comes and is renewed. Once per page. */
export function startOffline(): void {
  if (isStarted) return;
  isStarted = true;
  watchForMissingParts();
  knockWhileGone();
  void keepShell();
}
