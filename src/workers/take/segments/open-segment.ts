import type { PositionMap } from '#workers/take/journal/position-map.ts';
import type { TakeSegment } from '#device/takes/take-record.ts';
import type { SpillableStream } from './spillable-stream.ts';

/** One segment's streams and which moment of it each byte of the audio stands for. */
export interface OpenSegment {
  segment: TakeSegment;
  audio: SpillableStream;
  peaks: SpillableStream;
  positions: PositionMap;
  /** No more will be written. */
  isSealed: boolean;
}
