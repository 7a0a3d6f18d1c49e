import { durationMsOf } from '#audio/ogg/ogg-prefix.ts';
import { packetsOf } from '#audio/ogg/ogg-page.ts';
import { lastWebmBlockMs } from '#audio/containers/webm-length.ts';
import { readOpusHead } from '#audio/ogg/opus-headers.ts';
import { second } from '#base/duration.ts';
import { peaksFormat } from '#contract/limits.ts';
import { PositionMap } from '#workers/take/journal/position-map.ts';
import { recoverStreams } from '#workers/take/journal/recover-streams.ts';
import type { StreamJournal } from '#workers/take/journal/stream-journal.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { openSegmentOf, type OpenSegment } from '#workers/take/segments/create-segment.ts';
import { SpillMemory } from '#workers/take/segments/spillable-stream.ts';
import { newId } from '#device/new-id.ts';
import { isOpenPassage, type TakePassage, type TakeRecord } from '#device/records/take-record.ts';
import { elapsedMsOf } from '#device/records/take-length.ts';
import { getTake, removeTake } from '#device/takes/takes-store.ts';
import { storing, WorkerFailure } from '#workers/take/worker-failure.ts';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { type OpenTake, ownTake, takeJournalOf } from './open-take.ts';
import type { Pause } from '#contract/recordings.ts';

/**
 * Takes over a take whose writer is gone: truncates its streams to their intact part and raises the epoch. Without
 * a source the take is stopped; with one it continues in a new segment after a gap.
 * @throws WorkerFailure `locked` if its writer lives, `not-found` if this device has nothing of it
 */
export async function recoverTake(takeId: string, source: CaptureSource | null): Promise<OpenTake> {
  await ownTake(takeId, source !== null);
  const record = await storing(() => getTake(takeId));
  if (record === null) throw new WorkerFailure('not-found', `there is no take ${takeId}`);
  const memory = new SpillMemory();
  const segments: OpenSegment[] = [];
  for (const segment of record.segments)
    segments.push(await storing(() => recoverSegment({ ...segment, epoch: segment.epoch + 1 }, memory)));
  if (isEmpty(record, segments) && source === null) {
    // Its tab died before the first byte was written, and no server knows it: there is nothing to save.
    await removeTake(takeId);
    throw new WorkerFailure('not-found', `take ${takeId} has no bytes`);
  }
  const durationMs = durationMsOfTake(record, segments);
  const endMs = durationMs ?? elapsedMsOf(record);
  const nowMs = Date.now();
  const fields =
    source === null ? fieldsOfStopped(record, durationMs) : fieldsOfContinued(record, endMs, nowMs);
  const recordWriter = new TakeRecordWriter(record);
  await storing(() =>
    recordWriter.change({
      ...fields,
      segments: segments.map(({ segment }) => segment),
      sizeBytes: sizeOf(segments),
    }),
  );
  return {
    recordWriter,
    memory,
    segments,
    journal: await takeJournalOf(
      segments.some(({ segment }) => segment.audioSlot === null) ? 'database' : 'files',
    ),
    recording:
      source === null
        ? null
        : {
            source,
            silentForMs: silentForMs(record, endMs, nowMs),
          },
  };
}

/** Whether a take has no bytes at all. Its length does not count: it may be unknown whatever there is. */
const isEmpty = (record: TakeRecord, segments: readonly OpenSegment[]): boolean =>
  record.upload === null &&
  record.sizeBytes === 0 &&
  segments.every(({ audio, peaks }) => audio.sizeBytes === 0 && peaks.sizeBytes === 0);
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
  const webmMs = segment.container === 'webm' && audio.sizeBytes > 0 ? await msOfWebm(audio) : 0;
  const wantedBytes = maxPeaksBytes(segment, { peaks, soundMs: positions.endMs, webmMs });
  const wholeBytes = Math.min(peaks.sizeBytes - (peaks.sizeBytes % peaksFormat.bytesPerPoint), wantedBytes);
  if (wholeBytes < peaks.sizeBytes) await peaks.truncate(wholeBytes);
  if (segment.container !== 'ogg' && audio.sizeBytes > 0)
    positions.add(audio.sizeBytes, Math.max(msOfPeaks(wholeBytes), webmMs));
  await Promise.all([audio.close(), peaks.close()]);
  return { ...openSegmentOf(segment, { streams, memory }), positions, isSealed: true };
}

