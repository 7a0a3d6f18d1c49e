import { type Expression, sql } from 'kysely';
import { BatchedReads } from '#base/batched-reads.ts';
import { minute, second } from '#base/duration.ts';
import { RecentReads } from '#base/recent-reads.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { maxEpoch, type UploadStream } from '#contract/uploads-api.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { isOneOf, prepared } from '#server/storage/database/prepared.ts';
import type { UploadRow } from '#server/storage/database/schema.ts';
import { endLinksBefore } from '#server/storage/rows/bound-links.ts';
import { recordChange } from '#server/storage/rows/recording-changes.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { Seal, UploadWithRecording } from './upload-entry.ts';

/** Where other processes write, the state of a recording is read again after this time at the latest. */
const trustedMs = 5 * second;

const earlierOf = (one: Expression<number>, other: Expression<number>) =>
  sql<number>`case when ${one} < ${other} then ${one} else ${other} end`;

type Inserted =
  | { result: 'inserted' | 'taken' | 'finished' | 'crowded' }
  | { result: 'superseded'; epoch: number };

export interface UploadsStore {
  /** Reads the row of an upload now. */
  find(uploadId: string): Promise<UploadWithRecording | undefined>;
  /**
   * Returns the row as it was at most five seconds ago, with what this server has changed since; the same object until
   * it is read again.
   */
  findRecent(uploadId: string): Promise<UploadWithRecording | undefined>;
  /** The upload of one stream of one segment, if it exists. */
  findBySegment(segment: {
    recordingId: string;
    stream: UploadStream;
    index: number;
  }): Promise<{ id: string } | undefined>;
  recordingOf(
    recordingId: string,
  ): Promise<
    | { ownerId: string; state: UploadWithRecording['recording_state']; source: 'microphone' | 'import' }
    | undefined
  >;
  /**
   * `taken`: an upload with this id or of this segment exists, or the recording has just been purged; `finished`:
   * the recording accepts no bytes; `crowded`: too many of its uploads are open; `superseded`: a writer with a
   * higher epoch has written to any of its segments. A segment added to a recording that was finished before is
   * recorded in its history, with the device that added it.
   */
  insert(row: UploadRow, deviceLabel: string): Promise<Inserted>;
  setEpoch(uploadId: string, epoch: number): Promise<void>;
  /** Returns false if there is no such upload (any more). */
  seal(uploadId: string, seal: Seal): Promise<boolean>;
  /** Undoes a seal for which no receipt was given. */
  unseal(uploadId: string, seal: Seal): Promise<void>;
  /** Sets an abandoned recording that receives bytes to `receiving`. */
  resume(recordingId: string, nowMs: number): Promise<void>;
  /** All uploads of a recording in order of their segments. `within`: a transaction to read in. */
  ofRecording(recordingId: string, within?: Queries): Promise<UploadRow[]>;
}

/**
 * Checks and inserts while the recording can't be finished: SQLite runs one transaction at a time, and on
 * PostgreSQL the row is locked.
 */
