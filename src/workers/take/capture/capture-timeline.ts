import { second } from '#base/duration.ts';
import type { GapCause } from '#contract/recordings.ts';
import type { PlacedBlock } from './frame-clock.ts';
import { GapClock } from './gap-clock.ts';
import { StallWatch } from './stall-watch.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import type { EndedGap, SegmentSequencer } from '#workers/take/segments/segment-sequencer.ts';
import { type ReceivedBlock, CaptureInput } from './capture-input.ts';

/**
 * Losses up to this length are padded with silence in the same segment; a longer one begins a new segment.
 */
const longestPaddingMs = 2 * second;
/** A computer that sleeps is away for longer; a busy browser loses less. */
const shortestSleepMs = second / 2;
/** Longest wait at Stop for sound from before it, or from before the pause that it ends. */
const longestTailMs = 500;
/** A shorter loss in the tail cannot be distinguished from the jitter of arrivals. */
const shortestTailGapMs = 40;
/** A shorter gap at a switch of microphones is within the accuracy of their clocks, so it is none. */
const shortestGapMs = 20;

interface CaptureTimelineOptions {
  sequencer: Pick<SegmentSequencer, 'sound' | 'lost' | 'chunk' | 'setPaused' | 'cut' | 'start' | 'finish'>;
  nowMs: () => number;
  /** A block came; for the meter. */
  onBlock: (channels: readonly Float32Array[]) => void;
  /** The first sound of a new source has come. */
  onContinued: () => void;
}

/**
 * Decides where sound belongs in the take: which source counts, what is a pause, what is a gap and how long.
 * Calls take effect at once and in order. The time when sound was captured counts, not the time when it
 * arrived: sound from before a pause is recorded even if it arrives during it, and sound from within the
 * pause is not, however late it arrives.
 */
export class CaptureTimeline {
  readonly #options: CaptureTimelineOptions;
  readonly #gap = new GapClock();
  readonly #stall = new StallWatch();
  #current: CaptureInput | null = null;
  /** The old source counts until the first sound of this one. */
  #next: { source: CaptureInput; cause: GapCause } | null = null;
  readonly #pauses = new Pauses();
  #isOver = false;
  /** When Stop was pressed: earlier sound may still arrive, later sound is not recorded. */
  #stoppedAtMs = Infinity;
  #tailHasCome = (): void => undefined;
  /** When the last recorded sound ended, or recording was resumed. */
  #soundEndsMs: number;
  /** The segment of the current source begins with its next recorded sound, behind this gap. */
  #unbegun: { gap: EndedGap | null } | null = null;

  constructor(options: CaptureTimelineOptions) {
    this.#options = options;
    this.#soundEndsMs = options.nowMs();
  }

  /** The first source of a take whose first segment is open already. */
  start(source: CaptureSource): void {
    this.#current = this.#listenTo(source);
  }

  /**
   * Sound stopped coming earlier: a gap has run for `sinceMs` milliseconds until now; `null` when the take
   * was paused, which takes no time.
   */
  resumeAfter(sinceMs: number | null, source: CaptureSource, cause: GapCause): void {
    const nowMs = this.#options.nowMs();
    this.#gap.start(cause, nowMs - (sinceMs ?? 0), sinceMs === null);
    this.#next = { source: this.#listenTo(source), cause };
  }

