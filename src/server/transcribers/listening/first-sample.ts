import { samplesPerMs } from '#audio/speech/point-levels.ts';
import type { ListenTask } from './messages.ts';

/** How many samples the detector judges at once. */
export const detectorWindow = 512;
/** How much sound before the start is decoded, so that the decoder and the detector know it. */
const leadMs = 2000;

type Start = Pick<ListenTask, 'startMs' | 'fromMs'>;

/** Where decoding starts: before the cursor, at a multiple of the detector's window. */
export function firstSampleOf({ startMs, fromMs }: Start): number {
  const wanted = Math.max(0, fromMs - leadMs - startMs) * samplesPerMs;
  return Math.floor(wanted / detectorWindow) * detectorWindow;
}

/** The same on the recording's timeline. A window has whole milliseconds. */
export const firstMomentOf = (start: Start): number => start.startMs + firstSampleOf(start) / samplesPerMs;
