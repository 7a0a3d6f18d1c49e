import type { Quality } from '#contract/limits.ts';
import type { PositionMap } from '#workers/take/journal/position-map.ts';
import type { CaptureFormat } from '#workers/take/messages.ts';
import type { SegmentStream } from './spillable-stream.ts';

/** What the writer of a segment is given: where it writes, and what comes in. */
export interface SegmentWriterOptions {
  format: CaptureFormat;
  quality: Quality;
  audio: SegmentStream;
  peaks: SegmentStream;
  /** Learns which moment of the segment a byte of the audio stands for; whole milliseconds, from 0. */
  positions: PositionMap;
  /** A clock in milliseconds that only runs forward, also through a sleep of the computer. */
  nowMs: () => number;
  /** Sound can no longer be written: the encoder broke, or the disk refuses. */
  onFailure: (error: unknown) => void;
}

/**
 * Writes one segment: sound in, bytes of audio and of peaks in the journal. It is given only what is to be
 * recorded.
 */
export interface SegmentWriter {
  /** Sound of this segment taken in so far, whole milliseconds. */
  readonly capturedMs: number;
  /**
   * Takes one block of PCM, samples of −1…1, as many channels as came from the microphone; silence where
   * sound was lost.
   */
  push: (channels: readonly Float32Array[]) => void;
  /** Takes the next piece of a file that the browser's recorder writes; `isLast` ends it. */
  pushChunk: (bytes: Uint8Array<ArrayBuffer>, isLast: boolean) => void;
  /** Nothing comes while paused, and that is no loss. */
  setPaused: (isPaused: boolean) => void;
  /** The points of the waveform since the last call: min, max, min, max…; empty where no PCM comes. */
  takePoints: () => Int8Array<ArrayBuffer>;
  /** Puts all that is whole on the disk; called about four times a second. */
  flush: () => void;
  /**
   * Writes what is left of the segment (its streams are closed by the caller); answers with its length in
   * milliseconds. Never rejects.
   */
  finish: () => Promise<number>;
}
