import { assertNever } from '#base/errors/assert-never.ts';
import { second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { Gap } from '#contract/recordings.ts';
import { type SoundCommand, TakeCapture } from './take-capture.ts';
import { isOfLabels, TakeLabelsWriter } from '#workers/take/labels/take-labels.ts';
import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { OpenSegment } from '#workers/take/segments/create-segment.ts';
import { removeTake } from '#device/takes/takes-store.ts';
import { elapsedMsOf, knownLengthMs } from '#device/records/take-length.ts';
import type { TakeUpload } from '#workers/take/upload/take-upload.ts';
import { UploadAccess, type UploadDeps } from '#workers/upload/upload-access.ts';
import { failureOf } from '#workers/take/worker-failure.ts';
import { GapLog, PauseLog } from '#workers/take/take-record-writer.ts';
import type { OpenTake } from './open-take.ts';
import { progressOf, sourcesOf, uploadOf } from './take-streams.ts';

const tickMs = 66;
const flushEveryMs = 240;
const progressEveryMs = 190;
const saveEveryMs = 10 * second;
/** The file of MediaRecorder may tell no length after a kill, so the clock's is saved more often. */
const saveRawEveryMs = second;

export interface TakeSessionOptions {
  deps: UploadDeps;
  /** A clock in milliseconds that never goes back and includes sleep of the computer. */
  nowMs: () => number;
  post: (message: FromTakeWorker, transfer?: Transferable[]) => void;
  /** Called when the server has everything and this worker can close. */
  onDone: () => void;
}

/** Commands for an open take. */
export type TakeCommand = Exclude<ToTakeWorker, { type: 'start' | 'recover' }>;

/** One open take until the server has all of it: records, stores and uploads it, and reports to the page. */
export class TakeSession {
  readonly #take: OpenTake;
  readonly #options: TakeSessionOptions;
  readonly #labels: TakeLabelsWriter;
  readonly #pauses: PauseLog;
  readonly #gaps: GapLog;
  readonly #recording: TakeCapture | null;
  readonly #access: UploadAccess;
  readonly #upload: TakeUpload;
  #isRejectionReported = false;
  readonly #lastMs = { flush: 0, progress: 0, save: performance.now() };
  #state: 'recording' | 'stopping' | 'stopped';

  constructor(take: OpenTake, options: TakeSessionOptions) {
    this.#take = take;
    this.#options = options;
    this.#state = take.recording === null ? 'stopped' : 'recording';
    this.#labels = new TakeLabelsWriter(take.recordWriter, options.post);
    this.#pauses = new PauseLog(take.recordWriter);
    this.#gaps = new GapLog(take.recordWriter, (gaps) => this.#postGaps(gaps));
    this.#access = new UploadAccess(options.deps, (reason) =>
      options.post({ type: 'attach-needed', takeId: this.#id, reason, goesOn: this.#goesOn }),
    );
    this.#upload = uploadOf(
      { take, labels: this.#labels, isStopped: () => this.#state === 'stopped' },
      this.#access,
      options.deps,
    );
    this.#recording = this.#record();
  }

  /** Starts to report and to upload. */
  start(): void {
    const { record } = this.#take.recordWriter;
    this.#options.post({ type: 'started', takeId: this.#id, journal: this.#take.journal });
    if (this.#recording === null)
      this.#options.post({ type: 'stopped', takeId: this.#id, durationMs: record.durationMs });
    this.#labels.start();
    if (record.gaps.length > 0) this.#options.post({ type: 'gaps', gaps: record.gaps });
    setInterval(() => this.#tick(), tickMs);
    // The server rejects a capability from before the take was finished once it is reopened.
    if (record.upload !== null && !this.#goesOn) this.#access.attach(record.upload);
    else this.#access.remind();
    void this.#runUpload();
  }

  /** Handles a command of the page; never rejects. */
  async handle(command: TakeCommand): Promise<void> {
    // A record that could not be saved does not end the take: the next change writes the whole record again.
    await this.#dispatch(command).catch(() => undefined);
  }

  async #dispatch(command: TakeCommand): Promise<void> {
    if (isOfSound(command)) return this.#recording?.handle(command);
    if (isOfLabels(command)) {
      const handled = this.#labels.handle(command, this.#nowInTakeMs);
      if ('passageId' in command) this.#upload.wake();
      return handled;
    }
    if ('ownerId' in command) return this.#takeFromServer(command);
    switch (command.type) {
      case 'pause':
      case 'resume':
        return this.#setPaused(command.type === 'pause');
      case 'stop':
        return this.#stop();
      case 'rename':
        return this.#take.recordWriter.change({ title: command.title });
      case 'nudge':
        this.#upload.nudge();
        return undefined;
      default:
        return assertNever(command);
    }
  }

  /** Reports that sound can no longer be stored, and stops the take normally with all sound until now. */
  fail(error: unknown): void {
    const { code, message } = failureOf(error, 'internal');
    this.#options.post({ type: 'failed', takeId: this.#id, code, detail: message });
    void this.#stop();
  }

  /** Handles a failure of the first segment's writer. */
  writerFailed(error: unknown): void {
    this.#recording?.writerFailed(error);
  }

  get #id(): string {
    return this.#take.recordWriter.record.id;
  }

  /**
   * Whether the server may have to reopen the take. Until this worker finishes a continued take, the server may
   * finish it at any time, because an earlier finish request can still be in transit.
   */
  get #goesOn(): boolean {
    const { recordWriter, recording } = this.#take;
    return recordWriter.record.goesOn === true || (recording !== null && 'silentForMs' in recording);
  }

  /**
   * Handles a capability, or the server's copy of a take that it has finished. Bytes that this copy lacks stay on
   * this device.
   */
  async #takeFromServer(command: Extract<TakeCommand, { type: 'attach' | 'stored' }>): Promise<void> {
    const { ownerId } = command;
    if (command.type === 'attach') {
      this.#access.attach(command.upload);
      return this.#take.recordWriter.change({ ownerId, upload: command.upload });
    }
    const { durationMs, receipts } = command;
    if (this.#state === 'stopped' && (await this.#upload.acceptStored({ durationMs, receipts })))
      return this.#take.recordWriter.change({ ownerId });
    this.#access.detach();
    this.#options.post({ type: 'unsendable', takeId: this.#id });
  }

  #record(): TakeCapture | null {
    const { recording, recordWriter } = this.#take;
    if (recording === null) return null;
    return new TakeCapture(
      {
        take: this.#take,
        nowMs: this.#options.nowMs,
        post: this.#options.post,
        // Browsers slow down the timers of a hidden tab, so arriving sound triggers the flush as well.
        onBlock: () => {
          if (performance.now() - this.#lastMs.flush > 2 * flushEveryMs) this.#tick();
        },
        onGap: (gap) => this.#gaps.add(gap),
        onSegment: (opened: OpenSegment) => {
          for (const source of sourcesOf(recordWriter.record.id, opened)) this.#upload.add(source);
        },
        onSealed: () => this.#upload.wake(),
        onFailure: (error) => this.fail(error),
      },
      recording,
    );
  }

  async #setPaused(isPaused: boolean): Promise<void> {
    const recording = this.#recording;
    if (recording === null || this.#state !== 'recording' || recording.isPaused === isPaused) return;
    recording.setPaused(isPaused);
    await (isPaused ? this.#pauses.start(recording.capturedMs) : this.#pauses.end());
  }

  /** The current length of the take. */
  get #nowInTakeMs(): number {
    const { record } = this.#take.recordWriter;
    return this.#state === 'recording' && this.#recording
      ? this.#recording.capturedMs
      : (record.durationMs ?? elapsedMsOf(record));
  }

  async #stop(): Promise<void> {
    const { recordWriter, segments } = this.#take;
    if (this.#recording === null || this.#state !== 'recording') return;
    this.#state = 'stopping';
    const paused = this.#pauses.end();
    const capturedMs = await this.#recording.finish();
    const { microphoneSilenceMs } = this.#recording;
    const sizeBytes = segments.reduce((sum, { audio }) => sum + audio.sizeBytes, 0);
    const durationMs = knownLengthMs(capturedMs, sizeBytes);
    const saved = recordWriter.change({ state: 'stopped', durationMs, sizeBytes, microphoneSilenceMs });
    this.#state = 'stopped';
    this.#upload.wake();
    // On a full disk saving may fail. The audio is saved, and the next visit recovers it like a take whose tab
    // died.
    await Promise.allSettled([paused, saved]);
    this.#options.post({ type: 'stopped', takeId: this.#id, durationMs });
  }

  async #runUpload(): Promise<void> {
    const serverMs = await this.#upload.run();
    if (this.#recording === null && serverMs === 0 && this.#isEmpty) {
      await removeTake(this.#id);
      this.#options.post({
        type: 'failed',
        takeId: this.#id,
        code: 'not-found',
        detail: 'nobody has any sound of it',
      });
      this.#options.onDone();
      return;
    }
    // If saving fails, the next visit requests the receipt again: every call of the protocol may be repeated.
    // After a power cut the server may have more than this device; then its length is the recording's.
    const { durationMs, sizeBytes } = this.#take.recordWriter.record;
    await this.#take.recordWriter
      .change({
        receiptAtMs: Date.now(),
        durationMs: knownLengthMs(Math.max(serverMs, durationMs ?? 0), sizeBytes),
      })
      .catch(() => undefined);
    this.#postProgress();
    this.#options.post({
      type: 'receipt',
      takeId: this.#id,
      durationMs: this.#take.recordWriter.record.durationMs,
    });
    this.#options.onDone();
  }

  #tick(): void {
    if (this.#recording !== null && this.#state === 'recording') {
      this.#recording.tick();
      if (this.#isDue('flush', flushEveryMs)) this.#recording.flush();
      if (this.#isDue('save', this.#saveEveryMs)) void this.#saveLength(this.#recording);
      if (this.#recording.capturedMs >= limits.maxTakeMs) void this.#stop();
    }
    if (this.#isDue('progress', progressEveryMs)) this.#postProgress();
    this.#reportRejection();
  }

  #reportRejection(): void {
    if (this.#isRejectionReported || this.#upload.condition !== 'not-audio') return;
    this.#isRejectionReported = true;
    this.#options.post({ type: 'rejected', rejection: 'not-audio' });
  }

  #isDue(what: 'flush' | 'progress' | 'save', everyMs: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs[what] < everyMs) return false;
    this.#lastMs[what] = nowMs;
    return true;
  }

  get #saveEveryMs(): number {
    return this.#take.segments.at(-1)?.segment.container === 'ogg' ? saveEveryMs : saveRawEveryMs;
  }

  /** Whether neither this device nor the server has a byte of it, whatever its length seems to be. */
  get #isEmpty(): boolean {
    return (
      this.#take.segments.every(({ audio, peaks }) => audio.sizeBytes === 0 && peaks.sizeBytes === 0) &&
      this.#upload.streams.every(({ offsetBytes }) => offsetBytes === 0)
    );
  }

  /** Saves the length, so that the list of takes can show it after the tab died, and what was measured. */
  async #saveLength({
    capturedMs,
    microphoneSilenceMs,
  }: Pick<TakeCapture, 'capturedMs' | 'microphoneSilenceMs'>): Promise<void> {
    const { recordWriter, segments } = this.#take;
    const sizeBytes = segments.reduce((sum, { audio }) => sum + audio.flushedBytes, 0);
    await recordWriter
      .change({ durationMs: knownLengthMs(capturedMs, sizeBytes), sizeBytes, microphoneSilenceMs })
      .catch(() => undefined);
  }

  #postGaps(gaps: Gap[]): void {
    this.#options.post({ type: 'gaps', gaps });
    this.#upload.wake();
  }

  #postProgress(): void {
    const { recordWriter, segments } = this.#take;
    const stoppedIn = segments.some(({ audio, peaks }) => audio.isSpilling || peaks.isSpilling)
      ? 'memory'
      : 'disk';
    const capturedMs =
      this.#state === 'stopped' || this.#recording === null
        ? recordWriter.record.durationMs
        : this.#recording.capturedMs;
    if (capturedMs === null) return;
    this.#options.post({
      type: 'progress',
      progress: progressOf(this.#take, this.#upload, capturedMs),
      condition: this.#upload.condition,
      storageTarget: this.#state === 'recording' ? (this.#recording?.storageTarget ?? stoppedIn) : stoppedIn,
    });
  }
}

const isOfSound = (command: TakeCommand): command is SoundCommand =>
  ['interrupt', 'continue', 'chunk'].includes(command.type);