/** A recorder that has delivered nothing for four seconds is replaced, so its file is never later than this. */
const maxUndeliveredMs = 5 * second;

/**
 * The most bytes of peaks that the sound can have. A torn write leaves zeros or other bytes after the peaks, which
 * would count as the length of a file that states none.
 */
function maxPeaksBytes(
  { container }: OpenSegment['segment'],
  { peaks, soundMs, webmMs }: { peaks: StreamJournal; soundMs: number; webmMs: number },
): number {
  if (container === 'ogg') return peaksBytesOf(soundMs);
  return webmMs === 0 ? peaks.sizeBytes : peaksBytesOf(webmMs + maxUndeliveredMs);
}

/** The least that a WebM file lasts; 0 if it has no complete block. */
const msOfWebm = async (audio: StreamJournal): Promise<number> =>
  (await lastWebmBlockMs({
    sizeBytes: audio.sizeBytes,
    read: (startByte, endByteExclusive) => audio.read(startByte, endByteExclusive - startByte),
  })) ?? 0;

/** The length of the sound that was found; null if nothing tells how long the last segment is. */
function durationMsOfTake(
  record: Pick<TakeRecord, 'durationMs'>,
  segments: readonly Pick<OpenSegment, 'segment' | 'audio' | 'positions'>[],
): number | null {
  const ends = segments.map((segment, index) => endMsOf(segment, index === segments.length - 1, record));
  return ends.at(-1) === null ? null : Math.max(0, ...ends.map((endMs) => endMs ?? 0));
}

/**
 * Only the server measures the length of a MediaRecorder file. Until then the end of the file, the peaks, and the
 * clock in the last record give the least that it lasts.
 */
function endMsOf(
  { segment, audio, positions }: Pick<OpenSegment, 'segment' | 'audio' | 'positions'>,
  isLast: boolean,
  record: Pick<TakeRecord, 'durationMs'>,
): number | null {
  const foundMs = segment.startMs + positions.endMs;
  if (audio.sizeBytes === 0) return foundMs;
  const isEstimated = isLast && segment.container !== 'ogg';
  const endMs = isEstimated ? Math.max(foundMs, record.durationMs ?? 0) : foundMs;
  return endMs > segment.startMs ? endMs : null;
}

const pointsPerMs = peaksFormat.pointsPerSecond / 1000;
const peaksBytesOf = (durationMs: number): number =>
  Math.ceil(durationMs * pointsPerMs) * peaksFormat.bytesPerPoint;
const msOfPeaks = (sizeBytes: number): number =>
  Math.floor(sizeBytes / peaksFormat.bytesPerPoint / pointsPerMs);

/**
 * The most that a kill can lose: the block that the worklet was filling (20 ms), one in transit (20 ms), the
 * packet that the encoder was filling (20 ms), and unflushed bytes: 40 ms of packets if the browser dies, 240 ms
 * if the machine does.
 */
const maxKillLossMs = 300;

type Changes = Partial<Omit<TakeRecord, 'id' | 'deletedAtMs'>>;

/**
 * The fields of a take that has ended, with a gap for the possible loss of its kill unless it was paused. The end of a
 * take of unknown length is nowhere, so no gap is put there, and no label is moved.
 */
export function fieldsOfStopped(record: TakeRecord, durationMs: number | null): Changes {
  if (durationMs === null) return { state: 'stopped', durationMs };
  return {
    state: 'stopped',
    durationMs,
    ...labelsWithin(record, durationMs),
    gaps: gapsOfStopped(record, durationMs),
  };
}

