import { openHandle } from '#device/streams/slot-pool.ts';

/** Limit of bytes in memory while the system withholds the file: half an hour of speech. */
const maxTailBytes = 12 * 1024 * 1024;

/**
 * An append-only file that survives the loss of its handle, because iOS closes the handles of suspended pages.
 * Bytes appended meanwhile wait in memory until the file is reopened.
 */
export class SlotFile {
  readonly #file: FileSystemFileHandle;
  #handle: FileSystemSyncAccessHandle | null;
  #isClosed = false;
  #fileBytes: number;
  #flushedBytes: number;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #reopening: Promise<void> | null = null;
  #snapshot: Promise<File> | null = null;

  private constructor(file: FileSystemFileHandle, handle: FileSystemSyncAccessHandle) {
    this.#file = file;
    this.#handle = handle;
    this.#fileBytes = handle.getSize();
    this.#flushedBytes = this.#fileBytes;
  }

  /** Opens a file for appending after its current content. */
  static async open(file: FileSystemFileHandle): Promise<SlotFile> {
    return new SlotFile(file, await openHandle(file));
  }

  get sizeBytes(): number {
    return this.#fileBytes + this.#tailBytes;
  }

  /** Bytes that the file holds durably. */
  get flushedBytes(): number {
    return this.#flushedBytes;
  }

  /** True after the system has closed the file, until it is reopened; for good if `close` left bytes in memory. */
  get isLost(): boolean {
    return this.#handle === null && (!this.#isClosed || this.#tailBytes > 0);
  }

