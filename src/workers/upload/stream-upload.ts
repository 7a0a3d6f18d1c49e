import { limits } from '#contract/limits.ts';
import type { CreateUpload, Receipt } from '#contract/uploads-api.ts';
import { GrowingDigest } from './digests.ts';
import { RetryPolicy, type WaitingCondition } from './retry-policy.ts';
import type { UploadAccess, UploadDeps } from './upload-access.ts';
import type { UploadClient } from './upload-client.ts';
import { UploadError } from './upload-error.ts';

const smallestAppendBytes = 16 * 1024;

/** One append-only file on this device, on its way to the server. */
export interface UploadSource {
  uploadId: string;
  creation: CreateUpload;
  /** Bytes that are safe on this device and may be sent. */
  sizeBytes: () => number;
  /** The SHA-256 of the sealed file where it is known beforehand; else it is made of what is sent. */
  sha256?: string;
  /** No more bytes will come. */
  isSealed: () => boolean;
  read: (offsetBytes: number, sizeBytes: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** The server's disk holds the first `sizeBytes` bytes. */
  acknowledged: (sizeBytes: number) => void;
}

/**
 * Keeps the server's copy of one file a prefix of the device's, until it is sealed: one request in flight,
 * every one of them repeatable.
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
  #longestAppendBytes: number = limits.appendSizeBytes;
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

  /** Bytes that the server's disk holds, as far as we know. */
  get offsetBytes(): number {
    return this.#offsetBytes;
  }

  get condition(): WaitingCondition | 'syncing' | 'idle' {
    if (this.#retryPolicy.condition !== null) return this.#retryPolicy.condition;
    const isWaiting = this.#source.sizeBytes() > this.#offsetBytes || this.#source.isSealed();
    return isWaiting && !this.#isComplete ? 'syncing' : 'idle';
  }

  /** Resolves once the server gave its receipt for the whole, sealed file. */
  async run(): Promise<void> {
    while (!this.#isComplete) {
      const client = await this.#access.client();
      try {
        await this.#step(client);
      } catch (error) {
        if (!this.#isTurnedBy(error)) await this.#retryPolicy.after(error, client);
      }
    }
  }

  /**
   * Takes a receipt that came by another way than this upload, where it is for these bytes; false where the
   * server holds less, or others. A server that holds more has this very file, further on: this device lost
   * what it had sent, as in a power cut.
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

  /** The file was sealed: what is left goes out at once. */
  wake(): void {
    this.#retryPolicy.call();
  }

  nudge(): void {
    this.#retryPolicy.nudge();
  }

  /** The server lost what it confirmed: begin by asking where it is. */
  restart(): void {
    this.#isComplete = false;
    this.#isCreated = false;
  }

  async #step(client: UploadClient): Promise<void> {
    if (!this.#isCreated) {
      this.#confirm((await client.create(this.#source.uploadId, this.#source.creation)).offset);
      this.#isCreated = true;
      this.#retryPolicy.succeeded();
      return;
    }
    const isSealed = this.#source.isSealed();
    const waitingBytes = this.#source.sizeBytes() - this.#offsetBytes;
    if (waitingBytes < 0) {
      await this.#completeAsStored(client);
      return;
    }
    if (waitingBytes === 0 && isSealed) {
      await this.#complete(client);
      return;
    }
    const untilDueMs =
      isSealed || waitingBytes >= this.#longestAppendBytes ? 0 : this.#nextAppendAtMs - this.#nowMs();
    if (waitingBytes > 0 && untilDueMs <= 0)
      await this.#append(client, Math.min(waitingBytes, this.#longestAppendBytes));
    else await this.#retryPolicy.rest(waitingBytes > 0 ? untilDueMs : client.upload.appendIntervalMs);
  }

  async #append(client: UploadClient, sizeBytes: number): Promise<void> {
    this.#nextAppendAtMs = this.#nowMs() + client.upload.appendIntervalMs;
    const offsetBytes = this.#offsetBytes;
    const bytes = await this.#source.read(offsetBytes, sizeBytes);
    if (bytes.length === 0) throw new RangeError(`nothing to read at ${offsetBytes}`);
    this.#confirm(await client.append(this.#place, offsetBytes, bytes));
    if (this.#source.sha256 === undefined) this.#digest.offer(offsetBytes, bytes);
    this.#longestAppendBytes = Math.min(
      limits.appendSizeBytes,
      this.#longestAppendBytes + smallestAppendBytes,
    );
    this.#retryPolicy.succeeded();
  }

  async #complete(client: UploadClient): Promise<void> {
    const sizeBytes = this.#source.sizeBytes();
    await client.complete(
      this.#place,
      sizeBytes,
      this.#source.sha256 ?? (await this.#digest.hexOf(sizeBytes)),
    );
    this.#isComplete = true;
    this.#retryPolicy.succeeded();
  }

  /**
   * This device lost bytes that it had flushed and sent, as in a power cut. Nobody else writes under an id
   * that was made here, so the server's copy is this very file, further on: it is sealed as it stands there.
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

  #confirm(offsetBytes: number): void {
    this.#offsetBytes = offsetBytes;
    this.#source.acknowledged(offsetBytes);
  }

  get #place(): { uploadId: string; epoch: number } {
    return { uploadId: this.#source.uploadId, epoch: this.#source.creation.epoch };
  }

  /**
   * Takes in what the failure says; true when the next step can follow at once, false when it has to wait.
   */
  #isTurnedBy(error: unknown): boolean {
    if (!(error instanceof UploadError)) return false;
    if (error.kind === 'offset') return this.#moveTo(error.offsetBytes);
    if (error.kind === 'unknown') this.#isCreated = false;
    if (error.kind === 'finished') this.#trustTheSeal();
    if (error.kind === 'too-large')
      this.#longestAppendBytes = Math.max(smallestAppendBytes, Math.floor(this.#longestAppendBytes / 2));
    if (error.kind === 'digest') this.#digest.restart();
    return false;
  }

  /**
   * Sealed by an attempt whose answer was lost, or by a later writer: the receipt will tell whether these are
   * our bytes.
   */
  #trustTheSeal(): void {
    this.#isCreated = this.#source.isSealed();
    if (this.#isCreated) this.#offsetBytes = this.#source.sizeBytes();
  }

  /** "A wrong offset answers 409 with the true one": go on from there, forwards or backwards. */
  #moveTo(offsetBytes: number | null): boolean {
    if (offsetBytes === null || offsetBytes === this.#offsetBytes) {
      this.#isCreated = false;
      return false;
    }
    this.#offsetBytes = offsetBytes;
    return true;
  }
}
