import { isRunning, type TakeState } from '#web/features/recorder/take/take.ts';

/** A take that has begun or still has bytes to send; one of nobody is complete once it has stopped. */
export function needsThisPage(state: TakeState): boolean {
  if (state.status === 'stopped') return state.take.ownerId !== null && state.take.safety !== 'server';
  return state.status === 'asking' || isRunning(state);
}