  /**
   * Appends all of the bytes, or throws and leaves the file unchanged.
   * @throws TypeError if the file is closed
   * @throws DOMException `InvalidStateError` when the memory limit is reached, `QuotaExceededError` on a full
   * device
   */
  append(bytes: Uint8Array): void {
    if (this.#isClosed) throw new TypeError('the journal is closed');
    if (this.#tailBytes === 0 && this.#write(bytes)) return;
    if (this.#tailBytes + bytes.length > maxTailBytes)
      throw new DOMException('the file could not be opened again', 'InvalidStateError');
    this.#tail.push(bytes.slice());
    this.#tailBytes += bytes.length;
  }

  /** Writes after the end without changing the size; bytes that do not fit are dropped. */
  writeProvisionalPage(bytes: Uint8Array): void {
    if (this.#tailBytes > 0) return;
    try {
      this.#handle?.write(bytes, { at: this.#fileBytes });
    } catch {
      // The sound in the page will be written again as a page of its own.
    }
  }

  /** Flushes the file to disk, or reopens it if the system has closed it. Never throws. */
  flush(): void {
    if (this.#isClosed) return;
    this.#writeTail();
    if (this.#flushedBytes === this.#fileBytes) return;
    this.#using((handle) => {
      handle.flush();
      this.#flushedBytes = this.#fileBytes;
    });
  }

  /** Truncates the file durably; this also removes a provisional page. */
  truncate(sizeBytes: number): void {
    const handle = this.#handle;
    if (handle === null) throw new TypeError('the journal is closed');
    handle.truncate(sizeBytes);
    handle.flush();
    this.#fileBytes = sizeBytes;
    this.#flushedBytes = sizeBytes;
  }

  /** Writes over existing bytes, or at the end without a hole. */
  overwrite(bytes: Uint8Array, atBytes: number): void {
    const handle = this.#handle;
    if (handle === null || atBytes > this.#fileBytes)
      throw new TypeError(`cannot write at ${atBytes} of ${this.#fileBytes} bytes`);
    const writtenBytes = handle.write(bytes, { at: atBytes });
    if (writtenBytes !== bytes.length)
      throw new DOMException(`wrote ${writtenBytes} of ${bytes.length} bytes`, 'QuotaExceededError');
    this.#fileBytes = Math.max(this.#fileBytes, atBytes + bytes.length);
    // The disk may still have the old bytes there.
    this.#flushedBytes = Math.min(this.#flushedBytes, atBytes);
  }

  /** Reads synchronously; null if the handle is lost. */
  readNow(offsetBytes: number, sizeBytes: number): Uint8Array<ArrayBuffer> | null {
    const { bytes, inFileBytes } = this.#rangeAt(offsetBytes, sizeBytes);
    const isRead =
      inFileBytes === 0 ||
      this.#using((handle) => {
        handle.read(bytes.subarray(0, inFileBytes), { at: offsetBytes });
      });
    return isRead ? bytes : null;
  }

  /** Reads bytes of the stream, in the file or in memory, also after `close`. */
  async read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const now = this.#handle === null ? null : this.readNow(offsetBytes, sizeBytes);
    if (now !== null) return now;
    if (!this.#isClosed) this.#snapshot = null;
    this.#snapshot ??= this.#file.getFile();
    // Before the wait: the file may be reopened meanwhile, and take the bytes out of memory.
    const { bytes, inFileBytes } = this.#rangeAt(offsetBytes, sizeBytes);
    if (inFileBytes === 0) return bytes;
    const stored = await (await this.#snapshot).slice(offsetBytes, offsetBytes + inFileBytes).arrayBuffer();
    bytes.set(new Uint8Array(stored));
    return stored.byteLength === inFileBytes ? bytes : bytes.slice(0, stored.byteLength);
  }

  /**
   * Releases the file, truncated to the appended bytes. Waits first for a running reopen to write the bytes in
   * memory. Bytes that the file does not accept then can still be read.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.flush();
    if (this.#tailBytes > 0) await this.#reopening;
    this.#isClosed = true;
    const handle = this.#handle;
    this.#handle = null;
    if (handle === null) return;
    if (handle.getSize() > this.#fileBytes) handle.truncate(this.#fileBytes);
    handle.flush();
    handle.close();
  }

  /** Returns false if the file has to be reopened. Writes all of the bytes or, on a full disk, none. */
  #write(bytes: Uint8Array): boolean {
    return this.#using((handle) => {
      try {
        const writtenBytes = handle.write(bytes, { at: this.#fileBytes });
        if (writtenBytes !== bytes.length)
          throw new DOMException(`wrote ${writtenBytes} of ${bytes.length} bytes`, 'QuotaExceededError');
      } catch (error) {
        if (!isLost(error)) handle.truncate(this.#fileBytes);
        throw error;
      }
      this.#fileBytes += bytes.length;
    });
  }

  #writeTail(): void {
    try {
      for (let first = this.#tail[0]; first && this.#write(first); first = this.#tail[0]) {
        this.#tail.shift();
        this.#tailBytes -= first.length;
      }
    } catch {
      // The disk is full: the bytes stay in memory, and the next flush tries again.
    }
  }

  /** A range of the stream that has its bytes in memory already. Its first `inFileBytes` bytes are in the file. */
  #rangeAt(offsetBytes: number, sizeBytes: number): { bytes: Uint8Array<ArrayBuffer>; inFileBytes: number } {
    const bytes = new Uint8Array(Math.max(0, Math.min(sizeBytes, this.sizeBytes - offsetBytes)));
    const inFileBytes = Math.max(0, Math.min(bytes.length, this.#fileBytes - offsetBytes));
    this.#readTail(bytes.subarray(inFileBytes), Math.max(0, offsetBytes - this.#fileBytes));
    return { bytes, inFileBytes };
  }

  #readTail(target: Uint8Array, fromBytes: number): void {
    let skippedBytes = 0;
    let filledBytes = 0;
    for (const piece of this.#tail) {
      const part = piece
        .subarray(Math.max(0, fromBytes - skippedBytes))
        .subarray(0, target.length - filledBytes);
      target.set(part, filledBytes);
      filledBytes += part.length;
      skippedBytes += piece.length;
    }
  }

  #using(work: (handle: FileSystemSyncAccessHandle) => void): boolean {
    if (this.#handle === null) {
      this.#reopen();
      return false;
    }
    try {
      work(this.#handle);
      return true;
    } catch (error) {
      if (!isLost(error)) throw error;
      this.#handle = null;
      this.#reopen();
      return false;
    }
  }

  #reopen(): void {
    if (this.#isClosed) return;
    this.#reopening ??= this.#openAgain()
      .catch(() => undefined)
      .finally(() => {
        this.#reopening = null;
      });
  }

  async #openAgain(): Promise<void> {
    const handle = await openHandle(this.#file);
    if (handle.getSize() < this.#fileBytes) {
      handle.close();
      throw new RangeError('the file is shorter than the written bytes');
    }
    this.#handle = handle;
    this.#writeTail();
  }
}

/** True for the error that a closed handle throws. */
const isLost = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';
