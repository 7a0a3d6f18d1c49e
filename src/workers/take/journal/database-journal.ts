import type { LogEntry } from '#device/records/log-entry.ts';
import type { LoggedStream, LogWriter } from './wal/log-writer.ts';
import { RecentBytes } from './wal/recent-bytes.ts';
import { cutLog, maxEntryBytes, type LogWrite, readLog } from '#device/streams/stream-log.ts';
import type { StreamJournal } from './stream-journal.ts';

/** An entry grows to this size, because many small entries would make a long take slow to read. */
const fullEntryBytes = 16 * 1024;
/** Limit of bytes in memory while the database accepts no writes: half an hour of speech. */
const maxRecentBytes = 12 * 1024 * 1024;

/**
 * A stream in a window without OPFS: only the log stores it, and memory holds the bytes that the log does not have
 * yet.
 */
export class DatabaseJournal implements StreamJournal, LoggedStream {
  readonly kind = 'database';
  readonly slot = null;
  readonly uploadId: string;
  readonly #writer: LogWriter;
  /** Holds the bytes from the start of the entry that still grows. */
  #recent: RecentBytes;
  #loggedBytes: number;
  #provisionalPage: Uint8Array<ArrayBuffer> | null = null;
  #isFull = false;
  #isClosed = false;

  constructor({
    uploadId,
    writer,
    sizeBytes = 0,
  }: {
    uploadId: string;
    writer: LogWriter;
    sizeBytes?: number;
  }) {
    this.uploadId = uploadId;
    this.#writer = writer;
    this.#recent = new RecentBytes(sizeBytes);
    this.#loggedBytes = sizeBytes;
    writer.add(this);
  }

  get sizeBytes(): number {
    return this.#recent.endBytes;
  }

  get flushedBytes(): number {
    return this.#loggedBytes;
  }

  append(bytes: Uint8Array): void {
    if (this.#isClosed) throw new TypeError('the journal is closed');
    if (this.#isFull) throw new DOMException('the database is full', 'QuotaExceededError');
    if (this.sizeBytes - this.#loggedBytes > maxRecentBytes)
      throw new DOMException('the database takes nothing', 'InvalidStateError');
    this.#recent.push(bytes);
    this.#provisionalPage = null;
  }

  writeProvisionalPage(page: Uint8Array): void {
    this.#provisionalPage = page.slice();
    void this.#writer.requestWrite();
  }

  flush(): void {
    if (this.#loggedBytes < this.sizeBytes) void this.#writer.requestWrite();
  }

  /** Ignored: the log is the only copy, so nothing may be deleted. */
  acknowledged(): void {}

  async truncate(sizeBytes: number): Promise<void> {
    await this.#writer.requestWrite();
    await cutLog(this.uploadId, sizeBytes);
    this.#recent.cut(sizeBytes);
    this.#loggedBytes = Math.min(this.#loggedBytes, sizeBytes);
  }

  async read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const recent = this.#recent.read(offsetBytes, sizeBytes);
    if (recent !== null) return recent;
    const logged = await readLog(
      this.uploadId,
      offsetBytes,
      Math.min(sizeBytes, this.#loggedBytes - offsetBytes),
    );
    const rest = this.#recent.read(offsetBytes + logged.length, sizeBytes - logged.length);
    if (rest === null || rest.length === 0) return logged;
    const whole = new Uint8Array(logged.length + rest.length);
    whole.set(logged);
    whole.set(rest, logged.length);
    return whole;
  }

  async proveSpace(): Promise<void> {
    this.#recent.push(new Uint8Array(1));
    await this.#writer.requestWrite();
    if (this.#isFull) throw new DOMException('the database is full', 'QuotaExceededError');
    await this.truncate(this.sizeBytes - 1);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#provisionalPage = null;
    await this.#writer.requestWrite();
  }

  nextWrite(): LogWrite | null {
    const offsetBytes = this.#recent.fromBytes;
    if (this.#loggedBytes < this.sizeBytes) {
      const bytes = this.#recent.read(offsetBytes, maxEntryBytes);
      return (
        bytes && { entry: { uploadId: this.uploadId, offsetBytes, bytes }, trim: null, isRewritten: true }
      );
    }
    const page = this.#provisionalPage;
    this.#provisionalPage = null;
    return (
      page && {
        entry: { uploadId: this.uploadId, offsetBytes: this.sizeBytes, bytes: page, isSketch: true },
        trim: null,
        isRewritten: true,
      }
    );
  }

  wrote({ entry }: LogWrite): boolean {
    this.#isFull = false;
    if (entry && !entry.isSketch) this.#grown(entry);
    return this.#loggedBytes < this.sizeBytes;
  }

  failed(error: unknown): void {
    this.#isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  }

  #grown({ offsetBytes, bytes }: LogEntry): void {
    this.#loggedBytes = offsetBytes + bytes.length;
    if (bytes.length >= fullEntryBytes) this.#recent.letGo(this.#loggedBytes);
  }
}
