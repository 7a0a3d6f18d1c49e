import type { TakeRecord } from '#workers/encode/take-record.ts';
import { getTake } from '#workers/encode/takes-store.ts';
import { segmentFile } from '../local/take-files.ts';
import { joinTake, type JoinedAudio } from './joined-take.ts';
import { placePeaks } from './place-peaks.ts';

async function recordOf(takeId: string): Promise<TakeRecord> {
  const record = await getTake(takeId);
  if (!record) throw new TypeError(`no take ${takeId} on this device`);
  return record;
}

/** The sound of a take on this device as one file, gaps as silence; also while it is being recorded. */
export async function localTakeAudio(takeId: string): Promise<JoinedAudio> {
  const record = await recordOf(takeId);
  const pieces = await Promise.all(record.segments.map(async ({ index, startMs, container }) => ({ startMs, container, file: await segmentFile(record, index, 'audio') })));
  return joinTake(pieces, record.durationMs);
}

/** The peaks of a take on this device: minimum, maximum, minimum, maximum…, a hundred points a second on its one timeline. */
export async function localTakePeaks(takeId: string): Promise<Int8Array> {
  const record = await recordOf(takeId);
  return placePeaks(await Promise.all(record.segments.map(async ({ index, startMs }) =>
    ({ startMs, points: new Int8Array(await (await segmentFile(record, index, 'peaks')).arrayBuffer()) }))));
}
