import { LevelMeter } from '#audio/level-meter.ts';
import { type Alarms, SoundAlarms } from '#audio/sound-alarms.ts';
import { second } from '#base/duration.ts';
import type { Gap } from '#contract/recordings.ts';
import { AttentiveClock } from '#workers/take/capture/stall-watch.ts';
import type { CaptureSource, FromTakeWorker, StorageTarget, ToTakeWorker } from '#workers/take/messages.ts';
import {
  segmentContainerOf,
  createSegmentAnywhere,
  createSegmentInMemory,
  openWriter,
  type OpenSegment,
} from '#workers/take/segments/create-segment.ts';
import { SegmentSequencer, type WrittenSegment } from '#workers/take/segments/segment-sequencer.ts';
import { shedReceipted } from '#workers/take/journal/shed-receipted.ts';
import type { OpenTake, TakeInProgress } from './open-take.ts';
import { CaptureTimeline } from '#workers/take/capture/capture-timeline.ts';

const settleEveryMs = second;
const shedEveryMs = 30 * second;

interface TakeCaptureOptions {
  take: OpenTake;
  /** Milliseconds that only run forward, also through a sleep of the computer. */
  nowMs: () => number;
  post: (message: FromTakeWorker, transfer?: Transferable[]) => void;
  onBlock: () => void;
  onGap: (gap: Gap) => void;
  /** A segment was begun, or sealed. */
  onSegment: (opened: OpenSegment) => void;
  onSealed: () => void;
  /** Sound can no longer be kept. */
  onFailure: (error: unknown) => void;
}

/** Commands of the page about sources of sound. */
export type SoundCommand = Extract<ToTakeWorker, { type: 'interrupt' | 'continue' | 'chunk' }>;

/** A take while it is recorded: sources in, segments out, level and alarms to the page. */
export class TakeCapture {
  readonly #options: TakeCaptureOptions;
  readonly #sequencer: SegmentSequencer;
  readonly #timeline: CaptureTimeline;
  readonly #attention: AttentiveClock;
  readonly #meter = new LevelMeter();
  readonly #alarms = new SoundAlarms();
  readonly #lastMs = { settle: 0, shed: -Infinity };
  #posted: Alarms = { silence: false, clipping: false };
  #isPaused = false;

  constructor(options: TakeCaptureOptions, recording: TakeInProgress) {
    this.#options = options;
    const { take, nowMs, post } = options;
    this.#attention = new AttentiveClock(nowMs);
    this.#sequencer = new SegmentSequencer(
      {
        openSegment: (source, startMs, onFailure) => this.#openSegment(source, startMs, onFailure),
        hasSpace: () => take.memory.hasSpace,
        onGap: options.onGap,
        onSealed: options.onSealed,
        onFailure: options.onFailure,
      },
      take.recordWriter.record.durationMs,
    );
    this.#timeline = new CaptureTimeline({
      sequencer: this.#sequencer,
      nowMs,
      onContinued: () => post({ type: 'continued' }),
      onBlock: (channels) => {
        this.#meter.push(channels);
        options.onBlock();
      },
    });
    if ('written' in recording) this.#start(recording.source, recording.written);
    else this.#timeline.resumeAfter(recording.silentForMs, recording.source, recording.cause);
  }

  /** How far the sound has come, whole milliseconds on the take's timeline. */
  get capturedMs(): number {
    return this.#sequencer.capturedMs;
  }

  get storageTarget(): StorageTarget {
    if (this.#sequencer.hasNoStorage) return 'nowhere';
    const { opened } = this.#sequencer.open ?? {};
    return opened !== undefined && (opened.audio.isSpilling || opened.peaks.isSpilling) ? 'memory' : 'disk';
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#timeline.setPaused(isPaused);
  }

  /** Handles a command about sources, at once and in order. */
  handle(command: SoundCommand): void {
    if (command.type === 'interrupt') this.#timeline.interrupt(command.cause);
    else if (command.type === 'continue') this.#timeline.continueWith(command.source, command.cause);
    else this.#timeline.chunk(new Uint8Array(command.bytes), command.isLast);
  }

  /** Handles a failure of the first segment's writer. */
  writerFailed(error: unknown): void {
    this.#sequencer.failed(error);
  }

  /** Posts level, peaks and alarms to the page; called about 15 times a second. */
  tick(): void {
    const points = this.#sequencer.open?.writer.takePoints() ?? new Int8Array();
    const level = this.#meter.take();
    this.#options.post({ type: 'level', ...level, points }, [points.buffer]);
    const attentiveMs = this.#attention.nowMs();
    const isListening = !this.#isPaused && !this.#timeline.isInterrupted;
    if (!isListening) this.#alarms.rest();
    this.#postAlarms(
      isListening ? this.#alarms.push(level, attentiveMs) : { silence: false, clipping: false },
    );
    if (this.#timeline.hasStalled(attentiveMs)) this.#options.post({ type: 'capture-stalled' });
  }

  /** Flushes whole pages to the disk, and on a full device makes space; called about four times a second. */
  flush(): void {
    this.#sequencer.flush();
    if (this.storageTarget === 'disk' || this.#options.take.journal === 'memory') return;
    const nowMs = this.#options.nowMs();
    if (nowMs - this.#lastMs.shed >= shedEveryMs) {
      this.#lastMs.shed = nowMs;
      void shedReceipted().catch(() => undefined);
    }
    if (nowMs - this.#lastMs.settle < settleEveryMs) return;
    this.#lastMs.settle = nowMs;
    for (const { audio, peaks } of this.#options.take.segments) {
      audio.settle();
      peaks.settle();
    }
  }

  /** Ends the take; resolves with its length in milliseconds when all of it is written. Never rejects. */
  async finish(): Promise<number> {
    this.#postAlarms({ silence: false, clipping: false });
    const { durationMs, gap } = await this.#timeline.finish();
    if (gap !== null && gap.durationMs > 0) this.#options.onGap({ atMs: durationMs, ...gap });
    return durationMs;
  }

  #start(source: CaptureSource, written: WrittenSegment): void {
    this.#sequencer.adopt(source, written);
    this.#timeline.start(source);
  }

  #postAlarms(alarms: Alarms): void {
    for (const alarm of ['silence', 'clipping'] as const) {
      if (alarms[alarm] !== this.#posted[alarm])
        this.#options.post({ type: 'alarm', alarm, isOn: alarms[alarm] });
    }
    this.#posted = alarms;
  }

  async #openSegment(
    source: CaptureSource,
    startMs: number,
    onFailure: (error: unknown) => void,
  ): Promise<WrittenSegment> {
    const {
      take: { recordWriter, segments, memory, journal },
      nowMs,
    } = this.#options;
    const epoch = segments.reduce((latest, { segment }) => Math.max(latest, segment.epoch), 1);
    const place = { index: segments.length, startMs, epoch, container: segmentContainerOf(source) };
    const opened =
      journal === 'memory'
        ? createSegmentInMemory(place, memory)
        : await createSegmentAnywhere(place, memory);
    const writer = await openWriter(opened, {
      source,
      quality: recordWriter.record.quality,
      nowMs,
      onFailure,
    });
    segments.push(opened);
    // On a full disk the record may not be saved now; it is written whole with every change.
    await recordWriter.change({ segments: segments.map(({ segment }) => segment) }).catch(() => undefined);
    this.#options.onSegment(opened);
    return { opened, writer };
  }
}
