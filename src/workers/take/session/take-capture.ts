import { LevelMeter } from '#audio/level-meter.ts';
import { type Alarms, SoundAlarms } from '#audio/sound-alarms.ts';
import { second } from '#base/duration.ts';
import type { Gap } from '#contract/recordings.ts';
import { elapsedSince } from '#workers/take/elapsed-since.ts';
import { AttentiveClock } from '#workers/take/capture/stall-watch.ts';
import type { CaptureSource, FromTakeWorker, StorageTarget, ToTakeWorker } from '#workers/take/messages.ts';
import {
  segmentContainerOf,
  createSegmentAnywhere,
  createSegmentInMemory,
  openWriter,
  type OpenSegment,
} from '#workers/take/segments/create-segment.ts';
import { minGapMs, SegmentSequencer, type WrittenSegment } from '#workers/take/segments/segment-sequencer.ts';
import { shedReceipted } from '#workers/take/journal/shed-receipted.ts';
import type { OpenTake, TakeInProgress } from './open-take.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { elapsedMsOf } from '#device/records/take-length.ts';
import { CaptureTimeline } from '#workers/take/capture/capture-timeline.ts';

const settleEveryMs = second;
const shedEveryMs = 30 * second;

interface TakeCaptureOptions {
  take: OpenTake;
  /** A clock in milliseconds that never goes back and includes sleep of the computer. */
  nowMs: () => number;
  post: (message: FromTakeWorker, transfer?: Transferable[]) => void;
  onBlock: () => void;
  onGap: (gap: Gap) => void;
  /** Called when a segment was opened. */
  onSegment: (opened: OpenSegment) => void;
  onSealed: () => void;
  /** Called when sound can no longer be stored. */
  onFailure: (error: unknown) => void;
}

/** Commands of the page about sources of sound. */
export type SoundCommand = Extract<ToTakeWorker, { type: 'interrupt' | 'continue' | 'chunk' }>;

/** Where a take continues. */
const endMsOf = (record: TakeRecord): number => record.durationMs ?? elapsedMsOf(record);

/** A take while it is recorded: reads the sources, writes the segments, and posts level and alarms to the page. */
export class TakeCapture {
  readonly #options: TakeCaptureOptions;
  readonly #sequencer: SegmentSequencer;
  readonly #timeline: CaptureTimeline;
  readonly #attention: AttentiveClock;
  readonly #meter = new LevelMeter();
  readonly #alarms = new SoundAlarms();
  readonly #lastMs = { settle: 0, shed: -Infinity };
  /** The silence that was measured before this worker recorded. */
  readonly #silenceBeforeMs: number | null;
  #posted: Alarms = { silence: false, clipping: false };
  #isPaused = false;

  constructor(options: TakeCaptureOptions, recording: TakeInProgress) {
    this.#options = options;
    const { take, nowMs, post } = options;
    this.#attention = new AttentiveClock(nowMs);
    this.#silenceBeforeMs =
      'written' in recording ? null : (take.recordWriter.record.microphoneSilenceMs ?? null);
    this.#sequencer = new SegmentSequencer(
      {
        openSegment: (source, startMs, onFailure) => this.#openSegment(source, startMs, onFailure),
        hasSpace: () => take.memory.hasSpace,
        onGap: options.onGap,
        onSealed: options.onSealed,
        onFailure: options.onFailure,
      },
      'written' in recording ? 0 : endMsOf(take.recordWriter.record),
    );
    this.#timeline = new CaptureTimeline({
      sequencer: this.#sequencer,
      nowMs,
      onContinued: () => post({ type: 'continued' }),
      onBlock: (channels, delivered) => {
        this.#meter.push(channels, delivered);
        options.onBlock();
      },
    });
    if ('written' in recording) this.#start(recording.source, recording.written);
    else this.#timeline.resumeAfter(recording.silentForMs, recording.source);
  }

  /** The length of the sound so far, in whole milliseconds of the take's timeline. */
  get capturedMs(): number {
    return this.#sequencer.capturedMs;
  }

  /** For how long the microphone delivered silence, in whole milliseconds; null if nothing measured it. */
  get microphoneSilenceMs(): number | null {
    const measuredMs = this.#sequencer.microphoneSilenceMs;
    return measuredMs === null ? this.#silenceBeforeMs : (this.#silenceBeforeMs ?? 0) + measuredMs;
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

  /** Handles a command about sources, synchronously and in order. */
  handle(command: SoundCommand): void {
    if (command.type === 'interrupt') this.#timeline.interrupt(command.cause);
    else if (command.type === 'continue') this.#timeline.continueWith(command.source, command.cause);
    else this.#chunk(command);
  }

  #chunk({ recorderId, bytes, isLast, atMs }: Extract<SoundCommand, { type: 'chunk' }>): void {
    this.#timeline.chunk({
      recorderId,
      bytes: new Uint8Array(bytes),
      isLast,
      atMs: this.#options.nowMs() - elapsedSince(atMs),
    });
  }

  /** Handles a failure of the first segment's writer. */
  writerFailed(error: unknown): void {
    this.#sequencer.failed(error);
  }

  /** Posts level, peaks and alarms to the page; called about 15 times a second. */
  tick(): void {
    const points = this.#sequencer.open?.writer.takePoints() ?? new Int8Array();
    const level = this.#meter.hasSamples ? this.#meter.take() : null;
    this.#options.post({ type: 'level', level, points }, [points.buffer]);
    const attentiveMs = this.#attention.nowMs();
    const isListening = !this.#isPaused && !this.#timeline.isInterrupted;
    if (!isListening) this.#alarms.rest();
    this.#postAlarms(
      isListening ? this.#alarms.push(level, attentiveMs) : { silence: false, clipping: false },
    );
    if (this.#timeline.hasStalled(attentiveMs)) this.#options.post({ type: 'capture-stalled' });
  }

  /** Flushes complete pages to disk, and frees space on a full device; called about four times a second. */
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

  /** Ends the take. Resolves with its length in milliseconds when everything is written. Never rejects. */
  async finish(): Promise<number> {
    this.#postAlarms({ silence: false, clipping: false });
    const { durationMs, gap } = await this.#timeline.finish();
    if (gap !== null && gap.durationMs >= minGapMs) this.#options.onGap({ atMs: durationMs, ...gap });
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
    // On a full disk saving may fail; every later change writes the whole record.
    await recordWriter.change({ segments: segments.map(({ segment }) => segment) }).catch(() => undefined);
    this.#options.onSegment(opened);
    return { opened, writer };
  }
}
