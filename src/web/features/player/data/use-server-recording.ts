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
import { audioAddresses } from './server-track.ts';
import { serverPeaks } from '#web/features/player/peaks/server-peaks.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import {
  isGrowing,
  type PlayableMarker,
  type PlayableRecording,
} from '#web/features/player/playable-recording.ts';

/** How often a recording that is still arriving is looked at again, beside the live events. */
const growingRefreshMs = 5 * second;
const settlingRefreshMs = 2 * second;

export interface ServerRecording {
  recording: PlayableRecording | null;
  facts: ServerFacts | null;
  /** Set once the server has answered with a failure. */
  error: Error | null;
  /** The server can't be reached, or has not answered for two seconds. */
  isUnanswered: boolean;
  isLoading: boolean;
  isTrashed: boolean;
  retry: () => void;
}

const noMarkers: readonly Marker[] = [];

const questionFor = (recordingId: string) =>
  queryOptions<RecordingDetails>({
    queryKey: recordingKeys.one(recordingId),
    queryFn: ({ signal }) => call('getRecording', { params: { recordingId }, signal }),
    meta: { what: msg`Details` },
  });

const questionForMarkers = (recordingId: string) =>
  queryOptions<readonly Marker[]>({
    queryKey: recordingKeys.markers(recordingId),
    queryFn: async ({ signal }) => (await call('listMarkers', { params: { recordingId }, signal })).items,
    meta: { what: msg`Markers` },
  });

/** Has what the server knows of a recording, and its markers, at hand before it is drawn. */
export async function prefetchRecording(recordingId: string): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(questionFor(recordingId)),
    queryClient.prefetchQuery(questionForMarkers(recordingId)),
  ]);
}

/** A recording as the server has it, with its markers; asks nothing while `isEnabled` is false. */
export function useServerRecording(recordingId: string, isEnabled: boolean): ServerRecording {
  const client = useQueryClient();
  const details = useQuery({
    ...questionFor(recordingId),
    enabled: isEnabled,
    placeholderData: () => listedRecording(client, recordingId),
    refetchInterval: ({ state }) => refreshOf(state.data),
  });
  const markers = useQuery({ ...questionForMarkers(recordingId), enabled: isEnabled && details.isSuccess });
  const { data } = details;
  const isUnanswered = useUnanswered(recordingKeys.one(recordingId));
  const growingPoints = data && isGrowing(data) ? data.peaksPoints : undefined;
  const peaks = useMemo(() => serverPeaks(recordingId, growingPoints), [recordingId, growingPoints]);
  // An answer without any changes nothing of what is drawn.
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
  if (data?.state === 'receiving') return growingRefreshMs;
  return data?.state === 'finishing' ? settlingRefreshMs : false;
}

/** While a recording arrives its length is known by the points of its peaks, a hundred a second. */
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
    history,
    storedMs,
    damagedAt,
    failureReason,
    audioTracks,
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
    history,
    peaks,
    segments,
    storedMs,
    isDamaged: damagedAt !== null,
    copyHereUntilMs: null,
    isPartlySilent: false,
    hasNoSound: hasNoSound(details),
    failureReason,
    audioTracks,
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
