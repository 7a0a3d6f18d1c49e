import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { unixMsOf } from '#base/instant.ts';
import { foldForSearch } from '#base/text.ts';
import type { changeRecordingSchema, listRecordingsQuerySchema, Recording, RecordingPage, RegisterRecording, UploadCapability } from '#contract/recordings.ts';
import { ProblemError } from '../../http/problem.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Database } from '../../storage/database/database.ts';
import type { RecordingRow } from '../../storage/database/schema.ts';
import type { ChangeAnnouncer } from '../live/change-announcer.ts';
import type { Uploads } from '../uploads/create-uploads.ts';
import { readCursor, writeCursor } from './list-cursor.ts';
import type { RecordingView } from './recording-view.ts';
import * as store from './recordings-store.ts';

export interface RecordingsDeps {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  uploads: Pick<Uploads, 'issueCapability' | 'storedSegments' | 'forget' | 'removeExpiredCapabilities'>;
  announce: ChangeAnnouncer;
}

export const removeBytesJob = 'remove-recording-bytes';

function newRow(id: string, ownerId: string, take: RegisterRecording & { nowMs: number }): RecordingRow {
  return {
    id, owner_id: ownerId, title: take.title, title_folded: foldForSearch(take.title), language: take.language ?? null,
    started_at: unixMsOf(take.startedAt), time_zone: take.timeZone, duration_ms: 0, state: 'receiving',
    container: take.format.container, codec: take.format.codec, sample_rate_hz: take.format.sampleRateHz, channels: take.format.channels,
    size_bytes: 0, sha256: null, source: take.source, device_label: take.deviceLabel ?? null, peaks_points: 0, overview: null,
    gaps: '[]', pauses: '[]', created_at: take.nowMs, updated_at: take.nowMs, deleted_at: null,
  };
}

/** The recording of this owner; what belongs to somebody else answers as if it did not exist (404). */
export async function ownedRecording(database: Database, ownerId: string, id: string): Promise<store.RecordingWithCounts> {
  const row = await store.findOwned(database.queries, ownerId, id);
  if (!row) throw new ProblemError('not-found');
  return row;
}

/** Inserts a new recording, or finds the one that is there; false where it was there. */
async function insertOrFind(deps: RecordingsDeps, row: RecordingRow): Promise<boolean> {
  const { queries } = deps.database;
  const there = await store.findAny(queries, row.id);
  if (there && there.owner_id !== row.owner_id) throw new ProblemError('not-found');
  if (there) return false;
  if (await store.wasPurged(queries, row.owner_id, row.id)) throw new ProblemError('purged');
  try {
    await queries.insertInto('recordings').values(row).execute();
    return true;
  } catch (error) {
    if (deps.database.constraintOf(error) !== 'unique') throw error;
    // Two registrations met; the one that came first has made it.
    return insertOrFind(deps, row);
  }
}

async function list(deps: RecordingsDeps, ownerId: string, query: z.output<typeof listRecordingsQuerySchema>): Promise<{ rows: store.RecordingWithCounts[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const searchFolded = foldForSearch(query.search ?? '');
  // One more than asked tells whether another page follows.
  const rows = await store.listOwned(deps.database.queries, { ownerId, trashed: query.trashed === 'true', searchFolded, after, limit: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last ? writeCursor({ startedAtMs: last.started_at, id: last.id }) : null };
}

/** Removes a recording for good: the row at once, its bytes right after, and by a job should this process die between. */
export async function purge(deps: RecordingsDeps, recording: { id: string; owner_id: string }): Promise<void> {
  const { id, owner_id: ownerId } = recording;
  await deps.database.transaction(async (transaction) => {
    await transaction.insertInto('purged_recordings').values({ id, owner_id: ownerId, purged_at: deps.clock.nowMs() }).onConflict((conflict) => conflict.column('id').doNothing()).execute();
    await transaction.deleteFrom('recordings').where('id', '=', id).execute();
    await deps.queue.enqueue(transaction, { kind: removeBytesJob, payload: { recordingId: id }, dedupeKey: id });
  });
  deps.uploads.forget(id, { revoke: true });
  deps.announce.recordingRemoved(ownerId, id);
  deps.queue.wake();
}

export interface RecordingsService {
  register(ownerId: string, id: string, take: RegisterRecording): Promise<{ created: boolean; recording: Recording; upload: UploadCapability }>;
  list(ownerId: string, query: z.output<typeof listRecordingsQuerySchema>): Promise<RecordingPage>;
  change(ownerId: string, id: string, change: z.output<typeof changeRecordingSchema>): Promise<Recording>;
  trash(ownerId: string, id: string): Promise<Recording>;
  restore(ownerId: string, id: string): Promise<Recording>;
  purge(ownerId: string, id: string): Promise<void>;
}

/** What an owner may do with recordings. */
export function createRecordingsService(deps: RecordingsDeps & { view: RecordingView }): RecordingsService {
  const { database, clock, view, announce } = deps;

  async function changed(ownerId: string, id: string, change: Partial<RecordingRow>): Promise<Recording> {
    if (Object.keys(change).length > 0) {
      await store.update(database.queries, id, { ...change, updated_at: clock.nowMs() });
      announce.recordingChanged(ownerId, id);
    }
    return view.recording(await ownedRecording(database, ownerId, id));
  }

  return {
    async register(ownerId, id, take) {
      const created = await insertOrFind(deps, newRow(id, ownerId, { ...take, nowMs: clock.nowMs() }));
      const upload = await deps.uploads.issueCapability(database.queries, id);
      if (created) announce.recordingChanged(ownerId, id);
      return { created, recording: await view.recording(await ownedRecording(database, ownerId, id)), upload };
    },
    async list(ownerId, query) {
      const { rows, nextCursor } = await list(deps, ownerId, query);
      return { items: await Promise.all(rows.map((row) => view.recording(row))), nextCursor };
    },
    async change(ownerId, id, change) {
      await ownedRecording(database, ownerId, id);
      return changed(ownerId, id, {
        ...(change.title === undefined ? {} : { title: change.title, title_folded: foldForSearch(change.title) }),
        ...(change.language === undefined ? {} : { language: change.language }),
      });
    },
    async trash(ownerId, id) {
      const row = await ownedRecording(database, ownerId, id);
      return changed(ownerId, id, row.deleted_at === null ? { deleted_at: clock.nowMs() } : {});
    },
    async restore(ownerId, id) {
      const row = await ownedRecording(database, ownerId, id);
      return changed(ownerId, id, row.deleted_at === null ? {} : { deleted_at: null });
    },
    async purge(ownerId, id) {
      const row = await ownedRecording(database, ownerId, id);
      if (row.deleted_at === null) throw new ProblemError('not-in-trash');
      await purge(deps, row);
    },
  };
}
