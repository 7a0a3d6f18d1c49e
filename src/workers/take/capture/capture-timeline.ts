import { second } from '#base/duration.ts';
import type { GapCause } from '#contract/recordings.ts';
import type { PlacedBlock } from './frame-clock.ts';
import { GapClock } from './gap-clock.ts';
import { StallWatch } from './stall-watch.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { type EndedGap, minGapMs, type SegmentSequencer } from '#workers/take/segments/segment-sequencer.ts';
import type { FileTime } from '#workers/take/segments/file-time.ts';
import { type ReceivedBlock, CaptureInput } from './capture-input.ts';
import { Pauses } from './pauses.ts';

/** Losses up to this length are padded with silence in the same segment; a longer loss starts a new segment. */
const maxPaddingMs = 2 * second;
/** A sleeping computer loses more than this; a busy browser loses less. */
const minSleepMs = second / 2;
/** Longest wait at Stop for sound captured before Stop, or before the pause that Stop ends. */
const maxTailMs = 500;
/** A shorter loss in the tail cannot be distinguished from the jitter of arrivals. */
const minTailGapMs = 40;
/** Longest wait for the last piece of a recorder's file. The page may hang, but not for the rest of the take. */
const lastPieceTimeoutMs = 5 * second;

/** A piece of the file that MediaRecorder writes. */
export interface RecorderPiece {
  recorderId: number;
  bytes: Uint8Array<ArrayBuffer>;
  isLast: boolean;
  /** When it was delivered. With the last piece: when the recorder was stopped or paused, where the sound ends. */
  atMs: number;
}

/** A recorder whose last piece has not arrived. What happened since waits in `steps`. */
interface EndingRecorder {
  recorderId: number;
  file: FileTime | null;
  steps: (() => void)[];
  end: () => void;
  hasEnded: Promise<void>;
}

interface CaptureTimelineOptions {
  sequencer: Pick<
    SegmentSequencer,
    'sound' | 'lost' | 'filled' | 'chunk' | 'setPaused' | 'cut' | 'start' | 'finish'
  >;
  nowMs: () => number;
  /** Called for every block that arrives, for the level meter: what is recorded, and what the device delivered. */
  onBlock: (channels: readonly Float32Array[], delivered: readonly Float32Array[]) => void;
  /** Called when the first sound of a new source has arrived. */
  onContinued: () => void;
}

/** A segment that has not started. `seam`: the cause of a gap that is measured when it starts. */
type Unbegun = { gap: EndedGap | null } | { seam: GapCause };

/**
 * Decides where sound belongs in the take: which source is recorded, and where pauses and gaps are. Calls take
 * effect immediately and in order. The capture time of sound decides, not its arrival time: sound captured before
 * a pause is recorded even if it arrives during the pause, and sound captured during the pause is not, however
 * late it arrives.
 */
export class CaptureTimeline {
  readonly #options: CaptureTimelineOptions;
  readonly #gap = new GapClock();
  readonly #stall = new StallWatch();
  #current: CaptureInput | null = null;
  /**
   * The next source. The current source is recorded until the first sound of this one arrives; the pieces of a
   * recorder without sound are held until then.
   */
  #next: { source: CaptureInput; cause: GapCause; held: RecorderPiece[] } | null = null;
  readonly #pauses = new Pauses();
  #isOver = false;
  /** When Stop was pressed. Sound captured earlier may still arrive; sound captured later is not recorded. */
  #stoppedAtMs = Infinity;
  #tailHasCome = (): void => undefined;
  /** When the last recorded sound ended, or when recording was resumed. */
  #soundEndsMs: number;
  /**
   * Set while the segment of the current source has not started: it starts with its next recorded sound, after
   * this gap.
   */
  #unbegun: Unbegun | null = null;
  #ending: EndingRecorder | null = null;
  /** The recorder whose last piece has arrived. */
  #endedRecorderId: number | null = null;

  constructor(options: CaptureTimelineOptions) {
    this.#options = options;
    this.#soundEndsMs = options.nowMs();
  }

  /** Sets the first source of a take whose first segment is already open. */
  start(source: CaptureSource): void {
    this.#current = this.#listenTo(source);
  }

  /**
   * Continues a take whose page was killed `sinceMs` milliseconds ago, with a gap of that length so far; `null` when
   * the take was paused or stopped, which adds no gap.
   */
  resumeAfter(sinceMs: number | null, source: CaptureSource): void {
    const nowMs = this.#options.nowMs();
    const cause = 'page-killed';
    this.#gap.start(cause, nowMs - (sinceMs ?? 0), sinceMs === null);
    this.#next = { source: this.#listenTo(source), cause, held: [] };
  }

