import type { JournalKind, StreamJournal } from '#workers/take/journal/stream-journal.ts';

/** A journal in memory on a device with `capacityBytes` of space. */
export class MemoryJournal implements StreamJournal {
  readonly kind: JournalKind = 'files';
  readonly uploadId = 'an upload';
  readonly slot = null;
  capacityBytes: number;
  bytes = new Uint8Array();
  flushedBytes = 0;
  acknowledgedBytes = 0;
  isClosed = false;
  /** The system has closed the file, and the journal has no memory left for its bytes. */
  isWithheld = false;

  constructor(capacityBytes = Infinity) {
    this.capacityBytes = capacityBytes;
  }

  get sizeBytes(): number {
    return this.bytes.length;
  }

  append(bytes: Uint8Array): void {
    if (this.isWithheld) throw new DOMException('withheld', 'InvalidStateError');
    if (this.bytes.length + bytes.length > this.capacityBytes)
      throw new DOMException('full', 'QuotaExceededError');
    this.bytes = new Uint8Array([...this.bytes, ...bytes]);
  }

  writeProvisionalPage(): void {}

  flush(): void {
    this.flushedBytes = this.bytes.length;
  }

  acknowledged(sizeBytes: number): void {
    this.acknowledgedBytes = sizeBytes;
  }

  async truncate(sizeBytes: number): Promise<void> {
    this.bytes = this.bytes.slice(0, sizeBytes);
  }

  async read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.bytes.slice(offsetBytes, offsetBytes + sizeBytes);
  }

  async proveSpace(): Promise<void> {}

  async close(): Promise<void> {
    this.flush();
    this.isClosed = true;
  }
}
