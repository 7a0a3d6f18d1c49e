import { readStream } from '#device/streams/stored-streams.ts';
import type { TakeRecord } from './take-record.ts';
import { getTake } from './takes-store.ts';
import { joinTake, type JoinedAudio, joinTakeSections, type TakePiece } from './joined-take.ts';
import { placePeaks } from './place-peaks.ts';

/**
 * One stream of one segment of a take as it is on this device now, also while it is recorded: then Ogg may
 * end within a page. Bytes are read when the Blob is.
 */
async function segmentFile(
  record: Pick<TakeRecord, 'segments'>,
  index: number,
  stream: 'audio' | 'peaks',
): Promise<Blob> {
  const segment = record.segments[index];
  if (!segment) throw new RangeError(`the take has ${record.segments.length} segments, asked for ${index}`);
  return readStream(
    stream === 'audio'
      ? { uploadId: segment.audioUploadId, slot: segment.audioSlot }
      : { uploadId: segment.peaksUploadId, slot: segment.peaksSlot },
  );
}

async function recordOf(takeId: string): Promise<TakeRecord> {
  const record = await getTake(takeId);
  if (!record) throw new TypeError(`no take ${takeId} on this device`);
  return record;
}

const piecesOf = (record: TakeRecord): Promise<TakePiece[]> =>
  Promise.all(
    record.segments.map(async ({ index, startMs, container }) => ({
      startMs,
      container,
      file: await segmentFile(record, index, 'audio'),
    })),
  );

/** The sound of a take on this device as one file, gaps as silence; also while it is being recorded. */
export async function localTakeAudio(takeId: string): Promise<JoinedAudio> {
  const record = await recordOf(takeId);
  return joinTake(await piecesOf(record), record.durationMs);
}

/** The same in sections of twelve hours; null where it is no longer than that. */
export async function localTakeSections(takeId: string): Promise<Blob[] | null> {
  const record = await recordOf(takeId);
  return joinTakeSections(await piecesOf(record), record.durationMs);
}

/**
 * The peaks of a take on this device: minimum, maximum, minimum, maximum…, a hundred points a second on its
 * one timeline.
 */
export async function localTakePeaks(takeId: string): Promise<Int8Array> {
  const record = await recordOf(takeId);
  return placePeaks(
    await Promise.all(
      record.segments.map(async ({ index, startMs }) => ({
        startMs,
        points: new Int8Array(await (await segmentFile(record, index, 'peaks')).arrayBuffer()),
      })),
    ),
  );
}
