import type { GapCause } from '#contract/recordings.ts';

/**
 * Why audio stopped: the microphone was disconnected, its permission was withdrawn, or the system interrupted it.
 */
export type InterruptionCause = 'microphone-lost' | 'permission-withdrawn' | 'interrupted';

/** The cause of the gap that an interruption leaves. */
export const gapCauseOf = (cause: InterruptionCause): GapCause =>
  cause === 'permission-withdrawn' ? 'interrupted' : cause;
