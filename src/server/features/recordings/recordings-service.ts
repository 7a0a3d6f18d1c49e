import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import { orderMsOf, possibleTime } from '#base/recorded-time/order.ts';
import { momentOf, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { foldForSearch } from '#base/text.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type {
  ImportedFile,
  Recording,
  RegisteredRecording,
  RegisterRecording,
} from '#contract/recordings.ts';
import type { Receipt } from '#contract/uploads-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { isProvenBefore } from '#server/storage/rows/moments.ts';
import { columnsOfTime, type timeColumns } from '#server/storage/rows/stored-time.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { ImportedFileRow, RecordingRow } from '#server/storage/database/schema.ts';
import { userTitle } from '#server/storage/generated-title.ts';
import { linksToEnd } from '#server/storage/rows/ended-links.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { Uploads } from '#server/features/uploads/create-uploads.ts';
import type { Principal, SessionPrincipal } from '#server/http/principal.ts';
import { leaveLinksOff } from '#server/storage/rows/links-left-off.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import { callerRecording, readRecording } from './caller-recording.ts';
import { changeRow, type RecordingChange } from './change-recording.ts';
import type { RecordingView } from './recording-view.ts';
import * as store from './recordings-store.ts';

export interface RecordingsDeps {
  access: RecordingAccess;
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  uploads: Pick<
    Uploads,
    | 'issueCapability'
    | 'revokeCapabilities'
    | 'storedSegments'
    | 'settle'
    | 'forget'
    | 'removeExpiredCapabilities'
  >;
  announce: ChangeAnnouncer;
}

/** Rejects the import of a file that does not fit the quota or the disk, in the transaction that registers it. */
export type AdmitImport = (queries: Queries, ownerId: string, sizeBytes: number) => Promise<void>;

/** A recording and its owner. */
interface OwnedId {
  id: string;
  owner_id: string;
}

export const removeBytesJob = 'remove-recording-bytes';

/**
 * The recorded time that a registration states. A device's clock may be wrong, so an impossible time becomes
 * unknown instead of rejecting the take.
 */
function statedTime({
  recordedTime,
  startedAt,
  timeZone,
  source,
  nowMs,
}: RegisterRecording & { nowMs: number }): Pick<RecordingRow, (typeof timeColumns)[number] | 'began_at'> {
  const stated =
    recordedTime ?? (startedAt === undefined ? unknownTime : momentOf(startedAt, timeZone ?? null));
  const time = possibleTime(stated, nowMs);
  return {
    ...columnsOfTime(time),
    began_at: source === 'microphone' && time !== stated ? orderMsOf(stated) : null,
  };
}

function newRow(id: string, ownerId: string, take: RegisterRecording & { nowMs: number }): RecordingRow {
  const title = userTitle(take);
  return {
    id,
    owner_id: ownerId,
    title,
    title_folded: foldForSearch(title),
    language: take.language ?? null,
    ...statedTime(take),
    duration_ms: 0,
    state: 'receiving',
    container: take.format.container,
    codec: take.format.codec,
    sample_rate_hz: take.format.sampleRateHz,
    channels: take.format.channels,
    size_bytes: 0,
    stored_bytes: take.file?.sizeBytes ?? 0,
    sha256: null,
    source: take.source,
    device_label: take.deviceLabel ?? null,
    peaks_points: 0,
    overview: null,
    gaps: '[]',
    pauses: '[]',
    microphone_silence_ms: null,
    people: '[]',
    damaged_at: null,
    distrusted_at: null,
    finished_at: null,
    created_at: take.nowMs,
    updated_at: take.nowMs,
    deleted_at: null,
  };
}

const newFileRow = (recording: RecordingRow, file: ImportedFile): ImportedFileRow => ({
  recording_id: recording.id,
  importer_id: recording.owner_id,
  file_name: file.name,
  file_media_type: file.mediaType,
  file_size_bytes: file.sizeBytes,
  file_sha256: file.sha256,
  rendition: 'waiting',
  failure_reason: null,
});

type RegisterDeps = RecordingsDeps & { admitImport: AdmitImport };

/**
 * Limits a user's running takes. Another take waits on its device.
 * @throws rate-limited (429)
 */
