import type { OggPage } from '#audio/ogg/ogg-page.ts';
import type { TakeSegment } from '#device/records/take-record.ts';
import { DatabaseJournal } from './database-journal.ts';
import { FileJournal } from './file-journal.ts';
import { LogIndex } from './wal/log-index.ts';
import { LogWriter } from './wal/log-writer.ts';
import { cutLog, entriesOf, extentOf, readLog, settleProvisionalPage } from '#device/streams/stream-log.ts';
import { SlotFile } from './slot-file.ts';
import { findSlot } from '#device/streams/slot-pool.ts';
import type { SegmentStreams, StreamJournal } from './stream-journal.ts';
import type { LogEntry } from '#device/records/log-entry.ts';
import { OggPrefixScanner } from '#audio/ogg/ogg-prefix.ts';

/** Called for every whole page of the audio, in order. */
type OnPage = (page: OggPage, endsAtBytes: number) => void;

interface Recovered {
  uploadId: string;
  slot: string | null;
  writer: LogWriter;
  /** Returns how many of the stored bytes are intact. */
  lengthOf: (stored: StoredBytes, loggedBytes: number) => Promise<number>;
}

/**
 * Opens the streams of a segment whose writer is gone. Each stream is the longest intact prefix that its file and
 * its log have together, made durable in both. A stream without any data is empty. Memory use does not grow with
 * the length.
 */
export async function recoverStreams(segment: TakeSegment, onPage?: OnPage): Promise<SegmentStreams> {
  const writer = new LogWriter();
  const isOgg = segment.container === 'ogg';
  const audio = await recoverStream({
    uploadId: segment.audioUploadId,
    slot: segment.audioSlot,
    writer,
    lengthOf: isOgg ? (stored, loggedBytes) => oggBytesOf(stored, { loggedBytes, onPage }) : trustedBytesOf,
  });
  // Peaks of silence are zeros too, so zeros cannot mark their end; the length of the audio decides.
  const peaks = await recoverStream({
    uploadId: segment.peaksUploadId,
    slot: segment.peaksSlot,
    writer,
    lengthOf: async ({ sizeBytes }) => sizeBytes,
  });
  audio.flush();
  peaks.flush();
  await writer.requestWrite();
  return { audio, peaks };
}

function recoverStream(stream: Recovered): Promise<StreamJournal> {
  return stream.slot === null ? recoverFromLog(stream) : recoverFromFile(stream, stream.slot);
}

async function recoverFromFile(
  { uploadId, writer, lengthOf }: Recovered,
  slotName: string,
): Promise<FileJournal> {
  const slot = await findSlot(slotName, uploadId);
  const file = await SlotFile.open(slot.file);
  await replayLog(file, entriesOf(uploadId));
  const extent = await extentOf(uploadId);
  const loggedBytes = extent === null || extent.endBytes > file.sizeBytes ? 0 : extent.endBytes;
  const sizeBytes = await lengthOf(
    { sizeBytes: file.sizeBytes, read: (offsetBytes, wantedBytes) => file.read(offsetBytes, wantedBytes) },
    loggedBytes,
  );
  file.truncate(sizeBytes);
  if (extent !== null && extent.endBytes > sizeBytes) await cutLog(uploadId, sizeBytes);
  return new FileJournal({ uploadId, slot: slot.record, file, writer, index: indexOf(extent, sizeBytes) });
}

function indexOf(extent: Awaited<ReturnType<typeof extentOf>>, sizeBytes: number): LogIndex {
  const index = new LogIndex();
  const beginnings = (extent?.beginnings ?? []).filter((offsetBytes) => offsetBytes < sizeBytes);
  beginnings.forEach((offsetBytes, nth) => {
    index.add({
      offsetBytes,
      endBytes: Math.min(beginnings[nth + 1] ?? extent?.endBytes ?? 0, sizeBytes),
      writtenAtMs: performance.now(),
    });
  });
  return index;
}

async function recoverFromLog({ uploadId, writer, lengthOf }: Recovered): Promise<DatabaseJournal> {
  const endBytes = await settleProvisionalPage(uploadId);
  const sizeBytes = await lengthOf(
    { sizeBytes: endBytes, read: (offsetBytes, wantedBytes) => readLog(uploadId, offsetBytes, wantedBytes) },
    endBytes,
  );
  if (sizeBytes < endBytes) await cutLog(uploadId, sizeBytes);
  return new DatabaseJournal({ uploadId, writer, sizeBytes });
}

/** The part of a slot file that recovery uses. */
interface ReplayedFile {
  readonly sizeBytes: number;
  overwrite(bytes: Uint8Array, atBytes: number): void;
}

/**
 * Replays the log over the file. The log is never torn; the file may contain anything. Stops at the first entry
 * that would leave a hole.
 */
export async function replayLog(
  file: ReplayedFile,
  entries: AsyncIterable<LogEntry> | Iterable<LogEntry>,
): Promise<void> {
  for await (const entry of entries) {
    if (entry.offsetBytes > file.sizeBytes) return;
    file.overwrite(entry.bytes, entry.offsetBytes);
  }
}

const pieceBytes = 1024 * 1024;
/** A disk returns at least one sector of zeros if it stored the length of a file but not its bytes. */
const sectorBytes = 512;

/** The bytes of a stream, in the file or in the log. */
interface StoredBytes {
  sizeBytes: number;
  read: (offsetBytes: number, sizeBytes: number) => Promise<Uint8Array>;
}

/** The two header pages of a stream are shorter (RFC 7845 §3), so fewer bytes can't contain sound. */
const headersBytes = 512;

/**
 * Returns how many leading bytes of an Ogg file are kept: its whole pages. If the first page is damaged, everything
 * that can be trusted is kept, because the server may read more of it than this device.
 */
export async function oggBytesOf(
  stored: StoredBytes,
  { loggedBytes, onPage }: { loggedBytes: number; onPage?: OnPage | undefined },
): Promise<number> {
  const wholeBytes = await wholePagesOf(stored, onPage);
  if (wholeBytes > 0 || stored.sizeBytes <= headersBytes) return wholeBytes;
  return trustedBytesOf(stored, loggedBytes);
}

/** Returns how many leading bytes are whole pages with the right CRC. Reads once, one megabyte at a time. */
export async function wholePagesOf(
  stored: StoredBytes,
  onPage?: (page: OggPage, endsAtBytes: number) => void,
): Promise<number> {
  const scanner = new OggPrefixScanner(onPage);
  for (let offsetBytes = 0; offsetBytes < stored.sizeBytes; offsetBytes += pieceBytes) {
    if (!scanner.push(await stored.read(offsetBytes, Math.min(pieceBytes, stored.sizeBytes - offsetBytes))))
      break;
  }
  return scanner.prefix.validBytes;
}

/**
 * Returns how many leading bytes can be trusted in a format without checksums: the bytes that the log confirms,
 * and those after them up to the first sector of zeros.
 */
export async function trustedBytesOf(stored: StoredBytes, loggedBytes: number): Promise<number> {
  let zeros = 0;
  for (
    let offsetBytes = Math.min(loggedBytes, stored.sizeBytes);
    offsetBytes < stored.sizeBytes;
    offsetBytes += pieceBytes
  ) {
    const piece = await stored.read(offsetBytes, Math.min(pieceBytes, stored.sizeBytes - offsetBytes));
    for (const [index, byte] of piece.entries()) {
      zeros = byte === 0 ? zeros + 1 : 0;
      if (zeros === sectorBytes) return offsetBytes + index + 1 - zeros;
    }
  }
  return stored.sizeBytes;
}
