import { second } from '#base/duration.ts';
import type { Gap, GapCause } from '#contract/recordings.ts';
import type { CaptureSource, CaptureFormat } from '#workers/take/messages.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { WorkerFailure } from '#workers/take/worker-failure.ts';
import type { OpenSegment } from './create-segment.ts';
import { MicrophoneSilence } from './microphone-silence.ts';

/** A gap that has ended, in milliseconds. */
export interface EndedGap {
  cause: GapCause;
  durationMs: number;
}

/**
 * A shorter gap is ignored: it is within the accuracy of the clocks of two sources, and of the last block of sound, which
 * an encoder may not give back.
 */
export const minGapMs = 20;

/** A segment and its writer. */
export interface WrittenSegment {
  opened: OpenSegment;
  writer: SegmentWriter;
}

interface SegmentSequencerOptions {
  /** Opens the next segment of the take for writing. */
  openSegment: (
    source: CaptureSource,
    startMs: number,
    onFailure: (error: unknown) => void,
  ) => Promise<WrittenSegment>;
  /** True when there is space again for sound that could not be stored. */
  hasSpace: () => boolean;
  /** Called for every new gap. */
  onGap: (gap: Gap) => void;
  /** Called when a segment is complete and its streams are closed. */
  onSealed: (opened: OpenSegment) => void;
  /** Called on a permanent failure: sound can no longer be stored. */
  onFailure: (error: unknown) => void;
}

type Step =
  | { type: 'sound'; channels: readonly Float32Array[]; durationMs: number }
  | { type: 'lost'; gap: EndedGap }
  | { type: 'filled'; gap: EndedGap; agoMs: number }
  | { type: 'chunk'; bytes: Uint8Array<ArrayBuffer>; isLast: boolean; atMs: number }
  | { type: 'pause'; isPaused: boolean }
  | { type: 'cut' }
  | { type: 'start'; source: CaptureSource; gap: EndedGap | null };

/** Differences up to this are rounding between frames and milliseconds. */
const roundingMs = 5;
/** A sleeping computer loses more than this of a recorder's file, a busy browser less. */
const minSleepMs = 5 * second;

