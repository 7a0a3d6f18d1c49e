import { readStream } from '#device/streams/stored-streams.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { getTake } from './takes-store.ts';
import { isVisibleTo, viewer } from './viewer.ts';
import { joinTake, type JoinedAudio, joinTakeSections, type TakePiece } from './joined-take.ts';
import { placePeaks } from './place-peaks.ts';

/**
 * One stream of one segment as it is on this device now. While the take is being recorded, Ogg may end within a
 * page. The Blob refers to the slot file, whose bytes are read when the Blob is; bytes of the log are read now.
 */
async function segmentFile(
  record: Pick<TakeRecord, 'segments'>,
  index: number,
  stream: 'audio' | 'peaks',
): Promise<Blob> {
  const segment = record.segments[index];
  if (!segment) throw new RangeError(`the take has ${record.segments.length} segments, requested ${index}`);
  return readStream(
    stream === 'audio'
      ? { uploadId: segment.audioUploadId, slot: segment.audioSlot }
      : { uploadId: segment.peaksUploadId, slot: segment.peaksSlot },
  );
}

async function recordOf(takeId: string): Promise<TakeRecord> {
  const record = await getTake(takeId);
  if (!record || !isVisibleTo(record, viewer.getSnapshot()))
    throw new TypeError(`no take ${takeId} on this device`);
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

/** Up to where silence is added after the last sound: nowhere if the length is unknown. */
const endMsOf = ({ durationMs, segments }: TakeRecord): number => durationMs ?? segments.at(-1)?.startMs ?? 0;

/**
 * The audio of a take on this device as one file, with silence in the gaps, and for how long its microphone delivered
 * silence. Also works while it is being recorded.
 */
export async function localTakeAudio(
  takeId: string,
): Promise<JoinedAudio & { microphoneSilenceMs: number | null }> {
  const record = await recordOf(takeId);
  const joined = await joinTake(await piecesOf(record), endMsOf(record));
  return { ...joined, microphoneSilenceMs: record.microphoneSilenceMs ?? null };
}

/** Like `localTakeAudio`, in sections of twelve hours; null if the take is no longer than that, or not in Ogg. */
export async function localTakeSections(takeId: string): Promise<Blob[] | null> {
  const record = await recordOf(takeId);
  return joinTakeSections(await piecesOf(record), endMsOf(record));
}

/**
 * The peaks of a take on this device: min, max, min, max… at 100 points per second, all segments on one timeline.
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