  /** No sound comes any more. */
  interrupt(cause: GapCause): void {
    if (this.#isEnding) return;
    this.#next?.source.close();
    this.#next = null;
    this.#current?.close();
    this.#current = null;
    this.#unbegun = null;
    this.#startGap(cause);
    this.#options.sequencer.cut();
  }

  /** Sound comes from here as soon as its first block arrives. */
  continueWith(source: CaptureSource, cause: GapCause): void {
    if (this.#isEnding) return;
    this.#next?.source.close();
    this.#next = { source: this.#listenTo(source), cause };
  }

  /** A piece of the file that the browser's recorder writes. */
  chunk(bytes: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const isFirst = this.#next?.source.source.kind === 'media-recorder' && this.#next.source;
    if (isFirst) this.#promote(isFirst, isFirst.sinceMs);
    if (this.#current?.source.kind === 'media-recorder') {
      this.#stall.reset();
      this.#startSegment(this.#current);
      this.#soundEndsMs = this.#options.nowMs();
    }
    this.#options.sequencer.chunk(bytes, isLast);
  }

  setPaused(isPaused: boolean): void {
    if (this.#isEnding || isPaused === this.#isPaused) return;
    const nowMs = this.#options.nowMs();
    if (isPaused) {
      this.#pauses.start(nowMs);
      this.#gap.pause(nowMs);
      // The recorder's own file holds what was said before.
      if (this.#current?.source.kind === 'media-recorder') this.#soundEndsMs = nowMs;
    } else {
      this.#pauses.end(nowMs);
      this.#gap.resume(nowMs);
      this.#soundEndsMs = nowMs;
    }
    this.#options.sequencer.setPaused(isPaused);
  }

  /** No source is there, though the take runs. */
  get isInterrupted(): boolean {
    return this.#gap.cause !== null;
  }

  /**
   * To be called many times a second; true when sound should come and has not for a second, once per stall.
   */
  hasStalled(attentiveMs: number): boolean {
    // A recorder's file comes in pieces with long waits between: the page watches over those.
    if (this.#isOver || this.#isPaused || this.isInterrupted || this.#current?.source.kind !== 'pcm') {
      this.#stall.reset();
      return false;
    }
    return this.#stall.hasStalled(attentiveMs);
  }

  /**
   * Ends the take with all sound until now; resolves with its length and the gap that was open at its end.
   */
  async finish(): Promise<{ durationMs: number; gap: EndedGap | null }> {
    this.#stoppedAtMs = this.#options.nowMs();
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
   * Until when sound is recorded that is still to come: until Stop or the pause before it; for ever before
   * that.
   */
  get #untilMs(): number {
    return this.#pauses.sinceMs ?? this.#stoppedAtMs;
  }

  get #isEnding(): boolean {
    return this.#stoppedAtMs < Infinity;
  }

  /**
   * Waits, not for ever, until the sound has come that a microphone took before Stop or the pause; what does
   * not come is a gap.
   */
  async #awaitTail(): Promise<void> {
    const isTailComing =
      !this.isInterrupted && this.#unbegun === null && this.#current?.source.kind === 'pcm';
    if (!isTailComing || this.#missingMs <= (this.#isPaused ? shortestTailGapMs : 0)) return;
    await new Promise<void>((resolve) => {
      this.#tailHasCome = resolve;
      setTimeout(resolve, longestTailMs);
    });
    // What is held counts as it stands.
    this.#current?.close();
    if (this.#missingMs >= shortestTailGapMs) this.#startGap('unknown');
  }

  /** Length of the sound until Stop, or until the pause, that has not arrived. */
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

  #receive(from: CaptureInput, placed: PlacedBlock<ReceivedBlock>): void {
    const { beganAtMs } = placed;
    if (from === this.#next?.source) {
      // The silence of a device that only opens belongs to the gap.
      if (from.isWarmingUp(placed)) return;
      this.#promote(from, beganAtMs);
    }
    if (from !== this.#current || this.#isOver) return;
    this.#stall.reset();
    if (beganAtMs < this.#stoppedAtMs) this.#record(from, placed);
    if (Math.max(beganAtMs, this.#soundEndsMs) >= this.#untilMs) this.#tailHasCome();
  }

  #record(from: CaptureInput, { block, lostMs, beganAtMs }: PlacedBlock<ReceivedBlock>): void {
    const durationMs = (block.frames * 1000) / from.source.sampleRateHz;
    const missingMs =
      lostMs > 0 && this.#unbegun === null ? this.#pauses.outsideMs(beganAtMs - lostMs, beganAtMs) : 0;
    if (missingMs > 0) this.#lose(from, missingMs);
    if (this.#pauses.covers(beganAtMs, beganAtMs + durationMs)) return;
    if (this.#unbegun !== null) {
      // While both sources ran, the old one was recorded.
      if (beganAtMs + durationMs / 2 < this.#soundEndsMs) return;
      this.#startSegment(from);
    }
    this.#options.sequencer.sound(block.channels, durationMs);
    this.#soundEndsMs = Math.max(this.#soundEndsMs, beganAtMs + durationMs);
  }

  /** The first sound of the next source has come: the old one counts no more. */
  #promote(source: CaptureInput, beganAtMs: number): void {
    const cause = this.#next?.cause ?? 'unknown';
    this.#next = null;
    this.#current?.close();
    this.#startGap(cause);
    const gap = this.#gap.end(beganAtMs);
    this.#current = source;
    this.#unbegun = { gap: gap !== null && gap.durationMs >= shortestGapMs ? gap : null };
    this.#options.onContinued();
  }

  #startGap(cause: GapCause): void {
    const { sinceMs } = this.#pauses;
    // What was said before the pause and never came is missing as well.
    const isTailMissing = sinceMs !== null && sinceMs - this.#soundEndsMs >= shortestTailGapMs;
    this.#gap.start(cause, this.#soundEndsMs, sinceMs !== null && !isTailMissing);
    if (isTailMissing) this.#gap.pause(sinceMs);
  }

  #startSegment({ source }: CaptureInput): void {
    if (this.#unbegun === null) return;
    this.#options.sequencer.start(source, this.#unbegun.gap);
    this.#unbegun = null;
  }

  /**
   * The source went on, but time is missing in it. The file of the browser's own recorder cannot be cut from
   * here.
   */
  #lose({ source }: CaptureInput, lostMs: number): void {
    const gap: EndedGap = {
      cause: lostMs < shortestSleepMs ? 'unknown' : 'device-slept',
      durationMs: lostMs,
    };
    if (lostMs <= longestPaddingMs || source.kind === 'media-recorder') this.#options.sequencer.lost(gap);
    else this.#options.sequencer.start(source, gap);
  }
}

/** The pauses of a take by the clock that sound is placed by, in milliseconds. */
class Pauses {
  readonly #ended: { fromMs: number; untilMs: number }[] = [];
  #sinceMs: number | null = null;

  /** When the pause began that runs now; null while there is none. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** A pause begins. */
  start(atMs: number): void {
    this.#sinceMs ??= atMs;
  }

  /** It is over. */
  end(atMs: number): void {
    if (this.#sinceMs !== null) this.#ended.push({ fromMs: this.#sinceMs, untilMs: atMs });
    this.#sinceMs = null;
  }

  /**
   * Whether a pause began no later and ends no earlier. A piece of sound in which one begins or ends is none
   * of its own.
   */
  covers(fromMs: number, untilMs: number): boolean {
    return this.#all().some((pause) => pause.fromMs <= fromMs && untilMs <= pause.untilMs);
  }

  /** How much of a span of time lies in no pause. */
  outsideMs(fromMs: number, untilMs: number): number {
    return this.#all().reduce(
      (leftMs, pause) =>
        leftMs - Math.max(0, Math.min(untilMs, pause.untilMs) - Math.max(fromMs, pause.fromMs)),
      untilMs - fromMs,
    );
  }

  #all(): { fromMs: number; untilMs: number }[] {
    return this.#sinceMs === null
      ? this.#ended
      : [...this.#ended, { fromMs: this.#sinceMs, untilMs: Infinity }];
  }
}
