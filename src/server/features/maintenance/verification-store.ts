import { pastOrNull } from '#server/storage/rows/moments.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { UploadRow } from '#server/storage/database/schema.ts';

/** The data of a sealed stream that verification needs. */
export type SealedStream = Pick<
  UploadRow,
  'id' | 'recording_id' | 'stream' | 'segment_index' | 'verified_at' | 'damaged_at'
> & { sha256: string; size_bytes: number; owner_id: string };

export interface VerificationStore {
  /** Sealed streams not verified since `beforeMs`: those never verified first, then the least recently verified. */
  oldestVerified(beforeMs: number, limit: number): Promise<SealedStream[]>;
  /** All sealed streams, or those of one recording, by page in order of id. */
  sealed(after: string, options: { recordingId?: string; limit: number }): Promise<SealedStream[]>;
  /** Records the result. The recording gets the earliest damage of its streams, or none. */
  note(stream: SealedStream, found: { atMs: number; isDamaged: boolean }): Promise<void>;
  damagedCount(): Promise<number>;
  /** Records that every sealed stream has been verified. */
  noteCompleted(atMs: number): Promise<void>;
  /** When that was last the case; null if never, or if the time is in the future. */
  completedAtMs(nowMs: number): Promise<number | null>;
}

const completePass = 'complete';

/** Reads and writes the verification columns of uploads, and when a pass completed. */
export function createVerificationStore(database: Database): VerificationStore {
  const sealed = () =>
    database.queries
      .selectFrom('uploads')
      .innerJoin('recordings', 'recordings.id', 'uploads.recording_id')
      .select([
        'uploads.id',
        'uploads.recording_id',
        'uploads.stream',
        'uploads.segment_index',
        'uploads.verified_at',
        'uploads.damaged_at',
        'recordings.owner_id',
      ])
      .select((eb) => [
        eb.ref('uploads.sha256').$notNull().as('sha256'),
        eb.ref('uploads.size_bytes').$notNull().as('size_bytes'),
      ])
      .where('uploads.sealed_at', 'is not', null)
      .where('uploads.sha256', 'is not', null)
      .where('uploads.size_bytes', 'is not', null);
  return {
    async oldestVerified(beforeMs, limit) {
      // Each query reads a range of the index `uploads_verified` in its order. One query for both would sort all rows:
      // SQLite's indexes have nulls first, PostgreSQL's last. What was verified is in neither range, so that the next
      // page starts where this one ends.
      const never = await sealed()
        .where('uploads.verified_at', 'is', null)
        .orderBy('uploads.id')
        .limit(limit)
        .execute();
      if (never.length === limit) return never;
      const once = await sealed()
        .where('uploads.verified_at', '<', beforeMs)
        .orderBy('uploads.verified_at')
        .orderBy('uploads.id')
        .limit(limit - never.length)
        .execute();
      return [...never, ...once];
    },
    sealed: (after, { recordingId, limit }) => {
      const query = sealed().where('uploads.id', '>', after).orderBy('uploads.id').limit(limit);
      return (
        recordingId === undefined ? query : query.where('uploads.recording_id', '=', recordingId)
      ).execute();
    },
    note: (stream, { atMs, isDamaged }) =>
      database.transaction(async (transaction) => {
        const damagedAt = isDamaged ? (pastOrNull(stream.damaged_at, atMs) ?? atMs) : null;
        await transaction
          .updateTable('uploads')
          .set({ verified_at: atMs, damaged_at: damagedAt })
          .where('id', '=', stream.id)
          .execute();
        if (!isDamaged && stream.damaged_at === null) return;
        await transaction
          .updateTable('recordings')
          .set((eb) => ({
            damaged_at: eb
              .selectFrom('uploads')
              .select((inner) => inner.fn.min('uploads.damaged_at').as('first'))
              .where('uploads.recording_id', '=', stream.recording_id),
            updated_at: atMs,
          }))
          .where('id', '=', stream.recording_id)
          .execute();
      }),
    async damagedCount() {
      const { count } = await database.queries
        .selectFrom('uploads')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('damaged_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async noteCompleted(atMs) {
      await database.queries
        .insertInto('verification_passes')
        .values({ name: completePass, ended_at: atMs })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ ended_at: atMs }))
        .execute();
    },
    async completedAtMs(nowMs) {
      const row = await database.queries
        .selectFrom('verification_passes')
        .select('ended_at')
        .where('name', '=', completePass)
        .executeTakeFirst();
      return pastOrNull(row?.ended_at ?? null, nowMs);
    },
  };
}
