import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { peaksFormat } from '#contract/limits.ts';
import { FileClock, type FileLoss } from './file-clock.ts';
import { PeaksWriter } from './peaks-writer.ts';
import type { SegmentWriter, SegmentWriterOptions } from './segment-writer.ts';

const msPerPoint = 1000 / peaksFormat.pointsPerSecond;

/**
 * A segment written by MediaRecorder: its file is appended to the journal piece by piece, unchanged. While it is
 * written, PCM of a worklet or the clock without what the file lacks tells how long it is; PCM also provides the peaks.
 * In the end the file's own times do. Only a file without times has the length that the clock estimates.
 */
export class RawSegmentWriter implements SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #accumulator: PeaksAccumulator;
  readonly #peaks: PeaksWriter;
  readonly #clock: RawClock;
  readonly #file: FileClock;
  #frames = 0;
  #accepts = true;
  /** The length of the file, once it is complete. */
  #endMs: number | null = null;
  /** What the clock showed last: it never goes back, also when a loss was found. */
  #shownMs = 0;
  #recorderEndedAtMs: number | null = null;
  /** What is missing after the file. */
  #tailMs = 0;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#accumulator = new PeaksAccumulator(options.format.sampleRateHz);
    this.#peaks = new PeaksWriter(options.peaks);
    this.#clock = new RawClock(options.nowMs);
    this.#file = new FileClock(options.container);
  }

  get capturedMs(): number {
    if (this.#endMs !== null) return this.#endMs + this.#tailMs;
    if (this.#frames > 0) return this.#pcmMs;
    // A recorder that gets no sound writes the header of its file all the same.
    if (!this.#file.hasSound) return 0;
    const capturedMs = this.#clock.capturedMs + this.#file.aheadMs - this.#file.lostMs;
    this.#shownMs = Math.max(this.#shownMs, Math.floor(capturedMs));
    return this.#shownMs;
  }

  takeLosses(): readonly FileLoss[] {
    return this.#file.takeLosses();
  }

  push(channels: readonly Float32Array[]): void {
    if (!this.#accepts) return;
    this.#accumulator.push(channels);
    this.#frames += channels[0]?.length ?? 0;
  }

  pushChunk(bytes: Uint8Array<ArrayBuffer>, isLast: boolean, atMs: number): void {
    if (!this.#accepts) return;
    const isFirst = !this.#clock.hasStarted;
    this.#clock.pieceCame(atMs);
    const { recorderStartedAtMs = null } = this.#options;
    if (isFirst && recorderStartedAtMs !== null)
      this.#file.started(this.#clock.elapsedMsAt(recorderStartedAtMs));
    this.#file.push(bytes, this.#clock.elapsedMsAt(atMs));
    this.#try(() => {
      if (bytes.length > 0) this.#options.audio.append(bytes);
      this.#placeEnd();
    });
    if (!isLast) return;
    this.#accepts = false;
    this.#recorderEndedAtMs = atMs;
  }

  setPaused(isPaused: boolean): void {
    this.#clock.setPaused(isPaused);
    if (isPaused) this.#file.paused();
  }

  takePoints(): Int8Array<ArrayBuffer> {
    const points = this.#accumulator.take();
    if (points.length > 0) this.#peaks.hold(points.slice());
    return points;
  }

  flush(): void {
    this.#try(() => {
      this.#options.audio.flush();
      this.#options.peaks.flush();
    });
  }

  async finish(): Promise<number> {
    this.#accepts = false;
    this.#accumulator.flush();
    this.takePoints();
    const durationMs = this.#file.endMs ?? this.capturedMs;
    this.#tailMs = this.#file.finish(
      this.#recorderEndedAtMs === null ? null : this.#clock.elapsedMsAt(this.#recorderEndedAtMs),
    );
    this.#endMs = durationMs;
    this.#try(() => {
      this.#peaks.write(Math.ceil(durationMs / msPerPoint));
      this.#options.positions.add(this.#options.audio.sizeBytes, durationMs);
    });
    return durationMs;
  }

  get #pcmMs(): number {
    return Math.floor((this.#frames * 1000) / this.#options.format.sampleRateHz);
  }

  #placeEnd(): void {
    const endMs = Math.max(this.capturedMs, this.#options.positions.endMs);
    this.#options.positions.add(this.#options.audio.sizeBytes, endMs);
    this.#peaks.write(Math.floor(endMs / msPerPoint));
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#accepts = false;
      this.#options.onFailure(error);
    }
  }
}

/** Assumed length of a piece: five of the 60 ms packets of Chromium's MediaRecorder. */
const pieceMs = 300;

/**
 * Estimates how long a MediaRecorder has been recording from the arrival of its pieces. Between two pieces it
 * advances, but by at most one piece, so that it stops when the recorder does.
 */
class RawClock {
  readonly #nowMs: () => number;
  #beganMs: number | null = null;
  #lastPieceMs = 0;
  #pausedAtMs: number | null = null;
  #lastPause = { pausedAtMs: -Infinity, resumedAtMs: -Infinity, pausedMs: 0 };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get hasStarted(): boolean {
    return this.#beganMs !== null;
  }

  /** Sound recorded so far in whole milliseconds; 0 before the first piece. */
  get capturedMs(): number {
    if (this.#beganMs === null) return 0;
    return Math.max(
      0,
      Math.floor(Math.min(this.#pausedAtMs ?? this.#nowMs(), this.#lastPieceMs + pieceMs) - this.#beganMs),
    );
  }

  /** Time from the first piece to a moment of the clock, without pauses. */
  elapsedMsAt(atMs: number): number {
    if (this.#beganMs === null) return 0;
    // A piece may arrive after the pause that it was delivered before.
    const { resumedAtMs, pausedAtMs, pausedMs } = this.#lastPause;
    if (atMs < resumedAtMs) return Math.min(pausedAtMs, atMs) - (this.#beganMs - pausedMs);
    return Math.min(this.#pausedAtMs ?? atMs, atMs) - this.#beganMs;
  }

  /** Records the arrival of a piece that was delivered at this time. */
  pieceCame(atMs: number): void {
    const nowMs = this.#pausedAtMs ?? this.#nowMs();
    this.#beganMs ??= Math.min(nowMs, atMs) - pieceMs;
    this.#lastPieceMs = nowMs;
  }

  /** Time that passes while paused does not count. */
  setPaused(isPaused: boolean): void {
    if (isPaused) {
      this.#pausedAtMs ??= this.#nowMs();
      return;
    }
    if (this.#pausedAtMs === null) return;
    const resumedAtMs = this.#nowMs();
    const pausedMs = resumedAtMs - this.#pausedAtMs;
    this.#lastPause = { pausedAtMs: this.#pausedAtMs, resumedAtMs, pausedMs };
    this.#pausedAtMs = null;
    if (this.#beganMs === null) return;
    this.#beganMs += pausedMs;
    this.#lastPieceMs += pausedMs;
  }
}
