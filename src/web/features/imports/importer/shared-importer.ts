import { liveEvents } from '#web/api/live-events.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { session } from '#web/api/session.ts';
import { userScope } from '#web/api/user-scope.ts';
import { forgetClaims } from './import-storage.ts';
import { Importer } from './importer.ts';
import { judgementOf } from './server-calls.ts';
import { trackTransfers } from './track-transfers.ts';

/** The imports of this page. */
export const importer = new Importer({
  nowMs: () => Date.now(),
  judgementOf,
  onImported: () => {
    void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
  },
});

trackTransfers(importer);
// The other rows have an owner, and no other user sees them.
userScope.onSessionEnd(importer.dismissNamed);
userScope.onUserLeft(forgetClaims);

let started: Promise<void> | null = null;

/**
 * Shows files that another app shared, continues the imports of earlier pages, and follows the session. Call once
 * per page.
 */
export function startImporting(): Promise<void> {
  if (started === null) {
    session.subscribe(() => {
      importer.sessionChanged();
      void importer.judge();
    });
    // `hello`: the connection was down, so any event may have been missed.
    liveEvents.on((event) => {
      if (event.type === 'hello') void importer.judge();
      if (event.type === 'recording-changed' || event.type === 'recording-removed')
        void importer.judge(event.recordingId);
    });
    started = importer.start();
  }
  return started;
}
