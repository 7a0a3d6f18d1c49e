import { useMemo } from 'react';
import { msg } from '@lingui/core/macro';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { second } from '#base/duration.ts';
import type { Marker } from '#contract/markers-api.ts';
import { peaksFormat } from '#contract/limits.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import {
  hasNoSound,
  recordingStateOf,
  serverFactsOf,
  type ServerFacts,
} from '#device/takes/recording-state.ts';
import { call } from '#web/api/call.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { useUnanswered } from '#web/api/queries/unanswered.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { pendingMarkers, withPending } from '#web/features/player/markers/pending-markers.ts';
import { listedRecording } from './listed-recording.ts';
import { audioAddresses, channelsOf } from './server-track.ts';
import { serverPeaks } from '#web/features/player/peaks/server-peaks.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import {
  isGrowing,
  type PlayableMarker,
  type PlayableRecording,
} from '#web/features/player/playable-recording.ts';

/** Polling interval of a live recording, in addition to live events. */
const liveRefetchMs = 5 * second;
const finishingRefetchMs = 2 * second;

export interface ServerRecording {
  recording: PlayableRecording | null;
  facts: ServerFacts | null;
  /** Set once the request has failed. */
  error: Error | null;
  /** The server can't be reached, or has not responded within two seconds. */
  isUnanswered: boolean;
  isLoading: boolean;
  isTrashed: boolean;
  retry: () => void;
}

const noMarkers: readonly Marker[] = [];

const detailsQuery = (recordingId: string) =>
  queryOptions<RecordingDetails>({
    queryKey: recordingKeys.one(recordingId),
    queryFn: ({ signal }) => call('getRecording', { params: { recordingId }, signal }),
    meta: { what: msg`Details` },
  });

const markersQuery = (recordingId: string) =>
  queryOptions<readonly Marker[]>({
    queryKey: recordingKeys.markers(recordingId),
    queryFn: async ({ signal }) => (await call('listMarkers', { params: { recordingId }, signal })).items,
    meta: { what: msg`Markers` },
  });

/** Prefetches the details and markers of a recording, before its page renders. */
export async function prefetchRecording(recordingId: string): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(detailsQuery(recordingId)),
    queryClient.prefetchQuery(markersQuery(recordingId)),
  ]);
}

/** A recording and its markers from the server. Sends no request while `isEnabled` is false. */
export function useServerRecording(recordingId: string, isEnabled: boolean): ServerRecording {
  const client = useQueryClient();
  const details = useQuery({
    ...detailsQuery(recordingId),
    enabled: isEnabled,
    placeholderData: () => listedRecording(client, recordingId),
    refetchInterval: ({ state }) => refreshOf(state.data),
  });
  const markers = useQuery({ ...markersQuery(recordingId), enabled: isEnabled && details.isSuccess });
  const { data } = details;
  const isUnanswered = useUnanswered(recordingKeys.one(recordingId));
  const growingPoints = data && isGrowing(data) ? data.peaksPoints : undefined;
  const peaks = useMemo(() => serverPeaks(recordingId, growingPoints), [recordingId, growingPoints]);
  // A stable reference avoids a render when the response has no markers.
  const answered = markers.data?.length ? markers.data : noMarkers;
  const pending = useStore(pendingMarkers);
  const known = useMemo(() => withPending(answered, pending, recordingId), [answered, pending, recordingId]);
  const recording = useMemo(() => (data ? playableOf(data, known, peaks) : null), [data, known, peaks]);
  return {
    recording: isEnabled ? recording : null,
    facts: data ? serverFactsOf(data) : null,
    error: details.error,
    isUnanswered,
    isLoading: isEnabled && details.isPending,
    isTrashed: data !== undefined && data.deletedAt !== null,
    retry: () => void details.refetch(),
  };
}

function refreshOf(data: RecordingDetails | undefined): number | false {
  if (data?.state === 'receiving') return liveRefetchMs;
  return data?.state === 'finishing' ? finishingRefetchMs : false;
}

/** The duration of a live recording is derived from its peaks: a hundred points per second. */
function durationOf({ state, durationMs, peaksPoints }: RecordingDetails): number {
  return state === 'receiving'
    ? Math.max(durationMs, (peaksPoints / peaksFormat.pointsPerSecond) * second)
    : durationMs;
}

function playableOf(
  details: RecordingDetails,
  markers: readonly PlayableMarker[],
  peaks: PeaksSource,
): PlayableRecording {
  const {
    id,
    title,
    recordedTime,
    isFavourite,
    language,
    state,
    format,
    sizeBytes,
    sha256,
    segments,
    deviceLabel,
    gaps,
    pauses: breaks,
    passages,
    history,
    storedMs,
    microphoneSilenceMs,
    damagedAt,
    failureReason,
    audioTracks,
    quieterByDb,
  } = details;
  const { url, sections } = audioAddresses(id, details.audioSectionMs);
  return {
    id,
    title,
    recordedTime,
    isFavourite,
    language,
    state,
    format,
    sizeBytes,
    sha256,
    deviceLabel,
    gaps,
    breaks,
    passages,
    history,
    peaks,
    segments,
    storedMs,
    microphoneSilenceMs,
    isDamaged: damagedAt !== null,
    copyHereUntilMs: null,
    isPartlySilent: false,
    isIncompleteImport: details.source === 'import' && (state === 'receiving' || state === 'abandoned'),
    hasNoSound: hasNoSound(details),
    failureReason,
    audioTracks,
    channels: channelsOf(details),
    quieterByDb,
    shownState: recordingStateOf({ server: serverFactsOf(details), device: null }) ?? 'server',
    durationMs: durationOf(details),
    markers: markers.map(({ id: markerId, atMs, label, colour = 'blue' }) => ({
      id: markerId,
      atMs,
      label,
      colour,
    })),
    audioUrl: url,
    audioSections: sections,
    audioFile: null,
  };
}
