import type { UploadStream } from '#contract/uploads-api.ts';
import type { Database } from '../../storage/database/database.ts';
import type { UploadRow } from '../../storage/database/schema.ts';
import type { Seal, UploadWithRecording } from './upload-entry.ts';

export interface UploadsStore {
  find(uploadId: string): Promise<UploadWithRecording | undefined>;
  /** The upload of one stream of one segment, if there is one. */
  findBySegment(segment: { recordingId: string; stream: UploadStream; index: number }): Promise<{ id: string } | undefined>;
  recordingOf(recordingId: string): Promise<{ ownerId: string; state: UploadWithRecording['recording_state'] } | undefined>;
  /** False where an upload with this id, or of this segment, is already there, or the recording has just been purged. */
  insert(row: UploadRow): Promise<boolean>;
  setEpoch(uploadId: string, epoch: number): Promise<void>;
  seal(uploadId: string, seal: Seal): Promise<void>;
  /** An abandoned recording that bytes arrive for is receiving again. */
  resume(recordingId: string, nowMs: number): Promise<void>;
  /** All uploads of a recording, in the order of their segments. */
  ofRecording(recordingId: string): Promise<UploadRow[]>;
}

/** The uploads table. */
export function createUploadsStore(database: Database): UploadsStore {
  const { queries } = database;
  return {
    find: (uploadId) =>
      queries.selectFrom('uploads').innerJoin('recordings', 'recordings.id', 'uploads.recording_id').selectAll('uploads')
        .select(['recordings.owner_id', 'recordings.state as recording_state']).where('uploads.id', '=', uploadId).executeTakeFirst(),
    findBySegment: ({ recordingId, stream, index }) =>
      queries.selectFrom('uploads').select('id').where('recording_id', '=', recordingId).where('stream', '=', stream).where('segment_index', '=', index).executeTakeFirst(),
    async recordingOf(recordingId) {
      const row = await queries.selectFrom('recordings').select(['owner_id', 'state']).where('id', '=', recordingId).executeTakeFirst();
      return row && { ownerId: row.owner_id, state: row.state };
    },
    async insert(row) {
      try {
        await queries.insertInto('uploads').values(row).execute();
        return true;
      } catch (error) {
        if (database.constraintOf(error) !== null) return false;
        throw error;
      }
    },
    async setEpoch(uploadId, epoch) {
      await queries.updateTable('uploads').set({ epoch }).where('id', '=', uploadId).where('epoch', '<', epoch).execute();
    },
    async seal(uploadId, seal) {
      await queries.updateTable('uploads').set({ size_bytes: seal.lengthBytes, sha256: seal.sha256, sealed_at: seal.atMs }).where('id', '=', uploadId).execute();
    },
    async resume(recordingId, nowMs) {
      await queries.updateTable('recordings').set({ state: 'receiving', updated_at: nowMs }).where('id', '=', recordingId).where('state', '=', 'abandoned').execute();
    },
    ofRecording: (recordingId) =>
      queries.selectFrom('uploads').selectAll().where('recording_id', '=', recordingId).orderBy('segment_index').orderBy('stream').execute(),
  };
}
