import type { GapCause } from '#contract/recordings.ts';
import type { InterruptionCause, TakeState } from './take.ts';

/** The name that an interruption has among the causes of gaps. */
export const gapCauseOf = (cause: InterruptionCause): GapCause =>
  cause === 'permission-withdrawn' ? 'interrupted' : cause;

/** Why no sound comes right now, though it is wanted or will be; null while all is well. */
export function interruptionOf(state: TakeState): InterruptionCause | null {
  return state.status === 'interrupted' || state.status === 'paused' ? state.cause : null;
}
