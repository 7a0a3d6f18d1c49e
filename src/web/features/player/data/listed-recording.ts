import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';

/**
 * Builds provisional details from a cached list page, so that the player can render and play before the details
 * load.
 */
export function listedRecording(client: QueryClient, recordingId: string): RecordingDetails | undefined {
  const lists = client.getQueriesData<InfiniteData<RecordingPage>>({ queryKey: recordingKeys.pages });
  const items = lists.flatMap(([, list]) => list?.pages ?? []).flatMap((page) => page.items);
  const recording = items.find(({ id }) => id === recordingId);
  return (
    recording && {
      ...recording,
      segments: [],
      gaps: [],
      pauses: [],
      microphoneSilenceMs: null,
      passages: [],
      storedMs: recording.durationMs,
      failureReason: null,
      history: [],
      audioTracks: [],
      channelNames: [],
      quieterByDb: null,
      audioSectionMs: null,
    }
  );
}
