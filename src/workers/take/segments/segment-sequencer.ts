import type { Gap, GapCause } from '#contract/recordings.ts';
import type { CaptureSource, CaptureFormat } from '#workers/take/messages.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { WorkerFailure } from '#workers/take/worker-failure.ts';
import type { OpenSegment } from './create-segment.ts';

/** A gap that is over, in milliseconds. */
export interface EndedGap {
  cause: GapCause;
  durationMs: number;
}

/** A segment and what writes it. */
export interface WrittenSegment {
  opened: OpenSegment;
  writer: SegmentWriter;
}

interface SegmentSequencerOptions {
  /** Makes the next segment of the take, ready to be written. */
  openSegment: (
    source: CaptureSource,
    startMs: number,
    onFailure: (error: unknown) => void,
  ) => Promise<WrittenSegment>;
  /** There is space again for sound that could not be stored. */
  hasSpace: () => boolean;
  /** A piece of time is known to be missing. */
  onGap: (gap: Gap) => void;
  /** A segment is whole; its streams are closed. */
  onSealed: (opened: OpenSegment) => void;
  /** Sound can no longer be kept, for a reason that does not pass. */
  onFailure: (error: unknown) => void;
}

type Step =
  | { type: 'sound'; channels: readonly Float32Array[]; durationMs: number }
  | { type: 'lost'; gap: EndedGap }
  | { type: 'chunk'; bytes: Uint8Array<ArrayBuffer>; isLast: boolean }
  | { type: 'pause'; isPaused: boolean }
  | { type: 'cut' }
  | { type: 'start'; source: CaptureSource; gap: EndedGap | null };

/** A rounding between frames and milliseconds is not a gap. */
const roundingMs = 5;

/**
 * Writes the segments of a take in order of time. Opening and closing one takes a moment; steps that arrive
 * meanwhile are queued, so that no sound is lost between segments. Sound that neither disk nor memory can
 * hold becomes a gap `storage-full`.
 */
export class SegmentSequencer {
  readonly #options: SegmentSequencerOptions;
  readonly #steps: Step[] = [];
  #isBusy = false;
  #isBeginning = false;
  #idle: (() => void)[] = [];
  #open: WrittenSegment | null = null;
  #source: CaptureSource | null = null;
  /**
   * The end of the last closed segment in written and in received sound: more may have been received than
   * could be written.
   */
  #end = { writtenMs: 0, receivedMs: 0 };
  /** Sound that came while there was no place for it; null while there is. */
  #withoutStorageMs: number | null = null;

  /** @param endMs where the segments that are there already end */
  constructor(options: SegmentSequencerOptions, endMs: number) {
    this.#options = options;
    this.#end = { writtenMs: endMs, receivedMs: endMs };
  }

  /** How far the sound has come on the take's timeline, whole milliseconds. */
  get capturedMs(): number {
    const waitingMs = this.#steps.reduce((sum, step) => sum + durationOf(step), 0);
    const receivedMs =
      this.#open === null ? this.#end.receivedMs : this.#startMs(this.#open) + this.#open.writer.capturedMs;
    return Math.floor(receivedMs + (this.#withoutStorageMs ?? 0) + waitingMs);
  }

  /** The segment that is being written. */
  get open(): WrittenSegment | null {
    return this.#open;
  }

  /** Neither the disk nor memory has space: sound is lost, and counted. */
  get hasNoStorage(): boolean {
    return this.#withoutStorageMs !== null;
  }

  /** Goes on with a segment that is open already. */
  adopt(source: CaptureSource, open: WrittenSegment): void {
    this.#source = source;
    this.#open = open;
  }

  /** A block of PCM to record. */
  sound(channels: readonly Float32Array[], durationMs: number): void {
    this.#put({ type: 'sound', channels, durationMs });
  }

  /** Sound is missing, but the segment continues: silence takes its place. */
  lost(gap: EndedGap): void {
    this.#put({ type: 'lost', gap });
  }

  /**
   * A piece of the file that the browser's recorder writes. One that is being closed still waits for its last
   * pieces.
   */
  chunk(bytes: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const isForNext = this.#isBeginning || this.#steps.some(({ type }) => type === 'start');
    if (isForNext || this.#open === null) this.#put({ type: 'chunk', bytes, isLast });
    else this.#open.writer.pushChunk(bytes, isLast);
  }

  setPaused(isPaused: boolean): void {
    this.#put({ type: 'pause', isPaused });
  }

  /** Closes the open segment. */
  cut(): void {
    this.#put({ type: 'cut' });
  }

  /** Begins a segment for this source, after a gap or directly behind the last one. */
  start(source: CaptureSource, gap: EndedGap | null): void {
    this.#put({ type: 'start', source, gap });
  }

  /** Flushes whole pages to the disk, and starts a segment once there is space again. */
  flush(): void {
    this.#open?.writer.flush();
    if (this.#withoutStorageMs === null || this.#isBusy || this.#source === null || !this.#options.hasSpace())
      return;
    this.start(this.#source, null);
  }

  /**
   * Closes what is open; resolves with the length of the take in milliseconds when all is written. Never
   * rejects.
   */
  async finish(): Promise<number> {
    this.cut();
    await this.#settled();
    this.#nameUnwritten();
    return this.#end.writtenMs;
  }

  /**
   * Handles a failure of the open segment's writer: a full device is temporary, anything else ends the take.
   */
  failed(error: unknown): void {
    const isFull = error instanceof WorkerFailure && error.code === 'storage-full';
    if (!isFull) {
      this.#options.onFailure(error);
      return;
    }
    this.#withoutStorageMs ??= 0;
    this.cut();
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isBusy) this.#idle.push(resolve);
      else resolve();
    });
  }

  #put(step: Step): void {
    this.#steps.push(step);
    this.#run();
  }

  #run(): void {
    while (!this.#isBusy) {
      const step = this.#steps.shift();
      if (step === undefined) break;
      const work = this.#do(step);
      if (work !== null) void this.#await(work);
    }
    if (!this.#isBusy) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #await(work: Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await work;
    } catch (error) {
      this.#options.onFailure(error);
    }
    this.#isBusy = false;
    this.#run();
  }

