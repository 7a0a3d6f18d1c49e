import { useDeferredValue, useMemo } from 'react';
import { ApiError } from '#web/api/api-error.ts';
import { importFactsOf, recordingStateOf, withTransfer } from '#device/takes/recording-state.ts';
import { transfers } from '#web/recordings/state/transfers.ts';
import {
  isAheadOfServer,
  lengthOfBoth,
  type DeviceTake,
  type ServerLength,
} from '#device/takes/device-take.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { isGrowing, type PlayableRecording } from '#web/features/player/playable-recording.ts';
import type { LocalTakeFiles } from './open-local-file.ts';
import { useLocalRecording } from './use-local-recording.ts';
import { useServerRecording, type ServerRecording } from './use-server-recording.ts';

export type FoundRecording =
  | { status: 'found'; recording: PlayableRecording; isOnServer: boolean; isTrashed: boolean }
  | { status: 'looking' }
  | { status: 'missing'; isSignedOut: boolean }
  | { status: 'unreachable'; error: unknown; retry: () => void };

export interface RecordingLookup {
  /** `unknown` until the session check has finished. */
  session: 'unknown' | 'signed-out' | 'signed-in';
  /** The take with this id on this device, if any. */
  take: DeviceTake | null;
  /** Whether the takes on this device have been loaded. */
  hasLoadedTakes: boolean;
  files: LocalTakeFiles;
}

/**
 * Looks up a recording on the server. Falls back to this device if the server does not have it or can't be
 * reached, or if no user is signed in.
 */
export function useRecording(recordingId: string, where: RecordingLookup): FoundRecording {
  const found = useFound(recordingId, where);
  // A deferred render is interruptible. A synchronous one would block input for about half a second on a phone.
  const isDrawn = useDeferredValue(found.status === 'found');
  return found.status === 'found' && !isDrawn ? { status: 'looking' } : found;
}

function useFound(
  recordingId: string,
  { session, take: stored, hasLoadedTakes, files }: RecordingLookup,
): FoundRecording {
  const server = useServerRecording(recordingId, session === 'signed-in');
  const take = useWithTransfer(stored);
  const isElsewhere = session === 'signed-out' || server.error !== null || server.isUnanswered;
  const isAhead = isAheadOf(server, take);
  const local = useLocalRecording(isElsewhere || isAhead ? take : null, files);
  const { isTrashed, retry } = server;
  const there = useCopyHere(server, take, { local: local.recording, isCurrent: !isElsewhere });
  if (there) return { status: 'found', recording: there, isOnServer: true, isTrashed };
  if (local.recording)
    return {
      status: 'found',
      recording: local.recording,
      isOnServer: false,
      isTrashed: isInTrash(take),
    };
  if (local.error !== null) return { status: 'unreachable', error: local.error, retry };
  if (take || !isElsewhere || !hasLoadedTakes) return { status: 'looking' };
  return absence(server, session === 'signed-out');
}

const isInTrash = (take: DeviceTake | null): boolean => take !== null && take.deletedAtMs !== null;

/** The take with the transfer state that this page's workers report. */
function useWithTransfer(take: DeviceTake | null): DeviceTake | null {
  const transfer = useStore(transfers).get(take?.id ?? '');
  return useMemo(() => take && { ...take, facts: withTransfer(take.facts, transfer) }, [take, transfer]);
}

/** Whether this device has all of a stopped take, and the server doesn't yet. */
const isAheadOf = ({ recording }: ServerRecording, take: DeviceTake | null): boolean =>
  recording !== null && take !== null && isAheadOfServer(lengthThere(recording), take);

const lengthThere = (recording: PlayableRecording): ServerLength => ({
  durationMs: recording.durationMs,
  isGrowing: isGrowing(recording),
});

/** The server's recording, combined with the state and the sound of its copy on this device. */
function useCopyHere(
  server: ServerRecording,
  take: DeviceTake | null,
  { local, isCurrent }: { local: PlayableRecording | null; isCurrent: boolean },
): PlayableRecording | null {
  const { recording, facts } = server;
  const transfer = useStore(transfers).get(recording?.id ?? '');
  const copyHereUntilMs = take?.copyUntilMs ?? null;
  const state = recordingStateOf({ server: facts, device: take?.facts ?? importFactsOf(transfer) });
  const isAhead = isAheadOf(server, take);
  return useMemo(
    () =>
      recording && {
        ...recording,
        ...(local && take && soundHere({ recording, take, local, isAhead, isCurrent })),
        copyHereUntilMs,
        shownState: state ?? recording.shownState,
      },
    [recording, take, local, isAhead, isCurrent, copyHereUntilMs, state],
  );
}

interface BothCopies {
  recording: PlayableRecording;
  take: DeviceTake;
  local: PlayableRecording;
  isAhead: boolean;
  isCurrent: boolean;
}

/** What is played from this device, because the server doesn't have it all yet, or can't be reached. */
function soundHere({ recording, take, local, isAhead, isCurrent }: BothCopies): Partial<PlayableRecording> {
  const { audioUrl, audioSections, audioFile, isPartlySilent } = local;
  const { peaks, gaps, breaks, storedMs, sizeBytes, microphoneSilenceMs } = local;
  return {
    audioUrl,
    audioSections,
    audioFile,
    isPartlySilent,
    // 0 makes the player use the length of the audio element.
    durationMs: lengthOfBoth(lengthThere(recording), take, isCurrent) ?? 0,
    // Nothing is added to a stopped take: the player must not wait for more.
    ...(isAhead && {
      state: 'finishing' as const,
      peaks,
      gaps,
      breaks,
      storedMs,
      sizeBytes,
      microphoneSilenceMs,
    }),
  };
}

function absence({ error, retry }: ServerRecording, isSignedOut: boolean): FoundRecording {
  const isAnswered =
    error instanceof ApiError && error.problem !== null && error.status >= 400 && error.status < 500;
  return isSignedOut || isAnswered
    ? { status: 'missing', isSignedOut }
    : { status: 'unreachable', error, retry };
}
