import { PositionMap } from '#workers/take/journal/position-map.ts';
import type { OpenSegment } from './create-segment.ts';
import { MemoryJournal } from './memory-journal.suite.ts';
import { SpillableStream, SpillMemory } from './spillable-stream.ts';

/** A segment of Ogg whose streams are in memory. */
export function openSegmentFor(
  { index = 0, startMs = 0 } = {},
  memory: SpillMemory = new SpillMemory(),
): OpenSegment {
  return {
    segment: {
      index,
      startMs,
      audioUploadId: 'a',
      peaksUploadId: 'p',
      audioSlot: null,
      peaksSlot: null,
      container: 'ogg',
      epoch: 1,
    },
    audio: new SpillableStream(new MemoryJournal(), memory),
    peaks: new SpillableStream(new MemoryJournal(), memory),
    positions: new PositionMap(),
    isSealed: false,
  };
}