  /** Null when the step is done at once. */
  #do(step: Step): Promise<void> | null {
    if (step.type === 'start') return this.#start(step.source, step.gap);
    if (step.type === 'cut') return this.#open === null ? null : this.#close();
    if (this.#withoutStorageMs !== null) this.#withoutStorageMs += durationOf(step);
    else if (this.#open !== null) this.#write(this.#open, step);
    return null;
  }

  #write(written: WrittenSegment, step: Exclude<Step, { type: 'start' | 'cut' }>): void {
    const { writer } = written;
    if (step.type === 'sound') writer.push(step.channels);
    else if (step.type === 'chunk') writer.pushChunk(step.bytes, step.isLast);
    else if (step.type === 'pause') writer.setPaused(step.isPaused);
    else this.#writeSilence(written, step.gap);
  }

  #writeSilence(written: WrittenSegment, gap: EndedGap): void {
    const { writer } = written;
    this.#options.onGap({
      atMs: this.#startMs(written) + writer.capturedMs,
      durationMs: Math.round(gap.durationMs),
      cause: gap.cause,
    });
    if (this.#source !== null)
      for (const channels of silenceOf(gap.durationMs, this.#source)) writer.push(channels);
  }

  async #start(source: CaptureSource, gap: EndedGap | null): Promise<void> {
    this.#isBeginning = true;
    if (this.#open !== null) await this.#close();
    this.#source = source;
    const startMs = this.#startOfNext(gap);
    const written = await this.#options.openSegment(source, startMs, (error) => this.failed(error));
    this.#withoutStorageMs = null;
    this.#open = written;
    this.#isBeginning = false;
  }

  /** Names what lies between the end of what is written and the next segment. */
  #startOfNext(gap: EndedGap | null): number {
    const { writtenMs } = this.#end;
    const durationMs = this.#unwrittenMs + Math.round(gap?.durationMs ?? 0);
    const cause = this.#withoutStorageMs === null ? gap?.cause : 'storage-full';
    if (durationMs > 0) this.#options.onGap({ atMs: writtenMs, durationMs, cause: cause ?? 'unknown' });
    this.#end = { writtenMs: writtenMs + durationMs, receivedMs: writtenMs + durationMs };
    this.#withoutStorageMs = this.#withoutStorageMs === null ? null : 0;
    return this.#end.writtenMs;
  }

  async #close(): Promise<void> {
    const closing = this.#open;
    if (closing === null) return;
    const durationMs = await closing.writer.finish();
    const startMs = this.#startMs(closing);
    this.#end = {
      writtenMs: startMs + durationMs,
      receivedMs: Math.max(startMs + durationMs, startMs + closing.writer.capturedMs),
    };
    this.#open = null;
    await Promise.allSettled([closing.opened.audio.close(), closing.opened.peaks.close()]);
    // Not before: what is sealed is sent as far as it may be sent, and that is then taken for the whole.
    closing.opened.isSealed = true;
    this.#options.onSealed(closing.opened);
  }

  /** Names the gap after the last byte that could be written. */
  #nameUnwritten(): void {
    const durationMs = this.#unwrittenMs;
    if (durationMs > 0)
      this.#options.onGap({
        atMs: this.#end.writtenMs,
        durationMs,
        cause: this.#withoutStorageMs === null ? 'unknown' : 'storage-full',
      });
    this.#end.receivedMs = this.#end.writtenMs;
    this.#withoutStorageMs = null;
  }

  get #unwrittenMs(): number {
    const { writtenMs, receivedMs } = this.#end;
    return Math.round(
      (receivedMs - writtenMs > roundingMs ? receivedMs - writtenMs : 0) + (this.#withoutStorageMs ?? 0),
    );
  }

  #startMs({ opened }: WrittenSegment): number {
    return opened.segment.startMs;
  }
}

function durationOf(step: Step): number {
  if (step.type === 'sound') return step.durationMs;
  return step.type === 'lost' || step.type === 'start' ? (step.gap?.durationMs ?? 0) : 0;
}

const framesPerBlock = 960;

/** Blocks of silence that last so long, to the nearest sample. */
function* silenceOf(
  durationMs: number,
  { sampleRateHz, channels }: CaptureFormat,
): Generator<Float32Array[]> {
  const block = new Float32Array(framesPerBlock);
  for (let left = Math.round((durationMs * sampleRateHz) / 1000); left > 0; left -= framesPerBlock) {
    const samples = left < framesPerBlock ? block.subarray(0, left) : block;
    yield Array.from({ length: channels }, () => samples);
  }
}
