/** One append-only byte file of a take: what the uploader reads and the writer grows. */
export class StreamJournal {
  readonly #file: FileSystemFileHandle;
  #handle: FileSystemSyncAccessHandle | null;
  #sizeBytes: number;
  #flushedBytes: number;
  #closedFile: Promise<File> | null = null;

  private constructor(file: FileSystemFileHandle, handle: FileSystemSyncAccessHandle) {
    this.#file = file;
    this.#handle = handle;
    this.#sizeBytes = handle.getSize();
    this.#flushedBytes = this.#sizeBytes;
  }

  /** Opens a file for appending, made when it is not there. */
  static async open(directory: FileSystemDirectoryHandle, name: string): Promise<StreamJournal> {
    const file = await directory.getFileHandle(name, { create: true });
    return new StreamJournal(file, await openHandle(file));
  }

  /** Appended so far, flushed or not. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** What a crash of the machine would leave. */
  get flushedBytes(): number {
    return this.#flushedBytes;
  }

  /** Appends all of the bytes or, when the disk is full, throws and leaves the file as it was. */
  append(bytes: Uint8Array): void {
    const handle = this.#open();
    try {
      const writtenBytes = handle.write(bytes, { at: this.#sizeBytes });
      if (writtenBytes !== bytes.length) throw new DOMException(`wrote ${writtenBytes} of ${bytes.length} bytes`, 'QuotaExceededError');
    } catch (error) {
      handle.truncate(this.#sizeBytes);
      throw error;
    }
    this.#sizeBytes += bytes.length;
  }

  /** Writes a byte and takes it back: throws where the disk has no room even for a beginning. */
  proveRoom(): void {
    this.append(new Uint8Array(1));
    this.truncate(this.#sizeBytes - 1);
  }

  /** Puts what was appended on the disk; costs nothing when there is nothing new. */
  flush(): void {
    if (this.#flushedBytes === this.#sizeBytes) return;
    this.#open().flush();
    this.#flushedBytes = this.#sizeBytes;
  }

  /** Cuts the file to its first bytes, durably. */
  truncate(sizeBytes: number): void {
    const handle = this.#open();
    handle.truncate(sizeBytes);
    handle.flush();
    this.#sizeBytes = sizeBytes;
    this.#flushedBytes = sizeBytes;
  }

  /** Reads back bytes that are there, also after `close`. */
  async read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#handle === null) {
      this.#closedFile ??= this.#file.getFile();
      return new Uint8Array(await (await this.#closedFile).slice(offsetBytes, offsetBytes + sizeBytes).arrayBuffer());
    }
    const bytes = new Uint8Array(sizeBytes);
    const readBytes = this.#handle.read(bytes, { at: offsetBytes });
    return readBytes === sizeBytes ? bytes : bytes.slice(0, readBytes);
  }

  /** Flushes and lets go of the file, so that the page may read and remove it. */
  close(): void {
    if (this.#handle === null) return;
    this.flush();
    this.#handle.close();
    this.#handle = null;
  }

  #open(): FileSystemSyncAccessHandle {
    if (this.#handle === null) throw new TypeError('the journal is closed');
    return this.#handle;
  }
}

const tries = 20;
const betweenTriesMs = 100;

/** After a crash the browser may hold the handle of the dead worker a moment longer than its lock. */
async function openHandle(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      const isHeld = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isHeld || attempt === tries) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, betweenTriesMs);
      });
    }
  }
}