async function admitTake(
  { database }: RegisterDeps,
  transaction: Parameters<Parameters<Database['transaction']>[0]>[0],
  ownerId: string,
): Promise<void> {
  await database.lockUser(transaction, ownerId);
  const { running } = await transaction
    .selectFrom('recordings')
    .select((eb) => eb.fn.countAll<number | string>().as('running'))
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'receiving')
    .where('source', '=', 'microphone')
    .executeTakeFirstOrThrow();
  if (Number(running) >= serverLimits.takesInProgress)
    throw new ProblemError('rate-limited', { retryAfterSeconds: 600 });
}

/**
 * Inserts a new recording. Returns false if the user already has it.
 * @throws not-found (404) if the id is another user's recording, purged (410)
 */
async function insertOrFind(
  deps: RegisterDeps,
  principal: SessionPrincipal,
  { row, file }: { row: RecordingRow; file: ImportedFile | null },
): Promise<boolean> {
  const state = (await deps.access.idStates(principal, [row.id])).get(row.id);
  if (state === 'taken') throw new ProblemError('not-found');
  if (state === 'own') return false;
  if (state === 'purged') throw new ProblemError('purged');
  try {
    await deps.database.transaction(async (transaction) => {
      if (file !== null) await deps.admitImport(transaction, row.owner_id, file.sizeBytes);
      else await admitTake(deps, transaction, row.owner_id);
      await transaction.insertInto('recordings').values(row).execute();
      if (file !== null)
        await transaction.insertInto('imported_files').values(newFileRow(row, file)).execute();
      await reindexRecording(transaction, row.id);
    });
    return true;
  } catch (error) {
    if (deps.database.constraintOf(error) !== 'unique') throw error;
    // Another registration has just inserted the row.
    return insertOrFind(deps, principal, { row, file });
  }
}

/**
 * Restricts a purge to recordings still in the trash (and, with `beforeMs`, trashed before then), because one may
 * have been restored since the caller looked. Null: no restriction.
 */
export type OnlyTrashed = { beforeMs?: number } | null;

function deleteRows(transaction: Queries, ids: readonly string[], only: OnlyTrashed): Promise<OwnedId[]> {
  const rows = transaction.deleteFrom('recordings').where('id', 'in', ids);
  const trashed = only === null ? rows : rows.where('deleted_at', 'is not', null);
  return (only?.beforeMs === undefined ? trashed : trashed.where(isProvenBefore('deleted_at', only.beforeMs)))
    .returning(['id', 'owner_id'])
    .execute();
}

/**
 * Purges recordings without announcing it: deletes their rows, then their bytes. Jobs delete the bytes if this
 * process dies in between.
 * @returns the purged recordings
 */
