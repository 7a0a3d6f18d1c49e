import { useMemo } from 'react';
import type { Recording } from '#contract/recordings.ts';
import type { RecordingPages } from '#web/api/queries/use-recording-pages.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { cutOff } from '#web/api/connection/cut-off.ts';
import { lastList } from '#web/api/last-list.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

const noList = { recordings: [], isWhole: true };

/**
 * Whether the server can't be reached, and the list shown last. This affects what can be played, never the state
 * of a recording.
 */
export function useOfflineList({ isUnanswered, hasList }: RecordingPages): {
  away: boolean;
  lastList: readonly Recording[];
  /** Whether that list is all that the user had. */
  isLastListWhole: boolean;
} {
  const userId = useViewerId();
  const isCutOff = useStore(cutOff);
  const isServerUnreachable = isUnreachable(useStore(connection));
  // A user without an account has nothing on the server.
  const away = isUnanswered || isCutOff || (isServerUnreachable && userId !== null);
  const { recordings, isWhole } = useMemo(
    () => (away && !hasList ? lastList(userId) : noList),
    [away, hasList, userId],
  );
  return { away, lastList: recordings, isLastListWhole: isWhole };
}
