import { alarmsDismissed } from './alarms-dismissed.ts';
import { takeOf, type TakeState } from '#web/features/recorder/take/take.ts';

/** What a person must hear of who does not look at this page; the first that is true, the worst first. */
export type CaptureAlarm =
  | 'microphone-lost'
  | 'permission-withdrawn'
  | 'interrupted'
  | 'storage-full'
  | 'memory-full'
  | 'silence'
  | 'clipping';

/** The worst that is wrong with the take right now; null while all is well, and in a pause. */
export function captureAlarmOf(
  state: TakeState,
  dismissed: ReadonlySet<string> = alarmsDismissed.getSnapshot(),
): CaptureAlarm | null {
  if (state.status === 'interrupted') return state.cause;
  const take = takeOf(state);
  if (!take || state.status !== 'recording') return null;
  if (take.keeping === 'nowhere') return take.journal === 'memory' ? 'memory-full' : 'storage-full';
  const warned = (['silence', 'clipping'] as const).find(
    (alarm) => take.alarms.includes(alarm) && !dismissed.has(`${take.id}:${alarm}`),
  );
  return warned ?? null;
}

/** A voice that is too loud needs no sound of ours on top of it. */
export const isAudible = (trouble: CaptureAlarm): boolean => trouble !== 'clipping';