export async function purgeMany(
  deps: RecordingsDeps,
  ids: readonly string[],
  only: OnlyTrashed,
): Promise<OwnedId[]> {
  const purgedAt = deps.clock.nowMs();
  const gone = await deps.database.transaction(async (transaction) => {
    const endLinks = await linksToEnd(transaction, ids, purgedAt);
    const rows = await deleteRows(transaction, ids, only);
    if (rows.length === 0) return rows;
    await endLinks(new Set(rows.map(({ id }) => id)));
    await transaction
      .insertInto('purged_recordings')
      .values(rows.map(({ id, owner_id: ownerId }) => ({ id, owner_id: ownerId, purged_at: purgedAt })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    for (const { id, owner_id: userId } of rows)
      await deps.queue.enqueue(transaction, {
        kind: removeBytesJob,
        payload: { recordingId: id },
        userId,
        dedupeKey: id,
      });
    return rows;
  });
  for (const { id, owner_id: ownerId } of gone) {
    deps.uploads.forget(id, { revoke: true });
    await deps.uploads.settle(ownerId, id);
  }
  deps.queue.wake();
  return gone;
}

/**
 * A take that received bytes within this time is being recorded, as far as the server knows. An import can be made
 * again from its file, so a user who cancels it loses nothing.
 */
const runningWithinMs = minute;

/** The ids of those of these recordings that are being recorded. */
async function beingRecorded(
  { database, uploads, clock }: Pick<RecordingsDeps, 'database' | 'uploads' | 'clock'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const open = await database.queries
    .selectFrom('recordings')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', 'receiving')
    .where('source', '=', 'microphone')
    .execute();
  const sinceMs = clock.nowMs() - runningWithinMs;
  const running = new Set<string>();
  for (const { id } of open)
    if ((await uploads.storedSegments(id)).some(({ changedAtMs }) => changedAtMs > sinceMs)) running.add(id);
  return running;
}

/** Purges those of these recordings that are in the trash and are not being recorded. */
export async function purgeTrashed(deps: RecordingsDeps, ids: readonly string[]): Promise<OwnedId[]> {
  const running = await beingRecorded(deps, ids);
  const ended = ids.filter((id) => !running.has(id));
  return ended.length === 0 ? [] : purgeMany(deps, ended, {});
}

/** Purges one recording and announces it. Returns false if `only` excludes it. */
export async function purge(deps: RecordingsDeps, id: string, only: OnlyTrashed): Promise<boolean> {
  const [gone] = await purgeMany(deps, [id], only);
  if (gone) deps.announce.recordingRemoved(gone.owner_id, gone.id);
  return gone !== undefined;
}

/**
 * The receipts of a finished recording, so that a device whose capability has expired can verify that nothing is
 * missing.
 */
async function receiptsOf({ uploads }: RecordingsDeps, id: string): Promise<Receipt[]> {
  const segments = await uploads.storedSegments(id);
  return segments.flatMap(({ uploadId, sizeBytes, sha256, sealedAtMs }) =>
    sha256 === null || sealedAtMs === null
      ? []
      : [{ uploadId, lengthBytes: sizeBytes, sha256, storedAt: instantOf(sealedAtMs) }],
  );
}

export interface RecordingsService {
  register(
    principal: SessionPrincipal,
    id: string,
    take: RegisterRecording,
  ): Promise<RegisteredRecording & { created: boolean }>;
  change(principal: Principal | null, id: string, change: RecordingChange): Promise<Recording>;
  trash(principal: Principal | null, id: string): Promise<Recording>;
  /** Its links stay off, unless this undoes the move to the trash. */
  restore(principal: Principal | null, id: string, options: { isUndo: boolean }): Promise<Recording>;
  purge(principal: Principal | null, id: string): Promise<void>;
}

/** What a signed-in user can do with recordings. */
export function createRecordingsService(deps: RegisterDeps & { view: RecordingView }): RecordingsService {
  const { access, database, clock, view, announce } = deps;

  const present = async (id: string): Promise<Recording> =>
    view.recording(await readRecording(database.queries, id));

  async function moveToTrash({ id, owner_id: ownerId }: OwnedId): Promise<void> {
    const nowMs = clock.nowMs();
    await store.update(database.queries, id, { deleted_at: nowMs, updated_at: nowMs });
    announce.recordingChanged(ownerId, id);
  }

  async function restoreRow({ id, owner_id: ownerId }: OwnedId, isUndo: boolean): Promise<void> {
    await database.transaction(async (transaction) => {
      const nowMs = clock.nowMs();
      await lockRecordings(transaction, [id]);
      await store.update(transaction, id, { deleted_at: null, updated_at: nowMs });
      if (!isUndo) await leaveLinksOff(transaction, [id], nowMs);
    });
    announce.recordingChanged(ownerId, id);
  }

  return {
    async register(principal, id, take) {
      const { userId: ownerId } = principal;
      const created = await insertOrFind(deps, principal, {
        row: newRow(id, ownerId, { ...take, nowMs: clock.nowMs() }),
        file: take.file ?? null,
      });
      if (created) announce.recordingChanged(ownerId, id);
      const row = await callerRecording(deps, principal, { id, right: 'own' });
      const recording = await view.recording(row);
      if (!isUnfinished(row))
        return { created, recording, upload: null, receipts: await receiptsOf(deps, id) };
      const upload = await database.transaction((transaction) =>
        deps.uploads.issueCapability(transaction, { ...principal, recordingId: id }),
      );
      return { created, recording, upload, receipts: [] };
    },
    async change(principal, id, change) {
      const { owner_id: ownerId } = await access.recording(principal, id, 'change');
      if (await changeRow(deps, { ownerId, id }, change)) announce.recordingChanged(ownerId, id);
      return present(id);
    },
    async trash(principal, id) {
      const row = await access.recording(principal, id, 'own');
      if (row.deleted_at === null) await moveToTrash(row);
      return present(id);
    },
    async restore(principal, id, { isUndo }) {
      const row = await access.recording(principal, id, 'own');
      if (row.deleted_at !== null) await restoreRow(row, isUndo);
      return present(id);
    },
    async purge(principal, id) {
      await access.recording(principal, id, 'own');
      // Its device would record on for nobody.
      if ((await beingRecorded(deps, [id])).size > 0) throw new ProblemError('still-recording');
      if (await purge(deps, id, {})) return;
      // It was purged in the meantime (404), or is not in the trash.
      await access.recording(principal, id, 'own');
      throw new ProblemError('not-in-trash');
    },
  };
}
