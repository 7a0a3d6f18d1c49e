import { useLocation } from 'wouter';
import { useDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { renameLocalTake } from '#web/features/recorder/recovery/take-actions.ts';
import { continueTake } from '#web/features/recorder/continue-take.ts';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isInProgress } from '#web/features/recorder/take/take.ts';
import { mayContinue } from '#web/features/recorder/take/take-length.ts';
import { paths } from '#web/app/paths.ts';

/**
 * Continues the recording of a page. Offered for a day, to its owner, on the device that recorded it, while no
 * other take runs there. A title that was given elsewhere is taken over.
 */
export function useContinueRecording({
  id: recordingId,
  title,
}: {
  id: string;
  title: string;
}): (() => void) | undefined {
  const [, navigate] = useLocation();
  const take = useDeviceTakes().find(({ id }) => id === recordingId);
  const state = useTake();
  if (take?.state !== 'stopped' || state.status === 'asking' || isInProgress(state) || !mayContinue(take))
    return undefined;
  return () => {
    if (title !== take.title) void renameLocalTake(take.id, title);
    continueTake({ id: take.id, lengthMs: take.durationMs });
    navigate(paths.record);
  };
}
