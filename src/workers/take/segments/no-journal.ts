import type { JournalKind, StreamJournal } from '#workers/take/journal/stream-journal.ts';

/**
 * The journal of a stream that begins on a device without any space, or whose browser refuses storage: it
 * holds nothing, so that all of it stays in memory.
 */
export class NoJournal implements StreamJournal {
  readonly kind: JournalKind = 'memory';
  readonly uploadId: string;
  readonly slot = null;
  readonly sizeBytes = 0;
  readonly flushedBytes = 0;

  constructor(uploadId: string) {
    this.uploadId = uploadId;
  }

  append(): void {
    throw new DOMException('there is no room on this device', 'QuotaExceededError');
  }

  sketch(): void {}

  flush(): void {}

  acknowledged(): void {}

  async truncate(): Promise<void> {}

  async read(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array();
  }

  async proveSpace(): Promise<void> {
    this.append();
  }

  async close(): Promise<void> {}
}
