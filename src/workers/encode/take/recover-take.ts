import { durationMsOf, OggPrefixScanner } from '#audio/ogg/ogg-prefix.ts';
import { packetsOf } from '#audio/ogg/ogg-page.ts';
import { readOpusHead } from '#audio/ogg/opus-headers.ts';
import { peaksFormat } from '#contract/limits.ts';
import { readTakeFile, streamFileName } from '../journal/take-directory.ts';
import { KeptTake } from './kept-take.ts';
import { openSegment, type OpenSegment, type OpenTake, ownTake } from './open-take.ts';
import type { TakeRecord } from '../take-record.ts';
import { getTake, removeTake } from '../takes-store.ts';
import { storing, WorkerFailure } from '../worker-failure.ts';

const pieceBytes = 1024 * 1024;
const bytesPerMs = (peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint) / 1000;

/**
 * Takes over a take whose writer is gone: its files are cut to what is whole, its writer epoch goes up, it is stopped.
 * @throws WorkerFailure `locked` when its writer lives, `not-found` when nothing of it is here
 */
export async function recoverTake(takeId: string): Promise<OpenTake> {
  await ownTake(takeId);
  const record = await storing(() => getTake(takeId));
  if (record === null) throw new WorkerFailure('not-found', `there is no take ${takeId}`);
  const segments: OpenSegment[] = [];
  for (const segment of record.segments) {
    const isGone = (await storing(() => readTakeFile(takeId, streamFileName(segment.index, 'audio')))) === null;
    // A power cut takes a fresh file whole, name and all; the server may hold what was sent of it.
    if (isGone && record.upload === null) {
      throw new WorkerFailure('not-found', `the audio of take ${takeId} is gone`);
    }
    segments.push(await storing(() => recoverSegment(takeId, { ...segment, epoch: segment.epoch + 1 })));
  }
  const durationMs = Math.max(0, ...segments.map(({ segment, positions }) => segment.startMs + positions.endMs));
  if (durationMs === 0 && record.durationMs === 0 && record.upload === null) {
    // Its tab died before the first page was whole, and no server has heard of it: there is nothing to keep.
    await removeTake(takeId);
    throw new WorkerFailure('not-found', `take ${takeId} holds no sound`);
  }
  const kept = new KeptTake(record);
  await storing(() => kept.change({ ...stoppedFields(record, durationMs), segments: segments.map(({ segment }) => segment), sizeBytes: sizeOf(segments) }));
  return { kept, segments, live: null };
}

const sizeOf = (segments: readonly OpenSegment[]): number => segments.reduce((sum, { audio }) => sum + audio.sizeBytes, 0);

function stoppedFields(record: TakeRecord, durationMs: number): Pick<TakeRecord, 'state' | 'durationMs' | 'markers'> {
  // A marker of the last half second may lie beyond the last whole page.
  const markers = record.markers.map((marker) => ({ ...marker, atMs: Math.min(marker.atMs, durationMs) }));
  return { state: 'stopped', durationMs, markers };
}

async function recoverSegment(takeId: string, segment: OpenSegment['segment']): Promise<OpenSegment> {
  const opened = await openSegment(takeId, segment);
  await cutToWholePages(opened);
  const { peaks, positions } = opened;
  const wholeBytes = Math.min(peaks.sizeBytes - (peaks.sizeBytes % peaksFormat.bytesPerPoint), peaksBytesOf(positions.endMs));
  if (wholeBytes < peaks.sizeBytes) peaks.truncate(wholeBytes);
  opened.audio.close();
  peaks.close();
  return opened;
}

const peaksBytesOf = (durationMs: number): number => Math.ceil((durationMs * bytesPerMs) / peaksFormat.bytesPerPoint) * peaksFormat.bytesPerPoint;

/** Reads the audio once from the start, a piece at a time, and cuts the torn tail that a crash may leave. */
async function cutToWholePages({ audio, positions }: OpenSegment): Promise<void> {
  let preSkip = 0;
  const scanner = new OggPrefixScanner((page, endsAtBytes) => {
    if (page.beginsStream) preSkip = readOpusHead(packetsOf(page)[0] ?? new Uint8Array())?.preSkip ?? 0;
    if (page.granulePosition >= 0) positions.add(endsAtBytes, durationMsOf(page.granulePosition, preSkip));
  });
  for (let offsetBytes = 0; offsetBytes < audio.sizeBytes; offsetBytes += pieceBytes) {
    const piece = await audio.read(offsetBytes, Math.min(pieceBytes, audio.sizeBytes - offsetBytes));
    if (!scanner.push(piece)) break;
  }
  if (scanner.prefix.validBytes < audio.sizeBytes) audio.truncate(scanner.prefix.validBytes);
}
