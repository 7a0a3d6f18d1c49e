import { openHandle } from '#device/streams/slot-pool.ts';

/** What memory may hold while the system keeps the file from us: half an hour of speech. */
const longestTailBytes = 12 * 1024 * 1024;

/**
 * An append-only file that survives the loss of its handle: iOS closes handles of pages it suspends. What is
 * appended meanwhile waits in memory while the file is opened again.
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

  /** Opens a file for appending behind what it holds. */
  static async open(file: FileSystemFileHandle): Promise<SlotFile> {
    return new SlotFile(file, await openHandle(file));
  }

  get sizeBytes(): number {
    return this.#fileBytes + this.#tailBytes;
  }

  /** What the file holds durably. */
  get flushedBytes(): number {
    return this.#flushedBytes;
  }

  /** The system has closed the file; it is being opened again. */
  get isLost(): boolean {
    return this.#handle === null && !this.#isClosed;
  }

  /** Appends all of the bytes or throws and leaves the file as it was. @throws TypeError when it is closed */
  append(bytes: Uint8Array): void {
    if (this.#isClosed) throw new TypeError('the journal is closed');
    if (this.#tailBytes === 0 && this.#write(bytes)) return;
    if (this.#tailBytes + bytes.length > longestTailBytes)
      throw new DOMException('the file could not be opened again', 'InvalidStateError');
    this.#tail.push(bytes.slice());
    this.#tailBytes += bytes.length;
  }

  /** Writes behind the end without growing; what does not fit is left out. */
  writeProvisionalPage(bytes: Uint8Array): void {
    if (this.#tailBytes > 0) return;
    try {
      this.#handle?.write(bytes, { at: this.#fileBytes });
    } catch {
      // The sound in it is still to come as a page of its own.
    }
  }

  /** Puts the file on the disk, or opens it again when the system has closed it. Never throws. */
  flush(): void {
    if (this.#isClosed) return;
    this.#writeTail();
    if (this.#flushedBytes === this.#fileBytes) return;
    this.#using((handle) => {
      handle.flush();
      this.#flushedBytes = this.#fileBytes;
    });
  }

  /** Cuts the file durably, together with a provisional page. */
  truncate(sizeBytes: number): void {
    const handle = this.#handle;
    if (handle === null) throw new TypeError('the journal is closed');
    handle.truncate(sizeBytes);
    handle.flush();
    this.#fileBytes = sizeBytes;
    this.#flushedBytes = sizeBytes;
  }

  /** Puts bytes in the place of what the file had there, or behind its end without a hole. */
  overwrite(bytes: Uint8Array, atBytes: number): void {
    const handle = this.#handle;
    if (handle === null || atBytes > this.#fileBytes)
      throw new TypeError(`nothing may be written at ${atBytes} of ${this.#fileBytes} bytes`);
    const writtenBytes = handle.write(bytes, { at: atBytes });
    if (writtenBytes !== bytes.length)
      throw new DOMException(`wrote ${writtenBytes} of ${bytes.length} bytes`, 'QuotaExceededError');
    this.#fileBytes = Math.max(this.#fileBytes, atBytes + bytes.length);
    // The disk may have the old bytes there.
    this.#flushedBytes = Math.min(this.#flushedBytes, atBytes);
  }

  /** Reads what is there at once; only where the handle is at hand. */
  readNow(offsetBytes: number, sizeBytes: number): Uint8Array<ArrayBuffer> | null {
    const bytes = new Uint8Array(Math.max(0, Math.min(sizeBytes, this.sizeBytes - offsetBytes)));
    const inFileBytes = Math.max(0, Math.min(bytes.length, this.#fileBytes - offsetBytes));
    const isRead =
      inFileBytes === 0 ||
      this.#using((handle) => {
        handle.read(bytes.subarray(0, inFileBytes), { at: offsetBytes });
      });
    if (!isRead) return null;
    this.#readTail(bytes.subarray(inFileBytes), Math.max(0, offsetBytes - this.#fileBytes));
    return bytes;
  }

  /** Reads what is there, also when the file is closed. */
  async read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const now = this.#handle === null ? null : this.readNow(offsetBytes, sizeBytes);
    if (now !== null) return now;
    if (!this.#isClosed) this.#snapshot = null;
    this.#snapshot ??= this.#file.getFile();
    const endBytes = Math.min(offsetBytes + sizeBytes, this.#fileBytes);
    return new Uint8Array(
      await (await this.#snapshot).slice(offsetBytes, Math.max(offsetBytes, endBytes)).arrayBuffer(),
    );
  }

  /**
   * Lets go of the file at once, cut to what was appended; resolves when what waited for it is written, too.
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

  /** False when the file has to be opened again. A disk that has no room for all of it gets none of it. */
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
      // The disk is full: what waits stays in memory, and the next append says so.
    }
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
      throw new RangeError('the file is shorter than what was written');
    }
    this.#handle = handle;
    this.#writeTail();
  }
}

/** What a closed handle throws. */
const isLost = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';
