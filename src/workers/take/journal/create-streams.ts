import type { TakeSegment } from '#device/takes/take-record.ts';
import { DatabaseJournal } from './database-journal.ts';
import { FileJournal } from './file-journal.ts';
import { LogWriter } from './wal/log-writer.ts';
import { removeLogs } from '#device/streams/stream-log.ts';
import { hasSlotFiles } from '#device/streams/slot-directory.ts';
import { SlotFile } from './slot-file.ts';
import { releaseSlots, claimSlot } from '#device/streams/slot-pool.ts';
import type { SegmentStreams, StreamJournal } from './stream-journal.ts';

type SegmentIds = Pick<TakeSegment, 'audioUploadId' | 'peaksUploadId'>;

/**
 * Opens the two empty streams of a new segment: in slot files, or in the database alone where this window has
 * no files.
 */
export async function createStreams({ audioUploadId, peaksUploadId }: SegmentIds): Promise<SegmentStreams> {
  const writer = new LogWriter();
  try {
    if (await hasSlotFiles()) return await createInSlots({ audioUploadId, peaksUploadId }, writer);
  } catch (error) {
    // Files that do not open are no files; only a full device has no room in the database either.
    if (error instanceof DOMException && error.name === 'QuotaExceededError') throw error;
  }
  return {
    audio: new DatabaseJournal({ uploadId: audioUploadId, writer }),
    peaks: new DatabaseJournal({ uploadId: peaksUploadId, writer }),
  };
}

async function createInSlots(
  { audioUploadId, peaksUploadId }: SegmentIds,
  writer: LogWriter,
): Promise<SegmentStreams> {
  const audio = await createInSlot(audioUploadId, writer);
  try {
    return { audio, peaks: await createInSlot(peaksUploadId, writer) };
  } catch (error) {
    await discard(audio);
    throw error;
  }
}

/** Removes streams that nothing was written to which anybody needs: of a segment that did not begin. */
export async function discardStreams({ audio, peaks }: SegmentStreams): Promise<void> {
  await discard(audio);
  await discard(peaks);
}

async function createInSlot(uploadId: string, writer: LogWriter): Promise<FileJournal> {
  const slot = await claimSlot(uploadId);
  try {
    const file = await SlotFile.open(slot.file);
    if (file.sizeBytes > 0) file.truncate(0);
    return new FileJournal({ uploadId, slot: slot.record, file, writer });
  } catch (error) {
    await releaseSlots([slot.record.name]);
    throw error;
  }
}

async function discard(stream: StreamJournal): Promise<void> {
  await stream.close();
  await removeLogs([stream.uploadId]);
  if (stream.slot !== null) await releaseSlots([stream.slot]);
}
