import { SessionWatch } from '#server/features/accounts/sessions/session-watch.ts';
import type { LiveHub } from '#server/features/live/live-hub.ts';
import { SessionRequests } from '#server/http/session-requests.ts';
import type { Database } from '#server/storage/database/database.ts';

/** What is open in the name of sessions in this process: event streams and long answers. */
export interface OpenConnections {
  sessionRequests: SessionRequests;
  /** Ends what is open in the name of sessions that another process ended. */
  sessionWatch: SessionWatch;
  /** Ends what a session has open. */
  endSession: (sessionId: string) => void;
}

/** Joins the event streams, the long answers and the watch over their sessions. */
export function createOpenConnections({
  database,
  hub,
}: {
  database: Database;
  hub: LiveHub;
}): OpenConnections {
  const sessionRequests = new SessionRequests();
  const endSession = (sessionId: string): void => {
    hub.endSession(sessionId);
    sessionRequests.endSession(sessionId);
  };
  const openSessionIds = (): string[] => [...new Set([...hub.sessionIds(), ...sessionRequests.sessionIds()])];
  return {
    sessionRequests,
    endSession,
    sessionWatch: new SessionWatch({ database, openSessionIds, onSessionEnded: endSession }),
  };
}
