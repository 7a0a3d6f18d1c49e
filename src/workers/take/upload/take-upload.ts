import type { FinishRecording } from '#contract/recordings.ts';
import { type LabelSource, LabelUpload } from './label-upload.ts';
import type { TakeMarker, TakeNote } from '#device/takes/take-record.ts';
import type { StoredTake } from '#workers/take/messages.ts';
import { finishUpload } from '#workers/upload/finish-upload.ts';
import { type UploadCondition, worstError } from '#workers/upload/upload-condition.ts';
import { type GapSource, GapUpload } from './gap-upload.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import { StreamUpload, type UploadSource } from '#workers/upload/stream-upload.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';

interface TakeUploadParts {
  recordingId: string;
  /** Streams that are there already; more are added while the take runs. */
  sources: readonly UploadSource[];
  markers: LabelSource<TakeMarker>;
  notes: LabelSource<TakeNote>;
  gaps: GapSource;
  /**
   * The take was finished perhaps, and goes on: the capability that comes is that of the reopened recording.
   */
  goesOn: boolean;
  /** The server has reopened it. */
  reopened: () => Promise<void>;
  /** The final message, once every stream is sealed. */
  finishing: () => FinishRecording;
}

/**
 * Brings one take to the server: all of its streams side by side, its markers and notes, then the word that
 * it is finished.
 */
export class TakeUpload {
  readonly #streams: StreamUpload[] = [];
  readonly #runs: Promise<void>[] = [];
  readonly #parts: TakeUploadParts;
  readonly #access: UploadAccess;
  readonly #deps: UploadDeps;
  readonly #labels: readonly (LabelUpload<TakeMarker> | LabelUpload<TakeNote>)[];
  readonly #gaps: GapUpload;
  readonly #retryPolicy: RetryPolicy;
  readonly #stored = Promise.withResolvers<number>();
  #isRunning = false;
  #isFinished = false;

  constructor(parts: TakeUploadParts, access: UploadAccess, deps: UploadDeps) {
    this.#parts = parts;
    this.#access = access;
    this.#deps = deps;
    this.#labels = [new LabelUpload(parts.markers, access, deps), new LabelUpload(parts.notes, access, deps)];
    this.#gaps = new GapUpload(parts.gaps, access, deps);
    this.#retryPolicy = new RetryPolicy(access, deps);
    for (const source of parts.sources) this.add(source);
  }

  /** The uploads in the order in which their sources were added. */
  get streams(): readonly StreamUpload[] {
    return this.#streams;
  }

  /** One more stream to send, also while others are under way; not after the take was stopped. */
  add(source: UploadSource): void {
    const stream = new StreamUpload(source, this.#access, this.#deps);
    this.#streams.push(stream);
    if (this.#isRunning) this.#runs.push(stream.run());
  }

  /** Why bytes flow or do not. */
  get condition(): UploadCondition {
    const conditions = [
      this.#access.condition,
      this.#retryPolicy.condition,
      ...this.#streams.map((stream) => stream.condition),
    ];
    const isSyncing = conditions.includes('syncing') || (this.#parts.markers.isSealed() && !this.#isFinished);
    return worstError(conditions) ?? (isSyncing ? 'syncing' : 'idle');
  }

  /**
   * Resolves once the server holds a receipt for every byte and knows that the take is finished, with its
   * length there in milliseconds.
   */
  async run(): Promise<number> {
    const finishedMs = await Promise.race([this.#finish(), this.#stored.promise]);
    this.#isFinished = true;
    return finishedMs;
  }

  /**
   * The server has finished the take and gives no right to send any more: an answer was lost, and then the
   * right. Ends `run` where the server holds every byte; false where it does not.
   */
  async acceptStored({ durationMs, receipts }: StoredTake): Promise<boolean> {
    for (const stream of this.#streams) {
      const receipt = receipts.find(({ uploadId }) => uploadId === stream.uploadId);
      if (receipt === undefined || !(await stream.acceptReceipt(receipt))) return false;
    }
    this.#stored.resolve(durationMs);
    return true;
  }

  /** Something is to be sent at once: the take was stopped, a segment sealed, a gap named. */
  wake(): void {
    for (const part of [...this.#labels, this.#gaps, ...this.#streams]) part.wake();
  }

  /** Retries now, because the network is back or the user looks at the page. */
  nudge(): void {
    this.#access.remind();
    for (const part of [this.#retryPolicy, ...this.#labels, this.#gaps, ...this.#streams]) part.nudge();
  }

  async #send(): Promise<void> {
    this.#isRunning = true;
    this.#runs.push(...this.#streams.map((stream) => stream.run()));
    // Once the markers are sealed no more streams will be added.
    await Promise.all([...this.#labels.map((labels) => labels.run()), this.#gaps.run()]);
    await Promise.all(this.#runs.splice(0));
  }

  async #finish(): Promise<number> {
    if (this.#parts.goesOn) {
      await this.#access.client();
      // Unsaved, the server is asked again on the next visit, which is harmless.
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
