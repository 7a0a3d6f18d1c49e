import type { Range } from '#server/http/byte-range.ts';
import { directoryRecord, endRecords, localHeader, type ZipEntry } from './zip-headers.ts';

/** A file of a ZIP and its place in the directory at the end. */
export interface PlacedEntry extends ZipEntry {
  /** From where the directory begins. */
  directoryBytes: number;
}

/** All that must be known of a ZIP to make any byte of it. */
export interface ZipPlan<Entry extends PlacedEntry> {
  entryCount: number;
  directoryOffset: number;
  directorySize: number;
  /** The files from the one on that holds this byte, in order. */
  entriesFrom(offsetBytes: number): AsyncIterable<Entry>;
  /** The files from the one on whose record holds this byte of the directory. */
  recordsFrom(directoryBytes: number): AsyncIterable<Entry>;
  /** A part of one file's bytes. */
  read(entry: Entry, range: Range): AsyncIterable<Uint8Array>;
}

/** Places files one behind the other; memory does not grow with their number. */
export class ZipPlacer {
  #offsetBytes = 0;
  #directoryBytes = 0;
  #entryCount = 0;

  /** The next file's place. */
  place(file: { path: string; sizeBytes: number; crc32: number }): PlacedEntry {
    const entry = { ...file, offsetBytes: this.#offsetBytes, directoryBytes: this.#directoryBytes };
    this.#offsetBytes += localHeader(entry).length + file.sizeBytes;
    this.#directoryBytes += directoryRecord(entry).length;
    this.#entryCount += 1;
    return entry;
  }

  /** How long the whole file is, and where its directory begins. */
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

/**
 * The part of a piece that a range asks for, counted from the piece's own beginning; null where they do not
 * meet.
 */
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

/** Any range of a ZIP's bytes: the same ones however often and in whatever pieces they are asked for. */
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
