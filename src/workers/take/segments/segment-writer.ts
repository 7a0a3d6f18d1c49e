import type { TakeSegment } from '#device/records/take-record.ts';
import type { Quality } from '#contract/limits.ts';
import type { PositionMap } from '#workers/take/journal/position-map.ts';
import type { CaptureFormat } from '#workers/take/messages.ts';
import type { FileLoss } from './file-clock.ts';
import type { SegmentStream } from './spillable-stream.ts';

/** The input and the targets of a segment's writer. */
export interface SegmentWriterOptions {
  format: CaptureFormat;
  container: TakeSegment['container'];
  quality: Quality;
  audio: SegmentStream;
  peaks: SegmentStream;
  /** Maps bytes of the audio to times in the segment, in whole milliseconds from 0. */
  positions: PositionMap;
  /** A clock in milliseconds that never goes back and includes sleep of the computer. */
  nowMs: () => number;
  /** Called when sound can no longer be written, because the encoder or the disk failed. */
  onFailure: (error: unknown) => void;
  /** When the recorder that writes the file was started, on the clock of `nowMs`; null without one. */
  recorderStartedAtMs?: number | null;
}

/**
 * Writes one segment: encodes sound to bytes of audio and peaks in the journal. Its caller leaves out sound that
 * is not recorded.
 */
export interface SegmentWriter {
  /**
   * Sound of this segment received so far, in whole milliseconds. More than `finish` resolves with if some of it is
   * missing at the end.
   */
  readonly capturedMs: number;
  /**
   * Adds one block of PCM with samples of −1…1 and as many channels as the format has; silence where sound
   * was lost.
   */
  push: (channels: readonly Float32Array[]) => void;
  /**
   * Adds the next piece of a MediaRecorder file, with the time of `nowMs` at which it was delivered; `isLast` ends it,
   * at the time at which its recorder was stopped.
   */
  pushChunk: (bytes: Uint8Array<ArrayBuffer>, isLast: boolean, atMs: number) => void;
  /** What the browser's own recorder lost inside its file, found since the last call; in time of the segment. */
  takeLosses: () => readonly FileLoss[];
  /** While paused, no sound is expected. */
  setPaused: (isPaused: boolean) => void;
  /** The points of the waveform since the last call: min, max, min, max…; empty if no PCM arrives. */
  takePoints: () => Int8Array<ArrayBuffer>;
  /** Flushes all complete pages to disk; called about four times a second. */
  flush: () => void;
  /**
   * Writes the rest of the segment (the caller closes its streams). Resolves with its length in milliseconds.
   * Never rejects.
   */
  finish: () => Promise<number>;
}
