import { limits } from '#contract/limits.ts';
import type { CreateUpload, Receipt } from '#contract/uploads-api.ts';
import { GrowingDigest } from './digests.ts';
import { RetryPolicy, type WaitingCondition } from './retry-policy.ts';
import type { UploadAccess, UploadDeps } from './upload-access.ts';
import type { UploadClient } from './upload-client.ts';
import { UploadError } from './upload-error.ts';

const minAppendBytes = 16 * 1024;

/** One append-only file on this device that is being uploaded. */
export interface UploadSource {
  uploadId: string;
  creation: CreateUpload;
  /** Bytes that are durable on this device and may be sent. */
  sizeBytes: () => number;
  /** The SHA-256 of the sealed file if it is already known; otherwise the sent bytes are hashed. */
  sha256?: string;
  /** True once no more bytes will be added. */
  isSealed: () => boolean;
  read: (offsetBytes: number, sizeBytes: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** Whether bytes may be sent now. Missing means yes. */
  mayAppend?: () => boolean;
  /** The server's disk holds the first `sizeBytes` bytes. */
  acknowledged: (sizeBytes: number) => void;
  /**
   * Called when the server has fewer bytes than it had confirmed, as after a standby took over from its database.
   * Nothing is sent again before it has resolved.
   */
  serverLostBytes?: () => Promise<void>;
}

/**
 * Extends the server's copy of one file, always a prefix of the device's, until it is sealed. One request at a
 * time, each of them repeatable.
 */
export class StreamUpload {
  readonly #source: UploadSource;
  readonly #access: UploadAccess;
  readonly #nowMs: () => number;
  readonly #retryPolicy: RetryPolicy;
  readonly #digest: GrowingDigest;
  #offsetBytes = 0;
  #isCreated = false;
  #isComplete = false;
  /** The server said that the upload is sealed. */
  #isSealedThere = false;
  #maxAppendBytes: number = limits.appendSizeBytes;
  #nextAppendAtMs = 0;

  constructor(source: UploadSource, access: UploadAccess, deps: UploadDeps) {
    this.#source = source;
    this.#access = access;
    this.#nowMs = deps.nowMs;
    this.#retryPolicy = new RetryPolicy(access, deps);
    this.#digest = new GrowingDigest(source.read);
  }

  get uploadId(): string {
    return this.#source.uploadId;
  }

  /** Bytes known to be on the server's disk. */
  get offsetBytes(): number {
    return this.#offsetBytes;
  }

