import type { Clock } from '#base/clock.ts';
import { hour } from '#base/duration.ts';
import type { Feature } from '#server/features/feature.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { Recordings } from '#server/features/recordings/create-recordings.ts';
import type { StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { createAccountExports } from './account/account-exports.ts';
import { gatherAccountJob } from './account/gather-account.ts';
import { createWindowConverter, type WindowConverter } from './convert/convert-window.ts';
import { Conversions } from './convert/conversions.ts';
import { hasAllSound, wholeOf } from './contents/whole-files.ts';
import { exportsRoutes } from './exports-routes.ts';
import { createTickets } from './zip/tickets.ts';

const removeJob = 'remove-old-exports';

const exportSchedules = [{ kind: removeJob, everyMs: hour }] as const;

export interface ExportsDeps {
  access: Pick<RecordingAccess, 'recordings'>;
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  reserve: Pick<DiskReserve, 'check'>;
  recordings: Pick<Recordings, 'sources' | 'findFfmpeg'>;
  storedSegments: StoredSegments;
}

/** The interface of the exports feature for the rest of the server. */
export interface Exports extends Feature {
  /** Converts windows of recordings, and limits how many conversions of them run at once. */
  windows: { converter: WindowConverter; conversions: Conversions };
}

/** Builds the exports feature. */
export function createExports(deps: ExportsDeps): Exports {
  const {
    blobs,
    clock,
    storedSegments,
    recordings: { sources, findFfmpeg },
  } = deps;
  const tickets = createTickets(deps);
  const account = createAccountExports(deps);
  const removeOld: JobHandler = {
    kind: removeJob,
    lane: 'background',
    async run() {
      await tickets.removeExpired();
      await account.removeExpired();
    },
  };
  async function isWhole(recordingId: string): Promise<boolean> {
    const segments = await storedSegments(recordingId);
    return hasAllSound(await wholeOf(blobs, segments), segments);
  }
  return {
    routes: exportsRoutes({
      ...deps,
      isWhole,
      sources,
      findFfmpeg,
      tickets,
      account,
      conversions: new Conversions({ encoding: 2, open: 6, openOfOwner: 1 }),
      nowMs: () => clock.nowMs(),
    }),
    jobs: [gatherAccountJob(deps), removeOld],
    schedules: exportSchedules,
    windows: {
      converter: createWindowConverter(findFfmpeg),
      conversions: new Conversions({ encoding: 1, open: 6, openOfOwner: 3 }),
    },
  };
}