/**
 * The fields of a take that continues. The gap since the kill is added when it ends; an open pause is ended, and an
 * open passage renewed. The time since its user stopped it takes none in the recording, as a pause.
 */
export function fieldsOfContinued(record: TakeRecord, durationMs: number, nowMs: number): Changes {
  const sinceMs = Math.max(1, sinceEndMs(record, durationMs, nowMs));
  const pauses = record.pauses.map((pause) =>
    pause.durationMs > 0 ? pause : { ...pause, durationMs: sinceMs },
  );
  const stop: Pause = { atMs: Math.round(durationMs), durationMs: sinceMs, cause: 'stopped' };
  return {
    state: 'recording',
    durationMs,
    receiptAtMs: null,
    goesOn: true,
    ...labelsWithin({ ...record, passages: passagesOfContinued(record, durationMs) }, durationMs),
    gaps: record.gaps.filter((gap) => !isOfKill(gap, durationMs)),
    pauses: wasStopped(record, durationMs) ? [...pauses, stop] : pauses,
  };
}

/**
 * Ends an open passage and starts another one in its place. Its owner may have put the first one back on the record
 * while the take was stopped, so the sound that follows is sent once the server has confirmed the second one. A server
 * that has too many passages rejects it, which the page shows.
 */
function passagesOfContinued({ passages = [] }: TakeRecord, durationMs: number): readonly TakePassage[] {
  const ended = passages.map((passage) =>
    isOpenPassage(passage) ? { ...passage, toMs: Math.ceil(durationMs) } : passage,
  );
  return passages.some(isOpenPassage)
    ? [...ended, { id: newId(), atMs: Math.floor(durationMs), toMs: null, stored: null }]
    : ended;
}

/**
 * How long ago the sound was lost; null when the take was paused or its user had stopped it, because neither adds a gap.
 */
export function silentForMs(record: TakeRecord, durationMs: number, nowMs: number): number | null {
  return isPaused(record) || wasStopped(record, durationMs) ? null : sinceEndMs(record, durationMs, nowMs);
}

/** Whether the user stopped the take. Otherwise its page died, whether or not it was recovered since. */
const wasStopped = (record: TakeRecord, durationMs: number): boolean =>
  record.state === 'stopped' && !isPaused(record) && !record.gaps.some((gap) => isOfKill(gap, durationMs));

const isPaused = ({ pauses }: TakeRecord): boolean => pauses.at(-1)?.durationMs === 0;

const isOfKill = (gap: TakeRecord['gaps'][number], durationMs: number): boolean =>
  gap.cause === 'page-killed' && gap.atMs >= durationMs;

function gapsOfStopped(record: TakeRecord, durationMs: number): TakeRecord['gaps'] {
  const gaps = record.gaps.filter((gap) => !isOfKill(gap, durationMs));
  if (record.state === 'stopped') return record.gaps;
  return isPaused(record)
    ? gaps
    : [...gaps, { atMs: durationMs, durationMs: maxKillLossMs, cause: 'page-killed' }];
}

/** If the clock was set back since then, the record's last update is the end. */
function sinceEndMs(
  { startedAtMs, pauses, updatedAtMs }: TakeRecord,
  durationMs: number,
  nowMs: number,
): number {
  const pausedMs = pauses.reduce((sum, pause) => sum + pause.durationMs, 0);
  const endedAtMs = startedAtMs + durationMs + pausedMs;
  return Math.max(0, nowMs - (endedAtMs <= nowMs ? endedAtMs : Math.min(updatedAtMs, nowMs)));
}

/** A marker, note or passage of the last half second may be after the last complete page. */
function labelsWithin(
  { markers, notes = [], passages = [] }: TakeRecord,
  durationMs: number,
): Pick<TakeRecord, 'markers' | 'notes' | 'passages'> {
  const within = <Label extends { atMs: number }>(label: Label): Label => ({
    ...label,
    atMs: Math.min(label.atMs, durationMs),
  });
  return {
    markers: markers.map(within),
    notes: notes.map(within),
    ...(passages.length > 0 && { passages: passages.map(within) }),
  };
}
