import type { Range } from '#server/http/byte-range.ts';
import { directoryRecord, endRecords, localHeader, type ZipEntry } from './zip-headers.ts';

/** A file of a ZIP and the position of its directory record. */
export interface PlacedEntry extends ZipEntry {
  /** Relative to the start of the directory. */
  directoryBytes: number;
}

/** Everything needed to compute any byte of a ZIP file. */
export interface ZipPlan<Entry extends PlacedEntry> {
  entryCount: number;
  directoryOffset: number;
  directorySize: number;
  /** The files in order, starting with the one that contains this byte. */
  entriesFrom(offsetBytes: number): AsyncIterable<Entry>;
  /** The files in order, starting with the one whose directory record contains this byte. */
  recordsFrom(directoryBytes: number): AsyncIterable<Entry>;
  /** Reads a range of one file. */
  read(entry: Entry, range: Range): AsyncIterable<Uint8Array>;
}

/** Assigns positions to files one after another, in constant memory. */
export class ZipPlacer {
  #offsetBytes = 0;
  #directoryBytes = 0;
  #entryCount = 0;

  /** Returns the position of the next file. */
  place(file: { path: string; sizeBytes: number; crc32: number }): PlacedEntry {
    const entry = { ...file, offsetBytes: this.#offsetBytes, directoryBytes: this.#directoryBytes };
    this.#offsetBytes += localHeader(entry).length + file.sizeBytes;
    this.#directoryBytes += directoryRecord(entry).length;
    this.#entryCount += 1;
    return entry;
  }

  /** Returns the size of the whole file and the position of its directory. */
  end(): { entryCount: number; directoryOffset: number; directorySize: number; sizeBytes: number } {
    const [entryCount, directoryOffset, directorySize] = [
      this.#entryCount,
      this.#offsetBytes,
      this.#directoryBytes,
    ];
    const end = endRecords({ entryCount, offsetBytes: directoryOffset, sizeBytes: directorySize });
    return {
      entryCount,
      directoryOffset,
      directorySize,
      sizeBytes: directoryOffset + directorySize + end.length,
    };
  }
}

/** The intersection of a range with a piece, relative to the start of the piece; null if it is empty. */
function within(range: Range, startByte: number, sizeBytes: number): Range | null {
  const from = Math.max(range.startByte, startByte) - startByte;
  const to = Math.min(range.endByteExclusive, startByte + sizeBytes) - startByte;
  return from < to ? { startByte: from, endByteExclusive: to } : null;
}

function partOf(bytes: Buffer, startByte: number, range: Range): Buffer {
  const part = within(range, startByte, bytes.length);
  return part === null ? Buffer.alloc(0) : bytes.subarray(part.startByte, part.endByteExclusive);
}

async function* fileBytes<Entry extends PlacedEntry>(
  plan: ZipPlan<Entry>,
  range: Range,
): AsyncGenerator<Uint8Array> {
  for await (const entry of plan.entriesFrom(range.startByte)) {
    if (entry.offsetBytes >= range.endByteExclusive) return;
    const header = localHeader(entry);
    yield partOf(header, entry.offsetBytes, range);
    const part = within(range, entry.offsetBytes + header.length, entry.sizeBytes);
    if (part !== null) yield* plan.read(entry, part);
  }
}

/** Yields any range of a ZIP's bytes. Repeated requests for a byte, in any range, yield the same value. */
export async function* zipBytes<Entry extends PlacedEntry>(
  plan: ZipPlan<Entry>,
  range: Range,
): AsyncGenerator<Uint8Array> {
  const { directoryOffset, entryCount, directorySize } = plan;
  if (range.startByte < directoryOffset) yield* fileBytes(plan, range);
  if (range.endByteExclusive <= directoryOffset) return;
  for await (const entry of plan.recordsFrom(Math.max(0, range.startByte - directoryOffset))) {
    const startByte = directoryOffset + entry.directoryBytes;
    if (startByte >= range.endByteExclusive) return;
    yield partOf(directoryRecord(entry), startByte, range);
  }
  yield partOf(
    endRecords({ entryCount, offsetBytes: directoryOffset, sizeBytes: directorySize }),
    directoryOffset + directorySize,
    range,
  );
}
