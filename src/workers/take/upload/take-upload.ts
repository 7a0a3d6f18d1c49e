import type { Passage } from '#contract/passages-api.ts';
import type { FinishRecording } from '#contract/recordings.ts';
import { type LabelSource, LabelUpload } from './label-upload.ts';
import type { TextOnServer } from '#device/sync/sent-texts.ts';
import type { TakeMarker, TakeNote, TakePassage } from '#device/records/take-record.ts';
import type { StoredTake } from '#workers/take/messages.ts';
import { finishUpload } from '#workers/upload/finish-upload.ts';
import { type UploadCondition, worstError } from '#workers/upload/upload-condition.ts';
import { type GapSource, GapUpload } from './gap-upload.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import { StreamUpload, type UploadSource } from '#workers/upload/stream-upload.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';

interface TakeUploadParts {
  recordingId: string;
  /** The existing streams; more are added while the take runs. */
  sources: readonly UploadSource[];
  markers: LabelSource<TakeMarker, TextOnServer>;
  notes: LabelSource<TakeNote, TextOnServer>;
  passages: LabelSource<TakePassage, Passage> & {
    /** Whether the server has the start of every passage. Until then no bytes are sent. */
    areStartsStored: () => boolean;
  };
  gaps: GapSource;
  /**
   * True if the take continues after it may have been finished: the next capability is that of the reopened
   * recording.
   */
  goesOn: boolean;
  /** Called when the server has reopened the recording. */
  reopened: () => Promise<void>;
  /** The finish request, once every stream is sealed. */
  finishing: () => FinishRecording;
}

/** Uploads one take: all of its streams in parallel, its markers, notes and passages, then the finish request. */
export class TakeUpload {
  readonly #streams: StreamUpload[] = [];
  readonly #runs: Promise<void>[] = [];
  readonly #parts: TakeUploadParts;
  readonly #access: UploadAccess;
  readonly #deps: UploadDeps;
  readonly #passages: LabelUpload<TakePassage, Passage>;
  readonly #labels: readonly Pick<LabelUpload<never>, 'run' | 'sendAgain' | 'wake' | 'nudge'>[];
  readonly #gaps: GapUpload;
  readonly #retryPolicy: RetryPolicy;
  readonly #stored = Promise.withResolvers<number>();
  #isRunning = false;
  #isFinished = false;

  constructor(parts: TakeUploadParts, access: UploadAccess, deps: UploadDeps) {
    this.#parts = parts;
    this.#access = access;
    this.#deps = deps;
    // Bytes may be sent again once a passage is stored.
    const setSent: typeof parts.passages.setSent = (passage, answer) =>
      parts.passages.setSent(passage, answer).finally(() => this.wake());
    this.#passages = new LabelUpload({ ...parts.passages, setSent }, access, deps);
    this.#labels = [
      new LabelUpload(parts.markers, access, deps),
      new LabelUpload(parts.notes, access, deps),
      this.#passages,
    ];
    this.#gaps = new GapUpload(parts.gaps, access, deps);
    this.#retryPolicy = new RetryPolicy(access, deps);
    for (const source of parts.sources) this.add(source);
  }

  /** The uploads in the order in which their sources were added. */
  get streams(): readonly StreamUpload[] {
    return this.#streams;
  }

  /** Adds a stream, also while others are being uploaded; not after the take was stopped. */
  add(source: UploadSource): void {
    const mayAppend = this.#parts.passages.areStartsStored;
    const serverLostBytes = (): Promise<void> => this.#sendLabelsAgain();
    const stream = new StreamUpload({ ...source, mayAppend, serverLostBytes }, this.#access, this.#deps);
    this.#streams.push(stream);
    if (this.#isRunning) this.#runs.push(stream.run());
  }

  /** The state of the upload, or why it waits. */
  get condition(): UploadCondition {
    const conditions = [
      this.#access.condition,
      this.#retryPolicy.condition,
      this.#passages.condition,
      ...this.#streams.map((stream) => stream.condition),
    ];
    const isSyncing = conditions.includes('syncing') || (this.#parts.markers.isSealed() && !this.#isFinished);
    return worstError(conditions) ?? (isSyncing ? 'syncing' : 'idle');
  }

  /**
   * Resolves with the length of the recording on the server in milliseconds, once the server has receipted every
   * byte and finished the take.
   */
  async run(): Promise<number> {
    const finishedMs = await Promise.race([this.#finish(), this.#stored.promise]);
    this.#isFinished = true;
    return finishedMs;
  }

  /**
   * Handles a take that the server has finished while its response and then the capability were lost. Ends `run`
   * if the server has every byte; returns false if it does not.
   */
  async acceptStored({ durationMs, receipts }: StoredTake): Promise<boolean> {
    for (const stream of this.#streams) {
      const receipt = receipts.find(({ uploadId }) => uploadId === stream.uploadId);
      if (receipt === undefined || !(await stream.acceptReceipt(receipt))) return false;
    }
    this.#stored.resolve(durationMs);
    return true;
  }

  /** Sends now, because the take was stopped, a segment sealed, a gap added, or a passage started or ended. */
  wake(): void {
    for (const part of [...this.#labels, this.#gaps, ...this.#streams]) part.wake();
  }

  /** Retries now, because the network is back or the page became visible. */
  nudge(): void {
    this.#access.remind();
    for (const part of [this.#retryPolicy, ...this.#labels, this.#gaps, ...this.#streams]) part.nudge();
  }

  async #send(): Promise<void> {
    this.#isRunning = true;
    this.#runs.push(...this.#streams.map((stream) => stream.run()));
    // Once the markers are sealed no more streams will be added.
    await Promise.all([...this.#labels.map((labels) => labels.run()), this.#gaps.run()]);
    while (this.#runs.length > 0) await Promise.all(this.#runs.splice(0));
  }

  /**
   * The server lost confirmed bytes, so it may have lost labels too. Bytes wait until it has the passages again: those
   * that are off the record would reach listeners.
   */
  async #sendLabelsAgain(): Promise<void> {
    // If saving fails, they are sent again as long as this page is open.
    await Promise.allSettled(this.#labels.map((labels) => labels.sendAgain()));
    this.#runs.push(...this.#labels.map((labels) => labels.run()));
    for (const labels of this.#labels) labels.wake();
  }

  async #finish(): Promise<number> {
    if (this.#parts.goesOn) {
      await this.#access.client();
      // If saving fails, the server is asked to reopen it again on the next visit, which is harmless.
      await this.#parts.reopened().catch(() => undefined);
    }
    return finishUpload(
      { access: this.#access, retryPolicy: this.#retryPolicy, streams: this.#streams },
      {
        send: () => this.#send(),
        finish: (client) => client.finish(this.#parts.recordingId, this.#parts.finishing()),
      },
    );
  }
}