  get condition(): WaitingCondition | 'syncing' | 'idle' {
    if (this.#retryPolicy.condition !== null) return this.#retryPolicy.condition;
    const isWaiting = this.#source.sizeBytes() > this.#offsetBytes || this.#source.isSealed();
    return isWaiting && !this.#isComplete ? 'syncing' : 'idle';
  }

  /** Resolves once the server has receipted the whole, sealed file. */
  async run(): Promise<void> {
    while (!this.#isComplete) {
      const client = await this.#access.client();
      try {
        await this.#step(client);
      } catch (error) {
        if (!(await this.#isTurnedBy(error))) await this.#retryPolicy.after(error, client);
      }
    }
  }

  /**
   * Accepts a receipt that did not come from this upload. Returns false if the server holds fewer or other bytes.
   * A server that holds more has a longer version of the same file: this device lost bytes that it had sent, as in
   * a power cut.
   */
  async acceptReceipt({ lengthBytes, sha256 }: Receipt): Promise<boolean> {
    const sizeBytes = this.#source.sizeBytes();
    if (!this.#source.isSealed() || lengthBytes < sizeBytes) return false;
    if (
      lengthBytes === sizeBytes &&
      sha256 !== (this.#source.sha256 ?? (await this.#digest.hexOf(sizeBytes)))
    )
      return false;
    this.#confirm(lengthBytes);
    this.#isComplete = true;
    return true;
  }

  /** Sends the rest now, because the file was sealed. */
  wake(): void {
    this.#retryPolicy.call();
  }

  nudge(): void {
    this.#retryPolicy.nudge();
  }

  /** Starts over with the server's offset, because the server lost bytes that it had confirmed. */
  restart(): void {
    this.#isComplete = false;
    this.#isCreated = false;
    this.#isSealedThere = false;
  }

  async #step(client: UploadClient): Promise<void> {
    if (!this.#isCreated) {
      const { offset } = await client.create(this.#source.uploadId, this.#source.creation);
      await this.#noteLoss(offset);
      this.#confirm(offset);
      this.#isCreated = true;
      this.#retryPolicy.succeeded();
      return;
    }
    const isSealed = this.#source.isSealed();
    const unsentBytes = this.#source.sizeBytes() - this.#offsetBytes;
    if (unsentBytes < 0) await this.#completeAsStored(client);
    else if (unsentBytes === 0 && isSealed) await this.#complete(client);
    else await this.#sendOrRest(client, { isSealed, unsentBytes });
  }

  /** Sends bytes if there are some, they may be sent, and enough time has passed since the last ones. */
  async #sendOrRest(
    client: UploadClient,
    { isSealed, unsentBytes }: { isSealed: boolean; unsentBytes: number },
  ): Promise<void> {
    const waitingBytes = this.#source.mayAppend?.() === false ? 0 : unsentBytes;
    const untilDueMs =
      isSealed || waitingBytes >= this.#maxAppendBytes ? 0 : this.#nextAppendAtMs - this.#nowMs();
    if (waitingBytes > 0 && untilDueMs <= 0)
      await this.#append(client, Math.min(waitingBytes, this.#maxAppendBytes));
    else await this.#retryPolicy.rest(waitingBytes > 0 ? untilDueMs : this.#intervalMs(client));
  }

  async #append(client: UploadClient, sizeBytes: number): Promise<void> {
    this.#nextAppendAtMs = this.#nowMs() + this.#intervalMs(client);
    const offsetBytes = this.#offsetBytes;
    const bytes = await this.#source.read(offsetBytes, sizeBytes);
    if (bytes.length === 0) throw new RangeError(`nothing to read at ${offsetBytes}`);
    this.#confirm(await client.append(this.#place, offsetBytes, bytes));
    if (this.#source.sha256 === undefined) this.#digest.offer(offsetBytes, bytes);
    this.#maxAppendBytes = Math.min(limits.appendSizeBytes, this.#maxAppendBytes + minAppendBytes);
    this.#retryPolicy.succeeded();
  }

  async #complete(client: UploadClient): Promise<void> {
    const sizeBytes = this.#source.sizeBytes();
    if (this.#isSealedThere && (await this.#completeAsSealed(client, sizeBytes))) return;
    await client.complete(
      this.#place,
      sizeBytes,
      this.#source.sha256 ?? (await this.#digest.hexOf(sizeBytes)),
    );
    this.#isComplete = true;
    this.#retryPolicy.succeeded();
  }

  /**
   * This device lost bytes that it had flushed and sent, as in a power cut. Only this device writes under an id
   * that it created, so the server's copy is a longer version of the same file and is sealed as it is.
   */
  async #completeAsStored(client: UploadClient): Promise<void> {
    if (!this.#source.isSealed()) throw new UploadError('server', 'the server holds more than this device');
    const { lengthBytes, sha256 } = await client.stored(this.#source.uploadId);
    this.#offsetBytes = lengthBytes;
    if (lengthBytes <= this.#source.sizeBytes()) return;
    await client.complete(this.#place, lengthBytes, sha256);
    this.#isComplete = true;
    this.#retryPolicy.succeeded();
  }

  /**
   * A file gets no bytes after this device has sealed it. What follows the sealed bytes in a longer file is damage, as
   * after a torn write. Returns false if the server's bytes are not the start of the file.
   */
  async #completeAsSealed(client: UploadClient, sizeBytes: number): Promise<boolean> {
    const { lengthBytes, sha256 } = await client.stored(this.#source.uploadId);
    if (lengthBytes >= sizeBytes || sha256 !== (await this.#digest.hexOf(lengthBytes))) return false;
    this.#confirm(lengthBytes);
    this.#isComplete = true;
    this.#retryPolicy.succeeded();
    return true;
  }

  #confirm(offsetBytes: number): void {
    this.#offsetBytes = offsetBytes;
    this.#source.acknowledged(offsetBytes);
  }

  #intervalMs({ upload: { appendIntervalMs, peaksIntervalMs = appendIntervalMs } }: UploadClient): number {
    return this.#source.creation.stream === 'peaks' ? peaksIntervalMs : appendIntervalMs;
  }

  get #place(): { uploadId: string; epoch: number } {
    return { uploadId: this.#source.uploadId, epoch: this.#source.creation.epoch };
  }

  /** Adapts to a failure. Returns true if the next step can follow immediately, false if it has to wait. */
  async #isTurnedBy(error: unknown): Promise<boolean> {
    if (!(error instanceof UploadError)) return false;
    if (error.kind === 'offset') return this.#moveTo(error.offsetBytes);
    if (error.kind === 'unknown') this.#isCreated = false;
    if (error.kind === 'finished') this.#trustTheSeal();
    if (error.kind === 'too-large')
      this.#maxAppendBytes = Math.max(minAppendBytes, Math.floor(this.#maxAppendBytes / 2));
    if (error.kind === 'digest') this.#digest.restart();
    return false;
  }

  /**
   * The upload was sealed by an attempt whose response was lost, or by a later writer. The receipt shows whether
   * it has the same bytes.
   */
  #trustTheSeal(): void {
    this.#isCreated = this.#source.isSealed();
    this.#isSealedThere = this.#isCreated;
    if (this.#isCreated) this.#offsetBytes = this.#source.sizeBytes();
  }

  /** A wrong offset is answered with 409 and the right one: continues from there, forwards or backwards. */
  async #moveTo(offsetBytes: number | null): Promise<boolean> {
    if (offsetBytes === null || offsetBytes === this.#offsetBytes) {
      this.#isCreated = false;
      return false;
    }
    await this.#noteLoss(offsetBytes);
    this.#offsetBytes = offsetBytes;
    return true;
  }

  async #noteLoss(offsetBytes: number): Promise<void> {
    if (offsetBytes < this.#offsetBytes) await this.#source.serverLostBytes?.();
  }
}
