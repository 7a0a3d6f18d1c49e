import { limits } from '#contract/limits.ts';
import type { FinishRecording } from '#contract/recordings.ts';

/** The field of a finish request for the silence of the microphone; none if nothing measured it. */
export const statedSilence = (
  measuredMs: number | null | undefined,
): Pick<FinishRecording, 'microphoneSilenceMs'> =>
  measuredMs === null || measuredMs === undefined
    ? {}
    : { microphoneSilenceMs: Math.min(measuredMs, limits.maxTakeMs) };
