import { LogIndex } from './wal/log-index.ts';
import type { LoggedStream, LogWriter } from './wal/log-writer.ts';
import { RecentBytes } from './wal/recent-bytes.ts';
import { cutLog, maxEntryBytes, type LogWrite } from '#device/streams/stream-log.ts';
import { untilAgedMs } from '#device/streams/slot-choice.ts';
import type { SlotFile } from './slot-file.ts';
import type { ClaimedSlot } from '#device/streams/slot-pool.ts';
import type { StreamJournal } from './stream-journal.ts';

/** Limit of bytes in memory. Only a log that rejects writes lets more gather; those are read from the file again. */
const maxRecentBytes = 1024 * 1024;

interface FileJournalOptions {
  uploadId: string;
  slot: ClaimedSlot['record'];
  file: SlotFile;
  /** Shared by the streams of a segment. */
  writer: LogWriter;
  /** The entries that the log already has of the stream. */
  index?: LogIndex;
}

/** A stream in a slot file, with its recent bytes also in the log until the file alone is durable. */
export class FileJournal implements StreamJournal, LoggedStream {
  readonly kind = 'files';
  readonly uploadId: string;
  readonly slot: string;
  readonly #file: SlotFile;
  readonly #writer: LogWriter;
  readonly #index: LogIndex;
  readonly #recent: RecentBytes;
  /** When the file's name survives a power cut, on the monotonic clock. */
  readonly #agedAtMs: number;
  #loggedBytes: number;
  #acknowledgedBytes = 0;
  #durableBytes = 0;
  #isLogRejected = false;

  constructor({ uploadId, slot, file, writer, index = new LogIndex() }: FileJournalOptions) {
    this.uploadId = uploadId;
    this.slot = slot.name;
    this.#file = file;
    this.#writer = writer;
    this.#index = index;
    this.#agedAtMs = performance.now() + untilAgedMs(slot, Date.now());
    this.#loggedBytes = this.#isAged ? file.sizeBytes : index.endBytes;
    this.#recent = new RecentBytes(file.sizeBytes);
    writer.add(this);
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  get flushedBytes(): number {
    // A log that rejects writes must not delay bytes that the file has.
    const isFileEnough = this.#isAged || this.#isLogRejected;
    this.#durableBytes = Math.max(
      this.#durableBytes,
      isFileEnough ? this.#file.flushedBytes : 0,
      this.#index.endBytes,
    );
    return this.#durableBytes;
  }

  append(bytes: Uint8Array): void {
    this.#file.append(bytes);
    this.#recent.push(bytes);
    if (this.#recent.endBytes - this.#recent.fromBytes > maxRecentBytes)
      this.#recent.letGo(this.#recent.endBytes);
  }

  writeProvisionalPage(page: Uint8Array): void {
    this.#file.writeProvisionalPage(page);
  }

  flush(): void {
    this.#file.flush();
    if (this.#loggedBytes < this.#loggableBytes) void this.#writer.requestWrite();
  }

  acknowledged(sizeBytes: number): void {
    this.#acknowledgedBytes = sizeBytes;
  }

  async truncate(sizeBytes: number): Promise<void> {
    this.#file.truncate(sizeBytes);
    await this.#writer.requestWrite();
    await cutLog(this.uploadId, sizeBytes);
    this.#index.cut(sizeBytes);
    this.#recent.cut(sizeBytes);
    this.#loggedBytes = Math.min(this.#loggedBytes, sizeBytes);
    this.#durableBytes = Math.min(this.#durableBytes, sizeBytes);
  }

  read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#file.read(offsetBytes, sizeBytes);
  }

  async proveSpace(): Promise<void> {
    const sizeBytes = this.#file.sizeBytes;
    this.#file.append(new Uint8Array(1));
    this.#file.truncate(sizeBytes);
  }

  async close(): Promise<void> {
    this.#file.flush();
    const last = this.#writer.requestWrite();
    await Promise.all([this.#file.close(), last]);
    // The log takes what the file did not.
    if (this.#loggedBytes < this.#loggableBytes) await this.#writer.requestWrite();
  }

  nextWrite(): LogWrite | null {
    const trim = this.#index.trimmable({
      isAged: this.#isAged,
      fileBytes: this.#file.flushedBytes,
      acknowledgedBytes: this.#acknowledgedBytes,
      nowMs: performance.now(),
    });
    const bytes = this.#unlogged(Math.min(maxEntryBytes, this.#loggableBytes - this.#loggedBytes));
    const entry =
      bytes === null || bytes.length === 0
        ? null
        : { uploadId: this.uploadId, offsetBytes: this.#loggedBytes, bytes };
    return entry || trim ? { entry, trim } : null;
  }

  wrote({ entry, trim }: LogWrite): boolean {
    this.#isLogRejected = false;
    if (trim) this.#index.trimmed(trim);
    if (entry) {
      this.#loggedBytes = entry.offsetBytes + entry.bytes.length;
      this.#recent.letGo(this.#loggedBytes);
      this.#index.add({
        offsetBytes: entry.offsetBytes,
        endBytes: this.#loggedBytes,
        writtenAtMs: performance.now(),
      });
    }
    return this.#loggedBytes < this.#loggableBytes;
  }

  failed(): void {
    this.#isLogRejected = true;
  }

  #unlogged(sizeBytes: number): Uint8Array<ArrayBuffer> | null {
    return (
      this.#recent.read(this.#loggedBytes, sizeBytes) ?? this.#file.readNow(this.#loggedBytes, sizeBytes)
    );
  }

  get #isAged(): boolean {
    return performance.now() >= this.#agedAtMs;
  }

  /** While the file handle is lost, the log also takes the bytes that the file does not have. */
  get #loggableBytes(): number {
    return this.#file.isLost ? this.#file.sizeBytes : this.#file.flushedBytes;
  }
}
