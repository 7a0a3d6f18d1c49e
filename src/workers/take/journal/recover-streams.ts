import type { OggPage } from '#audio/ogg/ogg-page.ts';
import type { TakeSegment } from '#device/takes/take-record.ts';
import { DatabaseJournal } from './database-journal.ts';
import { FileJournal } from './file-journal.ts';
import { LogIndex } from './wal/log-index.ts';
import { LogWriter } from './wal/log-writer.ts';
import { cutLog, entriesOf, extentOf, readLog, settleProvisionalPage } from '#device/streams/stream-log.ts';
import { replayLog } from './replay-log.ts';
import { type StoredBytes, trustedBytesOf, wholePagesOf } from './recovered-length.ts';
import { SlotFile } from './slot-file.ts';
import { findSlot } from '#device/streams/slot-pool.ts';
import type { SegmentStreams, StreamJournal } from './stream-journal.ts';

/** Told of every whole page of the audio, in order. */
export type OnPage = (page: OggPage, endsAtBytes: number) => void;

interface Recovered {
  uploadId: string;
  slot: string | null;
  writer: LogWriter;
  /** How much of what is stored is whole. */
  lengthOf: (stored: StoredBytes, loggedBytes: number) => Promise<number>;
}

/**
 * Opens the streams of a segment whose writer is gone: the longest whole beginning that its file and its log
 * have together, durable in both as they need it. A stream of which nothing is left is empty. Memory stays
 * flat, however long it is.
 */
export async function recoverStreams(segment: TakeSegment, onPage?: OnPage): Promise<SegmentStreams> {
  const writer = new LogWriter();
  const isOgg = segment.container === 'ogg';
  const audio = await recoverStream({
    uploadId: segment.audioUploadId,
    slot: segment.audioSlot,
    writer,
    lengthOf: isOgg ? (stored) => wholePagesOf(stored, onPage) : trustedBytesOf,
  });
  // Silence is zeros in peaks, too: their length is the audio's to say.
  const peaks = await recoverStream({
    uploadId: segment.peaksUploadId,
    slot: segment.peaksSlot,
    writer,
    lengthOf: async ({ sizeBytes }) => sizeBytes,
  });
  audio.flush();
  peaks.flush();
  await writer.ask();
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