  /** Closes all sources and starts a gap. */
  interrupt(cause: GapCause): void {
    if (this.#isEnding) return;
    this.#inOrder(() => {
      this.#next?.source.close();
      this.#next = null;
      const former = this.#current;
      former?.close();
      this.#current = null;
      this.#unbegun = null;
      this.#afterLastPiece(former, () => {
        this.#startGap(cause);
        this.#options.sequencer.cut();
      });
    });
  }

  /** Switches to this source as soon as its first block arrives. */
  continueWith(source: CaptureSource, cause: GapCause): void {
    if (this.#isEnding) return;
    const next = { source: this.#listenTo(source), cause, held: [] };
    this.#inOrder(() => {
      this.#next?.source.close();
      this.#next = next;
    });
  }

  /** Adds a piece of the file that MediaRecorder writes. Pieces of a recorder that was given up are ignored. */
  chunk(piece: RecorderPiece): void {
    const file = this.#fileOf(piece.recorderId);
    file?.push(piece.bytes);
    const next = this.#next;
    if (next === null || recorderIdOf(next.source) !== piece.recorderId) {
      this.#addPiece(piece);
      return;
    }
    next.held.push(piece);
    if (next.source.file?.hasSound === true) for (const held of next.held.splice(0)) this.#addPiece(held);
  }

  #addPiece(piece: RecorderPiece): void {
    const { recorderId, bytes, isLast } = piece;
    if (this.#ending?.recorderId !== recorderId && !this.#startsPiece(piece)) return;
    this.#options.sequencer.chunk(bytes, isLast, piece.atMs);
    if (isLast) this.#endFile(recorderId, piece.atMs);
  }

  setPaused(isPaused: boolean): void {
    if (this.#isEnding) return;
    const nowMs = this.#options.nowMs();
    this.#inOrder(() => this.#setPausedAt(isPaused, nowMs));
  }

  /** True while the take runs without a source. */
  get isInterrupted(): boolean {
    return this.#gap.cause !== null;
  }

  /**
   * Must be called several times a second. Returns true once per stall, when sound is expected but has not arrived
   * for a second.
   */
  hasStalled(attentiveMs: number): boolean {
    // MediaRecorder delivers its file in pieces seconds apart; the page watches for those.
    if (this.#isOver || this.#isPaused || this.isInterrupted || this.#current?.source.kind !== 'pcm') {
      this.#stall.reset();
      return false;
    }
    return this.#stall.hasStalled(attentiveMs);
  }

  /**
   * Ends the take with all sound captured until now. Resolves with its length and the gap that was open at its
   * end.
   */
  async finish(): Promise<{ durationMs: number; gap: EndedGap | null }> {
    this.#stoppedAtMs = this.#options.nowMs();
    while (this.#ending !== null) await this.#ending.hasEnded;
    await this.#awaitTail();
    this.#current?.close();
    this.#next?.source.close();
    this.#isOver = true;
    const gap = this.#gap.end(this.#stoppedAtMs);
    return { durationMs: await this.#options.sequencer.finish(), gap };
  }

  get #isPaused(): boolean {
    return this.#pauses.sinceMs !== null;
  }

  /**
   * Sound captured before this moment is still recorded: the start of the pause, otherwise Stop; Infinity while
   * recording.
   */
  get #untilMs(): number {
    return this.#pauses.sinceMs ?? this.#stoppedAtMs;
  }

  get #isEnding(): boolean {
    return this.#stoppedAtMs < Infinity;
  }

  /**
   * Waits up to `maxTailMs` for sound captured before Stop or the pause. Sound that does not arrive becomes a
   * gap.
   */
  async #awaitTail(): Promise<void> {
    const isTailComing =
      !this.isInterrupted && this.#unbegun === null && this.#current?.source.kind === 'pcm';
    if (!isTailComing || this.#missingMs <= (this.#isPaused ? minTailGapMs : 0)) return;
    await new Promise<void>((resolve) => {
      this.#tailHasCome = resolve;
      setTimeout(resolve, maxTailMs);
    });
    // Releases the blocks that the clocks still hold.
    this.#current?.close();
    if (this.#missingMs >= minTailGapMs) this.#startGap('browser-busy');
  }

  /** Length of the sound until Stop or the pause that has not arrived. */
  get #missingMs(): number {
    return this.#untilMs - this.#soundEndsMs;
  }

  #listenTo(source: CaptureSource): CaptureInput {
    const { nowMs, onBlock } = this.#options;
    const listening = new CaptureInput(source, {
      nowMs,
      onBlock,
      onPlaced: (from, placed) => this.#receive(from, placed),
    });
    listening.listen();
    return listening;
  }

  /** Runs a step now, or after the last piece of a recorder that is ending. */
  #inOrder(step: () => void): void {
    if (this.#ending === null) step();
    else this.#ending.steps.push(step);
  }

  /** Runs a step once the file of the former source is complete. Later steps wait for it. */
  #afterLastPiece(former: CaptureInput | null, step: () => void): void {
    const recorderId = recorderIdOf(former);
    if (recorderId === null || recorderId === this.#endedRecorderId) {
      step();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const tooLate = setTimeout(() => this.#endFile(recorderId, null), lastPieceTimeoutMs);
    const end = () => {
      clearTimeout(tooLate);
      resolve();
    };
    this.#ending = { recorderId, file: former?.file ?? null, steps: [step], end, hasEnded: promise };
  }

  /** The file of this recorder is complete, or its last piece will not arrive. */
  #endFile(recorderId: number, endedAtMs: number | null): void {
    this.#endedRecorderId = recorderId;
    const hasSound = this.#fileOf(recorderId)?.hasSound === true;
    if (endedAtMs !== null && !this.#isPaused && hasSound) this.#soundEndsMs = endedAtMs;
    const ending = this.#ending;
    if (ending?.recorderId !== recorderId) return;
    this.#ending = null;
    for (const step of ending.steps) this.#inOrder(step);
    ending.end();
  }

  /** The file of a recorder whose pieces are expected; null for another one. */
  #fileOf(recorderId: number): FileTime | null {
    if (this.#ending?.recorderId === recorderId) return this.#ending.file;
    const inputs = [this.#next?.source ?? null, this.#current];
    return inputs.find((input) => recorderIdOf(input) === recorderId)?.file ?? null;
  }

  /** Returns whether the piece belongs to the current source; the first one of the next source makes it current. */
  #startsPiece(piece: RecorderPiece): boolean {
    const { recorderId } = piece;
    if (this.#ending === null && this.#next !== null && recorderIdOf(this.#next.source) === recorderId)
      this.#promote(this.#next.source, this.#next.source.sinceMs);
    if (this.#ending !== null) {
      // A source that is announced after the former recorder's last piece does not know the piece yet.
      const isKnown = this.#fileOf(recorderId) !== null;
      this.#ending.steps.push(() => (isKnown ? this.#addPiece(piece) : this.chunk(piece)));
      return false;
    }
    if (this.#current === null || recorderIdOf(this.#current) !== recorderId) return false;
    this.#stall.reset();
    this.#startSegment(this.#current, this.#current.sinceMs);
    if (this.#current.file?.hasSound === true) this.#soundEndsMs = this.#options.nowMs();
    return true;
  }

  #setPausedAt(isPaused: boolean, atMs: number): void {
    if (isPaused === this.#isPaused) return;
    this.#current?.zeroFill?.restart();
    if (isPaused) {
      this.#pauses.start(atMs);
      this.#gap.pause(atMs);
      // The recorder's own file contains the sound captured before the pause.
      if (this.#current?.source.kind === 'media-recorder') this.#soundEndsMs = atMs;
    } else {
      this.#pauses.end(atMs);
      this.#gap.resume(atMs);
      this.#soundEndsMs = atMs;
    }
    this.#options.sequencer.setPaused(isPaused);
  }

  #receive(from: CaptureInput, placed: PlacedBlock<ReceivedBlock>): void {
    if (from === this.#current) this.#stall.reset();
    this.#inOrder(() => this.#place(from, placed));
  }

  #place(from: CaptureInput, placed: PlacedBlock<ReceivedBlock>): void {
    const { beganAtMs } = placed;
    if (from === this.#next?.source) {
      // Zeros from a device that is being opened belong to the gap.
      if (from.isWarmingUp(placed)) return;
      this.#promote(from, beganAtMs);
      if (this.#ending !== null) {
        this.#inOrder(() => this.#place(from, placed));
        return;
      }
    }
    if (from !== this.#current || this.#isOver) return;
    this.#stall.reset();
    if (beganAtMs < this.#stoppedAtMs) this.#record(from, placed);
    if (Math.max(beganAtMs, this.#soundEndsMs) >= this.#untilMs) this.#tailHasCome();
  }

  #record(from: CaptureInput, { block, lostMs, beganAtMs }: PlacedBlock<ReceivedBlock>): void {
    const { sampleRateHz } = from.source;
    const durationMs = (block.frames * 1000) / sampleRateHz;
    const missingMs =
      lostMs > 0 && this.#unbegun === null ? this.#pauses.outsideMs(beganAtMs - lostMs, beganAtMs) : 0;
    if (missingMs > 0) this.#lose(from, missingMs);
    if (this.#pauses.covers(beganAtMs, beganAtMs + durationMs)) return;
    let { channels } = block;
    if (this.#unbegun !== null) {
      // While both sources ran, the old one was recorded, to the sample.
      const recorded = Math.round(((this.#soundEndsMs - beganAtMs) * sampleRateHz) / 1000);
      if (recorded >= block.frames) return;
      if (recorded > 0) channels = channels.map((samples) => samples.subarray(recorded));
      this.#startSegment(from, beganAtMs);
    }
    this.#options.sequencer.sound(channels, ((channels[0]?.length ?? 0) * 1000) / sampleRateHz);
    this.#soundEndsMs = Math.max(this.#soundEndsMs, beganAtMs + durationMs);
    this.#nameFilled(from, channels, block.arrivedAtMs - (beganAtMs + durationMs));
  }

  #nameFilled({ zeroFill }: CaptureInput, channels: readonly Float32Array[], latenessMs: number): void {
    if (zeroFill === null) return;
    for (const { durationMs, agoMs } of zeroFill.push(channels, latenessMs))
      this.#options.sequencer.filled({ cause: 'browser-busy', durationMs }, agoMs);
  }

  /**
   * Replaces the old source when the first sound of the next one has arrived. The file of a recorder continues
   * until its last piece; the sound of the next source waits meanwhile, and starts where that file ends.
   */
  #promote(source: CaptureInput, beganAtMs: number): void {
    const cause = this.#next?.cause ?? 'unknown';
    const former = this.#current;
    this.#next = null;
    former?.close();
    this.#current = source;
    const isRecorder = former !== null && recorderIdOf(former) !== null;
    this.#unbegun = isRecorder ? { seam: cause } : { gap: this.#gapUntil(beganAtMs, cause) };
    this.#afterLastPiece(former, () => undefined);
    this.#options.onContinued();
  }

  #gapUntil(beganAtMs: number, cause: GapCause): EndedGap | null {
    this.#startGap(cause);
    const gap = this.#gap.end(beganAtMs);
    return gap !== null && gap.durationMs >= minGapMs ? gap : null;
  }

  #startGap(cause: GapCause): void {
    const { sinceMs } = this.#pauses;
    // Sound captured before the pause that never arrived is missing as well.
    const isTailMissing = sinceMs !== null && sinceMs - this.#soundEndsMs >= minTailGapMs;
    this.#gap.start(cause, this.#soundEndsMs, sinceMs !== null && !isTailMissing);
    if (isTailMissing) this.#gap.pause(sinceMs);
  }

  #startSegment({ source }: CaptureInput, beganAtMs: number): void {
    const unbegun = this.#unbegun;
    if (unbegun === null) return;
    this.#unbegun = null;
    const gap = 'seam' in unbegun ? this.#gapUntil(beganAtMs, unbegun.seam) : unbegun.gap;
    this.#options.sequencer.start(source, gap);
  }

  /**
   * Records a loss within a source that kept running. The file of MediaRecorder is compared with the clock by its own
   * times.
   */
  #lose({ source, zeroFill }: CaptureInput, lostMs: number): void {
    if (source.kind === 'media-recorder') return;
    zeroFill?.restart();
    const gap: EndedGap = {
      cause: lostMs < minSleepMs ? 'browser-busy' : 'device-slept',
      durationMs: lostMs,
    };
    if (lostMs <= maxPaddingMs) this.#options.sequencer.lost(gap);
    else this.#options.sequencer.start(source, gap);
  }
}

/** The recorder that writes the file of this source; null for PCM. */
const recorderIdOf = (input: CaptureInput | null): number | null =>
  input?.source.kind === 'media-recorder' ? input.source.recorderId : null;
