import { durationMsOf } from '#audio/ogg/ogg-prefix.ts';
import { packetsOf } from '#audio/ogg/ogg-page.ts';
import { readOpusHead } from '#audio/ogg/opus-headers.ts';
import { peaksFormat } from '#contract/limits.ts';
import { PositionMap } from '#workers/take/journal/position-map.ts';
import { recoverStreams } from '#workers/take/journal/recover-streams.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { openSegmentOf } from '#workers/take/segments/create-segment.ts';
import type { OpenSegment } from '#workers/take/segments/open-segment.ts';
import { SpillMemory } from '#workers/take/segments/spill-memory.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';
import { getTake, removeTake } from '#device/takes/takes-store.ts';
import { storing, WorkerFailure } from '#workers/take/worker-failure.ts';
import { causeOfSilence, fieldsGoingOn, fieldsOfStopped, silentForMs } from './recovered-fields.ts';
import { TakeRecordWriter } from './take-record-writer.ts';
import { type OpenTake, ownTake } from './open-take.ts';

/**
 * Takes over a take whose writer is gone: its streams are cut to what is whole, its writer epoch goes up.
 * Without a source it is stopped; with one it goes on, in a new segment after a gap.
 * @throws WorkerFailure `locked` when its writer lives, `not-found` when nothing of it is here
 */
export async function recoverTake(takeId: string, source: CaptureSource | null): Promise<OpenTake> {
  await ownTake(takeId, source !== null);
  const record = await storing(() => getTake(takeId));
  if (record === null) throw new WorkerFailure('not-found', `there is no take ${takeId}`);
  const memory = new SpillMemory();
  const segments: OpenSegment[] = [];
  for (const segment of record.segments)
    segments.push(await storing(() => recoverSegment({ ...segment, epoch: segment.epoch + 1 }, memory)));
  const durationMs = Math.max(0, ...segments.map((segment) => endMsOf(segment, record)));
  if (durationMs === 0 && isUnheardOf(record) && source === null) {
    // Its tab died before the first page was whole, and no server has heard of it: there is nothing to keep.
    await removeTake(takeId);
    throw new WorkerFailure('not-found', `take ${takeId} holds no sound`);
  }
  const nowMs = Date.now();
  const fields =
    source === null ? fieldsOfStopped(record, durationMs) : fieldsGoingOn(record, durationMs, nowMs);
  const kept = new TakeRecordWriter(record);
  await storing(() =>
    kept.change({ ...fields, segments: segments.map(({ segment }) => segment), sizeBytes: sizeOf(segments) }),
  );
  return {
    kept,
    memory,
    segments,
    journal: segments.some(({ segment }) => segment.audioSlot === null) ? 'database' : 'files',
    recording:
      source === null
        ? null
        : {
            source,
            silentForMs: silentForMs(record, durationMs, nowMs),
            cause: causeOfSilence(record, durationMs),
          },
  };
}

const isUnheardOf = (record: TakeRecord): boolean => record.durationMs === 0 && record.upload === null;
const sizeOf = (segments: readonly OpenSegment[]): number =>
  segments.reduce((sum, { audio }) => sum + audio.sizeBytes, 0);

async function recoverSegment(segment: OpenSegment['segment'], memory: SpillMemory): Promise<OpenSegment> {
  let preSkip = 0;
  const positions = new PositionMap();
  const streams = await recoverStreams(segment, (page, endsAtBytes) => {
    if (page.startsStream) preSkip = readOpusHead(packetsOf(page)[0] ?? new Uint8Array())?.preSkip ?? 0;
    if (page.granulePosition >= 0) positions.add(endsAtBytes, durationMsOf(page.granulePosition, preSkip));
  });
  const { audio, peaks } = streams;
  const wantedBytes = segment.container === 'ogg' ? peaksBytesOf(positions.endMs) : peaks.sizeBytes;
  const wholeBytes = Math.min(peaks.sizeBytes - (peaks.sizeBytes % peaksFormat.bytesPerPoint), wantedBytes);
  if (wholeBytes < peaks.sizeBytes) await peaks.truncate(wholeBytes);
  if (segment.container !== 'ogg' && audio.sizeBytes > 0)
    positions.add(audio.sizeBytes, msOfPeaks(wholeBytes));
  await Promise.all([audio.close(), peaks.close()]);
  return { ...openSegmentOf(segment, { streams, memory }), positions, isSealed: true };
}

/**
 * The length of a file that the browser's recorder wrote is the server's to read; until then the peaks or the
 * last record tell it.
 */
function endMsOf({ segment, audio, positions }: OpenSegment, record: TakeRecord): number {
  const endMs = segment.startMs + positions.endMs;
  const isUnmeasured =
    segment.container !== 'ogg' && audio.sizeBytes > 0 && segment === record.segments.at(-1);
  return isUnmeasured ? Math.max(endMs, record.durationMs) : endMs;
}

const pointsPerMs = peaksFormat.pointsPerSecond / 1000;
const peaksBytesOf = (durationMs: number): number =>
  Math.ceil(durationMs * pointsPerMs) * peaksFormat.bytesPerPoint;
const msOfPeaks = (sizeBytes: number): number =>
  Math.floor(sizeBytes / peaksFormat.bytesPerPoint / pointsPerMs);