async function insertFenced(
  queries: Queries,
  dialect: Database['dialect'],
  { row, deviceLabel }: { row: UploadRow; deviceLabel: string },
): Promise<Inserted> {
  const recording = queries
    .selectFrom('recordings')
    .select(['id', 'state', 'finished_at', 'duration_ms'])
    .where('id', '=', row.recording_id);
  const found = await (dialect === 'postgres' ? recording.forUpdate() : recording).executeTakeFirst();
  if (!found) return { result: 'taken' };
  if (!isUnfinished(found)) return { result: 'finished' };
  const { epoch } = await queries
    .selectFrom('uploads')
    .select((eb) => eb.fn.max('epoch').as('epoch'))
    .where('recording_id', '=', row.recording_id)
    .where('epoch', '<=', maxEpoch)
    .executeTakeFirstOrThrow();
  if (Number(epoch ?? 0) > row.epoch) return { result: 'superseded', epoch: Number(epoch) };
  const { open } = await queries
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('recording_id', '=', row.recording_id)
    .where('sealed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(open) >= serverLimits.openUploadsPerTake) return { result: 'crowded' };
  await queries.insertInto('uploads').values(row).execute();
  if (found.finished_at !== null && row.stream === 'audio') {
    await recordChange(queries, {
      recording_id: row.recording_id,
      at: row.created_at,
      kind: 'segment-added',
      device_label: deviceLabel,
      from_ms: row.start_ms,
    });
    await endLinksBefore(queries, found, { startMs: row.start_ms, nowMs: row.created_at });
  }
  return { result: 'inserted' };
}

/** Reads uploads by their ids, with what an append must know of their recordings. */
async function readUploads(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UploadWithRecording>> {
  const rows = await queries
    .selectFrom('uploads')
    .innerJoin('recordings', 'recordings.id', 'uploads.recording_id')
    .leftJoin('imported_files', 'imported_files.recording_id', 'uploads.recording_id')
    .leftJoin('announced_recordings', 'announced_recordings.recording_id', 'uploads.recording_id')
    .select([
      'uploads.id',
      'uploads.recording_id',
      'uploads.stream',
      'uploads.segment_index',
      'uploads.start_ms',
      'uploads.epoch',
      'uploads.size_bytes',
      'uploads.sha256',
      'uploads.sealed_at',
      'uploads.container',
      'uploads.verified_at',
      'uploads.damaged_at',
      'uploads.remuxed_bytes',
      'uploads.remuxed_container',
      'uploads.packet_samples',
      'uploads.created_at',
      'recordings.owner_id',
      'recordings.state as recording_state',
      'recordings.source',
      'recordings.created_at as registered_at',
      'imported_files.file_size_bytes',
      'announced_recordings.size_bytes as announced_bytes',
    ])
    .select((eb) =>
      earlierOf(
        eb.fn.coalesce('recordings.began_at', 'recordings.started_at'),
        eb.ref('recordings.created_at'),
      ).as('began_at'),
    )
    .where((eb) => isOneOf(queries, eb.ref('uploads.id'), ids))
    .modifyEnd(prepared)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export function createUploadsStore(database: Database): UploadsStore {
  const { queries } = database;
  const stored = new BatchedReads((ids) => readUploads(queries, ids));
  const recent = new RecentReads<string, UploadWithRecording | undefined>({
    idleMs: minute,
    nowMs: () => performance.now(),
  });
  const terms = { trustedMs, read: (uploadId: string) => stored.read(uploadId) };
  return {
    find(uploadId) {
      recent.forget(uploadId);
      return recent.get(uploadId, terms);
    },
    findRecent: (uploadId) => recent.getTogether(uploadId, terms),
    findBySegment: ({ recordingId, stream, index }) =>
      queries
        .selectFrom('uploads')
        .select('id')
        .where('recording_id', '=', recordingId)
        .where('stream', '=', stream)
        .where('segment_index', '=', index)
        .executeTakeFirst(),
    async recordingOf(recordingId) {
      const row = await queries
        .selectFrom('recordings')
        .select(['owner_id', 'state', 'source'])
        .where('id', '=', recordingId)
        .executeTakeFirst();
      return row && { ownerId: row.owner_id, state: row.state, source: row.source };
    },
    async insert(row, deviceLabel) {
      try {
        return await database.transaction((transaction) =>
          insertFenced(transaction, database.dialect, { row, deviceLabel }),
        );
      } catch (error) {
        if (database.constraintOf(error) !== null) return { result: 'taken' };
        throw error;
      }
    },
    async setEpoch(uploadId, epoch) {
      await queries
        .updateTable('uploads')
        .set({ epoch })
        .where('id', '=', uploadId)
        .where((eb) => eb.or([eb('epoch', '<', epoch), eb('epoch', '>', maxEpoch)]))
        .execute();
      recent.forget(uploadId);
    },
    async seal(uploadId, seal) {
      const { numUpdatedRows } = await queries
        .updateTable('uploads')
        .set({ size_bytes: seal.lengthBytes, sha256: seal.sha256, sealed_at: seal.atMs })
        .where('id', '=', uploadId)
        .executeTakeFirstOrThrow();
      recent.forget(uploadId);
      return numUpdatedRows > 0n;
    },
    async unseal(uploadId, seal) {
      await queries
        .updateTable('uploads')
        .set({ size_bytes: null, sha256: null, sealed_at: null })
        .where('id', '=', uploadId)
        .where('sealed_at', '=', seal.atMs)
        .execute();
      recent.forget(uploadId);
    },
    async resume(recordingId, nowMs) {
      await queries
        .updateTable('recordings')
        .set({ state: 'receiving', updated_at: nowMs })
        .where('id', '=', recordingId)
        .where('state', '=', 'abandoned')
        .execute();
    },
    ofRecording: (recordingId, within = queries) =>
      within
        .selectFrom('uploads')
        .selectAll()
        .where('recording_id', '=', recordingId)
        .orderBy('segment_index')
        .orderBy('stream')
        .execute(),
  };
}