/**
 * Writes the segments of a take in order of time. Opening and closing a segment is asynchronous; steps that arrive
 * meanwhile are queued, so that no sound is lost between segments. Sound that neither disk nor memory can hold
 * becomes a gap `storage-full`.
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
   * The end of the last closed segment, in written and in received sound. More may have been received than could
   * be written.
   */
  #end = { writtenMs: 0, receivedMs: 0 };
  /** Why the last closed segment has less sound than was received. */
  #causeOfUnwritten: GapCause = 'unknown';
  #silence = new MicrophoneSilence(false);
  /** Sound that arrived while it could not be stored; null while it can be. */
  #withoutStorageMs: number | null = null;

  /** @param endMs end of the existing segments */
  constructor(options: SegmentSequencerOptions, endMs: number) {
    this.#options = options;
    this.#end = { writtenMs: endMs, receivedMs: endMs };
  }

  /** The length of the sound so far on the take's timeline, in whole milliseconds. */
  get capturedMs(): number {
    const waitingMs = this.#steps.reduce((sum, step) => sum + durationOf(step), 0);
    const receivedMs =
      this.#open === null ? this.#end.receivedMs : this.#startMs(this.#open) + this.#open.writer.capturedMs;
    return Math.floor(receivedMs + (this.#withoutStorageMs ?? 0) + waitingMs);
  }

  /**
   * For how long the microphone delivered silence, in whole milliseconds; null if nothing measured it. The file of
   * MediaRecorder is not measured.
   */
  get microphoneSilenceMs(): number | null {
    return this.#silence.totalMs;
  }

  /** The segment that is being written. */
  get open(): WrittenSegment | null {
    return this.#open;
  }

  /** True while neither the disk nor memory has space: sound is lost, and counted. */
  get hasNoStorage(): boolean {
    return this.#withoutStorageMs !== null;
  }

  /** Starts the take with its first source and an open segment. */
  adopt(source: CaptureSource, open: WrittenSegment): void {
    this.#silence = new MicrophoneSilence(true);
    this.#source = source;
    this.#open = open;
  }

  /** Records a block of PCM. */
  sound(channels: readonly Float32Array[], durationMs: number): void {
    this.#put({ type: 'sound', channels, durationMs });
  }

  /** Replaces lost sound by silence in the same segment. */
  lost(gap: EndedGap): void {
    this.#put({ type: 'lost', gap });
  }

  /** Names lost sound that the browser itself replaced by silence, which ended `agoMs` before the end of the sound. */
  filled(gap: EndedGap, agoMs: number): void {
    this.#put({ type: 'filled', gap, agoMs });
  }

  /**
   * Adds a piece of a MediaRecorder file and when it was delivered, with the last one when the recorder was stopped. A segment that is being
   * closed still receives its last pieces.
   */
  chunk(bytes: Uint8Array<ArrayBuffer>, isLast: boolean, atMs: number): void {
    const isForNext = this.#isBeginning || this.#steps.some(({ type }) => type === 'start');
    if (isForNext || this.#open === null) this.#put({ type: 'chunk', bytes, isLast, atMs });
    else this.#writeChunk(this.#open, { bytes, isLast, atMs });
  }

  setPaused(isPaused: boolean): void {
    this.#put({ type: 'pause', isPaused });
  }

  /** Closes the open segment. */
  cut(): void {
    this.#put({ type: 'cut' });
  }

  /** Starts a segment for this source, after a gap or directly after the last one. */
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
   * Closes the open segment. Resolves with the length of the take in milliseconds when everything is written.
   * Never rejects.
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

  /** Returns null if the step was synchronous. */
  #do(step: Step): Promise<void> | null {
    if (step.type === 'start') return this.#start(step.source, step.gap);
    if (step.type === 'cut') return this.#open === null ? null : this.#close();
    if (this.#withoutStorageMs !== null) this.#withoutStorageMs += durationOf(step);
    else if (this.#open !== null) this.#write(this.#open, step);
    return null;
  }

  #write(written: WrittenSegment, step: Exclude<Step, { type: 'start' | 'cut' }>): void {
    const { writer } = written;
    if (step.type !== 'sound') this.#silence.restart();
    if (step.type === 'sound') this.#writeSound(written, step.channels);
    else if (step.type === 'chunk') this.#writeChunk(written, step);
    else if (step.type === 'pause') writer.setPaused(step.isPaused);
    else if (step.type === 'filled') this.#nameFilled(written, step);
    else this.#writeSilence(written, step.gap);
  }

  #writeSound({ writer }: WrittenSegment, channels: readonly Float32Array[]): void {
    writer.push(channels);
    // Zeros of a browser that puts them in the place of lost sound may be the microphone's or the browser's.
    if (this.#source?.kind === 'pcm' && this.#source.fillsLossWithZeros !== true)
      this.#silence.push(channels, this.#source.sampleRateHz);
  }

  #writeChunk(
    written: WrittenSegment,
    { bytes, isLast, atMs }: Pick<Extract<Step, { type: 'chunk' }>, 'bytes' | 'isLast' | 'atMs'>,
  ): void {
    written.writer.pushChunk(bytes, isLast, atMs);
    this.#nameLosses(written);
  }

  /** Names what a browser's recorder lost inside its file. Silence cannot be put there, so it takes no time. */
  #nameLosses(written: WrittenSegment): void {
    for (const { atMs, lostMs } of written.writer.takeLosses())
      this.#options.onGap({
        atMs: this.#startMs(written) + atMs,
        durationMs: 0,
        cutMs: lostMs,
        cause: lostMs < minSleepMs ? 'browser-busy' : 'device-slept',
      });
  }

  #nameFilled(written: WrittenSegment, { gap, agoMs }: { gap: EndedGap; agoMs: number }): void {
    const durationMs = Math.round(gap.durationMs);
    const atMs = Math.round(this.#startMs(written) + written.writer.capturedMs - agoMs) - durationMs;
    // Earlier sound is in another segment.
    if (atMs >= this.#startMs(written)) this.#options.onGap({ atMs, durationMs, cause: gap.cause });
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

  /** Records the gaps between the end of the written sound and the next segment. */
  #startOfNext(gap: EndedGap | null): number {
    const { writtenMs } = this.#end;
    const unwrittenMs = this.#unwrittenMs;
    const gapMs = Math.round(gap?.durationMs ?? 0);
    const endMs = writtenMs + unwrittenMs + gapMs;
    if (this.#withoutStorageMs === null) {
      this.#name(writtenMs, unwrittenMs, this.#causeOfUnwritten);
      this.#name(writtenMs + unwrittenMs, gapMs, gap?.cause ?? 'unknown');
    } else this.#name(writtenMs, unwrittenMs + gapMs, 'storage-full');
    this.#end = { writtenMs: endMs, receivedMs: endMs };
    this.#withoutStorageMs = this.#withoutStorageMs === null ? null : 0;
    return endMs;
  }

  #name(atMs: number, durationMs: number, cause: GapCause): void {
    if (durationMs >= minGapMs) this.#options.onGap({ atMs, durationMs, cause });
  }

  async #close(): Promise<void> {
    const closing = this.#open;
    if (closing === null) return;
    this.#silence.restart();
    const durationMs = await closing.writer.finish();
    const startMs = this.#startMs(closing);
    this.#nameLosses(closing);
    // The file of a browser's recorder lacks what the browser lost. An encoder that gives nothing back tells no cause.
    this.#causeOfUnwritten = this.#source?.kind === 'media-recorder' ? 'browser-busy' : 'unknown';
    this.#end = {
      writtenMs: startMs + durationMs,
      receivedMs: Math.max(startMs + durationMs, startMs + closing.writer.capturedMs),
    };
    this.#open = null;
    await Promise.allSettled([closing.opened.audio.close(), closing.opened.peaks.close()]);
    // Only after the streams are closed: the upload of a sealed stream takes its sendable bytes for all of it.
    closing.opened.isSealed = true;
    this.#options.onSealed(closing.opened);
  }

  /** Records the gap after the last written sound. */
  #nameUnwritten(): void {
    const cause = this.#withoutStorageMs === null ? this.#causeOfUnwritten : 'storage-full';
    this.#name(this.#end.writtenMs, this.#unwrittenMs, cause);
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

/** Blocks of silence of this total length, to the nearest sample. */
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
