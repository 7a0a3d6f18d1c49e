import { second } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import { isRunning, type TakeState } from '#web/features/recorder/take/take.ts';
import type { TakeOfOtherTab } from './take-of-other-tab.ts';
import type { TabsChannel } from './tabs-channel.ts';

const runningTakeOf = (state: TakeState): TakeOfOtherTab | null =>
  isRunning(state)
    ? {
        takeId: state.take.id,
        ownerId: state.take.ownerId,
        capturedMs: state.take.progress.capturedMs,
        isPaused: state.status === 'paused',
      }
    : null;

/** Tells the other tabs of this browser what this one records, and stops it if one of them asks for that. */
export function tellOtherTabs(recorder: Store<TakeState> & { stop: () => void }, channel: TabsChannel): void {
  let told: TakeOfOtherTab | null = null;
  const isToldOf = (take: TakeOfOtherTab): boolean =>
    told?.takeId === take.takeId &&
    told.ownerId === take.ownerId &&
    told.isPaused === take.isPaused &&
    Math.floor(told.capturedMs / second) === Math.floor(take.capturedMs / second);
  const tell = (isAsked: boolean) => {
    const take = runningTakeOf(recorder.getSnapshot());
    if (told !== null && told.takeId !== take?.takeId) channel.post({ type: 'ended', takeId: told.takeId });
    if (take !== null && (isAsked || !isToldOf(take))) channel.post({ type: 'running', ...take });
    told = take;
  };
  recorder.subscribe(() => tell(false));
  channel.listen((message) => {
    if (message.type === 'asked') tell(true);
    // Anyone at this browser may stop a take: its owner gets it as it is.
    else if (message.type === 'stop' && message.takeId === told?.takeId) recorder.stop();
  });
}
