import type { StreamJournal } from '#workers/take/journal/stream-journal.ts';
import { WorkerFailure } from '#workers/take/worker-failure.ts';

/** One append-only stream of a segment as its writer sees it. */
export interface SegmentStream {
  /** Bytes appended so far, flushed or not. */
  readonly sizeBytes: number;
  /** Appends all of the bytes, to the disk or, on a full device, to memory. Throws only if both are full. */
  append: (bytes: Uint8Array) => void;
  /** Writes a provisional Ogg page after the end. Recovery includes it; the next append replaces it. */
  writeProvisionalPage: (page: Uint8Array) => void;
  /** Flushes the appended bytes to disk. */
  flush: () => void;
}

/** The errors of `StreamJournal.append` that a later attempt may not meet. */
const notAccepted: ReadonlySet<string> = new Set(['QuotaExceededError', 'InvalidStateError']);
/** After this many flushes (two seconds) without progress, bytes are sent although they are not on the disk. */
const patientFlushes = 8;

/**
 * A stream of a segment on the disk. While the device is full, new bytes stay in memory until the disk has space
 * again or, when memory runs short, until the server has them.
 */
export class SpillableStream implements SegmentStream {
  readonly #journal: StreamJournal;
  readonly #memory: SpillMemory;
  #tail: { offsetBytes: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  #sizeBytes: number;
  #acknowledgedBytes = 0;
  #vainFlushes = 0;
  #lastFlushedBytes = 0;
  #isClosed = false;
  /** The journal is closed, and writes nothing more. */
  #isReleased = false;

  constructor(journal: StreamJournal, memory: SpillMemory) {
    this.#journal = journal;
    this.#memory = memory;
    this.#sizeBytes = journal.sizeBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Bytes on this device's disk that survive a power cut. */
  get flushedBytes(): number {
    return this.#journal.flushedBytes;
  }

  /** True while the device accepts no more, or did not until the end: the last bytes are in memory only. */
  get isSpilling(): boolean {
    const isLeftInMemory = this.#isReleased && this.#journal.flushedBytes < this.#journal.sizeBytes;
    return !this.#isOnDisk || this.#vainFlushes >= patientFlushes || isLeftInMemory;
  }

  /**
   * How many bytes may be sent: only flushed ones, so that the server's copy is never ahead of this one after
   * a power cut. On a full device the server is the only safe place, so all bytes may be sent.
   */
  get sendableBytes(): number {
    return this.isSpilling || this.#isClosed ? this.#sizeBytes : this.#journal.flushedBytes;
  }

  append(bytes: Uint8Array): void {
    if (!this.#isOnDisk || !this.#isAppended(bytes)) this.#spill(bytes);
    this.#sizeBytes += bytes.length;
  }

  writeProvisionalPage(page: Uint8Array): void {
    if (this.#isOnDisk) this.#journal.writeProvisionalPage(page);
  }

  flush(): void {
    this.#journal.flush();
    const { flushedBytes, sizeBytes } = this.#journal;
    this.#vainFlushes =
      flushedBytes < sizeBytes && flushedBytes === this.#lastFlushedBytes ? this.#vainFlushes + 1 : 0;
    this.#lastFlushedBytes = flushedBytes;
  }

  /** Moves bytes from memory to the disk, as far as it has space now. */
  settle(): void {
    for (
      let [first] = this.#tail;
      first !== undefined && first.offsetBytes === this.#journal.sizeBytes;
      [first] = this.#tail
    ) {
      if (!this.#isAppended(first.bytes)) return;
      this.#memory.give(first.bytes.length);
      this.#tail.shift();
    }
  }

  /** The server holds the first `sizeBytes` bytes. */
  acknowledged(sizeBytes: number): void {
    this.#acknowledgedBytes = sizeBytes;
    this.#journal.acknowledged(Math.min(sizeBytes, this.#journal.sizeBytes));
  }

  /** Releases the memory of bytes that the server has. From then on this stream cannot return to the disk. */
  dropAcknowledged(): void {
    for (
      let [first] = this.#tail;
      first !== undefined && first.offsetBytes + first.bytes.length <= this.#acknowledgedBytes;
      [first] = this.#tail
    ) {
      this.#memory.give(first.bytes.length);
      this.#tail.shift();
    }
  }

  /** Reads bytes; returns fewer at the end of the disk's part or of the stream. */
  async read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const onDiskBytes = this.#journal.sizeBytes - offsetBytes;
    if (onDiskBytes > 0) return this.#journal.read(offsetBytes, Math.min(sizeBytes, onDiskBytes));
    return this.#readTail(offsetBytes, sizeBytes);
  }

  /** Writes what the disk accepts and releases the file. Reading remains possible. */
  async close(): Promise<void> {
    this.settle();
    this.#isClosed = true;
    await this.#journal.close();
    this.#isReleased = true;
  }

  get #isOnDisk(): boolean {
    return this.#journal.sizeBytes >= this.#sizeBytes;
  }

  #isAppended(bytes: Uint8Array): boolean {
    try {
      this.#journal.append(bytes);
      return true;
    } catch (error) {
      if (error instanceof Error && notAccepted.has(error.name)) return false;
      throw error;
    }
  }

  #spill(bytes: Uint8Array): void {
    this.#memory.take(this, bytes.length);
    this.#tail.push({ offsetBytes: this.#sizeBytes, bytes: bytes.slice() });
  }

  #readTail(offsetBytes: number, sizeBytes: number): Uint8Array<ArrayBuffer> {
    const last = Math.min(offsetBytes + sizeBytes, this.#sizeBytes);
    const bytes = new Uint8Array(Math.max(0, last - offsetBytes));
    let readBytes = 0;
    for (const piece of this.#tail) {
      const from = offsetBytes + readBytes - piece.offsetBytes;
      if (from < 0) break;
      const part = piece.bytes.subarray(from, from + bytes.length - readBytes);
      bytes.set(part, readBytes);
      readBytes += part.length;
    }
    return bytes.slice(0, readBytes);
  }
}

/** Two hours at the better quality, or a day of speech. */
const sizeLimitBytes = 64 * 1024 * 1024;
/** This much must be free before sound is stored again after a failure: minutes, not moments. */
const enoughBytes = 1024 * 1024;

/** Holds bytes in memory and can release those that the server has. */
interface Spilled {
  dropAcknowledged: () => void;
}

/** The memory that all streams of a take share while the device is full. */
export class SpillMemory {
  readonly #limitBytes: number;
  readonly #streams = new Set<Spilled>();
  #usedBytes = 0;

  constructor(limitBytes = sizeLimitBytes) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Reserves memory for bytes of a stream.
   * @throws WorkerFailure `storage-full` if there is not enough left
   */
  take(stream: Spilled, sizeBytes: number): void {
    this.#streams.add(stream);
    if (this.#usedBytes + sizeBytes > this.#limitBytes) this.#dropAcknowledged();
    if (this.#usedBytes + sizeBytes > this.#limitBytes)
      throw new WorkerFailure('storage-full', 'this device and its memory are full');
    this.#usedBytes += sizeBytes;
  }

  /** Releases memory. */
  give(sizeBytes: number): void {
    this.#usedBytes -= sizeBytes;
  }

  /** True if there is memory for several minutes. */
  get hasSpace(): boolean {
    this.#dropAcknowledged();
    return this.#usedBytes + enoughBytes <= this.#limitBytes;
  }

  #dropAcknowledged(): void {
    for (const stream of this.#streams) stream.dropAcknowledged();
  }
}
