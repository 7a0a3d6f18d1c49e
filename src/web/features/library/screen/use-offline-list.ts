import { useMemo } from 'react';
import type { Recording } from '#contract/recordings.ts';
import type { RecordingPages } from '#web/api/queries/use-recording-pages.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { cutOff } from '#web/api/connection/cut-off.ts';
import { lastList } from '#web/api/last-list.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

/**
 * Whether the server can't be asked now, and the list that was shown last. Only what can be played depends on
 * it, never a state.
 */
export function useOfflineList({ isUnanswered, hasList }: RecordingPages): {
  away: boolean;
  lastList: readonly Recording[];
} {
  const userId = useViewerId();
  const isCutOff = useStore(cutOff);
  const isGone = isUnreachable(useStore(connection));
  // A person without an account has nothing on the server.
  const away = isUnanswered || isCutOff || (isGone && userId !== null);
  const list = useMemo(() => (away && !hasList ? lastList(userId) : []), [away, hasList, userId]);
  return { away, lastList: list };
}
