import type { Recording } from '#contract/recordings.ts';
import type { Feature } from '#server/features/feature.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import { type FinishJobDeps, finishRecordingJobs } from './finish-jobs.ts';
import { createFinishRecording } from './finish-request.ts';
import { mediaRoutes } from './media/media-routes.ts';
import { createReceivedMs, type ReceivedMs } from './media/received-of.ts';
import { measuredWaveform } from './windows/window-peaks-of.ts';
import { createRecordingSources, type RecordingSources } from './media/recording-sources.ts';
import { createOggSegmentReader } from './media/ogg-segment.ts';
import { createRecordedSounds, type RecordedSounds } from './media/recorded-sounds.ts';
import { prepareImport } from './imports/prepare-import.ts';
import { housekeepingJobs, housekeepingSchedules } from './housekeeping-jobs.ts';
import { type JudgeAgainDeps, judgeAgainJobs, judgeSchedules } from './imports/judge-again.ts';
import { createRecordingView, type RecordingView } from './recording-view.ts';
import { recordingsRoutes } from './recordings-routes.ts';
import { findFfmpeg } from '#server/processes/ffmpeg/start-ffmpeg.ts';
import { type DiskReserve, outsideReserve } from '#server/storage/blobs/disk-reserve.ts';
import { createPacketCounter } from './media/count-packets.ts';
import {
  createDiscardOtherRemuxes,
  createRemuxOne,
  createRemuxSegments,
  type RemuxOneDeps,
} from './remux/remux-segments.ts';
import { passagesOf } from '#server/storage/rows/passages.ts';
import { createRunningTake } from './running-take.ts';
import {
  type AdmitImport,
  createRecordingsService,
  purgeTrashed,
  type RecordingsDeps,
} from './recordings-service.ts';
import { findAny, findMany, type RecordingWithCounts } from './recordings-store.ts';
import { liveSegmentJob } from './remux/live-segments.ts';
import { createSegmentRemuxer } from './remux/segment-remuxer.ts';
import { createSharedRenditions, type SharedRenditions } from './windows/shared-rendition.ts';
import { createWindowOf, type WindowOf } from './windows/window-of.ts';

/** Recurring jobs and their intervals. */
const recordingSchedules: readonly { kind: string; everyMs: number }[] = [
  ...housekeepingSchedules,
  ...judgeSchedules,
];

/** All jobs of the recordings feature. */
const recordingJobs = (deps: FinishJobDeps & JudgeAgainDeps): JobHandler[] => [
  ...finishRecordingJobs(deps),
  ...judgeAgainJobs(deps),
  ...housekeepingJobs(deps),
];

/** The interface of the recordings feature for the rest of the server. */
export interface Recordings extends Feature {
  view: RecordingView;
  /** The API representations of these recordings, in the given order. Unknown ids are left out. */
  presentMany(ids: readonly string[]): Promise<Recording[]>;
  /** Purges those of these recordings that are in the trash, without announcing it. Returns the purged ones. */
  purgeTrashed(ids: readonly string[]): Promise<{ id: string }[]>;
  sources: RecordingSources;
  sounds: RecordedSounds;
  /** Returns the path of ffmpeg, or null. */
  findFfmpeg: () => Promise<string | null>;
  /** Finds a recording of any owner, for callers that have opened it. */
  find: (id: string) => Promise<RecordingWithCounts | undefined>;
  receivedMs: ReceivedMs;
  /** Lays out what links play of a recording. */
  windowOf: WindowOf;
  sharedRenditions: Pick<SharedRenditions, 'stateOf' | 'soundOf' | 'request'>;
}

export interface RecordingsOptions {
  /** Where to look for ffmpeg, see `findFfmpeg`. Without ffmpeg only Opus can be remuxed. */
  ffmpeg?: { wanted: string; searchPath: string };
  onRemuxed?: RemuxOneDeps['onRemuxed'];
  admitImport?: AdmitImport;
  /** Stops work on imports while the disk reserve is in use. Takes are finished regardless. */
  reserve?: Pick<DiskReserve, 'admit'>;
}

/** Builds the recordings feature. */
export function createRecordings(deps: RecordingsDeps, options: RecordingsOptions = {}): Recordings {
  const {
    ffmpeg = { wanted: '', searchPath: '' },
    onRemuxed = () => undefined,
    admitImport = async () => undefined,
    reserve = { admit: async () => undefined },
  } = options;
  const { access, database, blobs, uploads } = deps;
  const { storedSegments } = uploads;
  const measure = createOggSegmentReader(blobs);
  const view = createRecordingView({ database, storedSegments, measure });
  const ffmpegHere = (): Promise<string | null> => findFfmpeg(ffmpeg.wanted, ffmpeg.searchPath);
  const remuxer = { database, findFfmpeg: ffmpegHere, onRemuxed };
  const remuxOne = createRemuxOne({ ...remuxer, blobs });
  const importBlobs = outsideReserve(blobs, reserve);
  const importer = {
    blobs: importBlobs,
    findFfmpeg: ffmpegHere,
    remuxOne: createRemuxOne({ ...remuxer, blobs: importBlobs }),
  };
  const remux = createRemuxSegments(blobs, {
    remuxOne,
    countPackets: createPacketCounter({ database, blobs, measure }),
  });
  const sources = createRecordingSources({
    access,
    database,
    blobs,
    storedSegments,
    measure,
    waveformOf: measuredWaveform,
  });
  const finish = createFinishRecording({ ...deps, view });
  const sharedRenditions = createSharedRenditions({
    database,
    blobs,
    queue: deps.queue,
    storedSegments,
    findFfmpeg: ffmpegHere,
    remux: createSegmentRemuxer({ blobs: importBlobs, findFfmpeg: ffmpegHere }),
  });
  return {
    routes: [
      ...recordingsRoutes({
        access,
        database,
        recordings: createRecordingsService({ ...deps, view, admitImport }),
        finish,
        running: createRunningTake({ ...deps, view }),
        view,
      }),
      ...mediaRoutes({ access, database, blobs, storedSegments, measure, sources }),
    ],
    jobs: [
      ...sharedRenditions.jobs,
      liveSegmentJob({ database, storedSegments, remuxOne, announce: deps.announce }),
      ...recordingJobs({
        ...deps,
        measure,
        remux,
        importBlobs,
        reserve,
        findFfmpeg: ffmpegHere,
        prepareImport: (segments, context) => prepareImport(importer, segments, context),
        discardOtherRemuxes: createDiscardOtherRemuxes(blobs),
      }),
    ],
    find: (id) => findAny(database.queries, id),
    receivedMs: createReceivedMs({ storedSegments, measure }),
    windowOf: createWindowOf({
      blobs,
      measure,
      passagesOf: (recordingId) => passagesOf(database.queries, recordingId),
    }),
    sharedRenditions,
    schedules: recordingSchedules,
    view,
    sources,
    sounds: createRecordedSounds({ blobs, storedSegments, measure, findFfmpeg: ffmpegHere }),
    findFfmpeg: ffmpegHere,
    presentMany: async (ids) =>
      Promise.all((await findMany(database.queries, ids)).map((row) => view.recording(row))),
    purgeTrashed: (ids) => purgeTrashed(deps, ids),
  };
}
