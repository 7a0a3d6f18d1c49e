import type { Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { believableSum } from '#server/storage/rows/believable.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';

/** What happens to the recordings of a deleted account. */
export interface OwnedRecordings {
  /** Returns the number of recordings, including trashed ones, and their total duration. */
  countOf(userId: string): Promise<{ recordings: number; durationMs: number }>;
  /**
   * Moves all recordings to the trash. Recordings already there keep their date. A running take continues until it
   * ends.
   */
  trashAllOf(transaction: Transaction<Schema>, userId: string): Promise<void>;
}

/** The recordings feature's part in deleting an account. */
export function createOwnedRecordings({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): OwnedRecordings {
  return {
    async countOf(userId) {
      const { recordings, duration } = await database.queries
        .selectFrom('recordings')
        .where('owner_id', '=', userId)
        .select((eb) => [
          eb.fn.countAll<number>().as('recordings'),
          believableSum('duration_ms').as('duration'),
        ])
        .executeTakeFirstOrThrow();
      return { recordings: Number(recordings), durationMs: Number(duration ?? 0) };
    },
    async trashAllOf(transaction, userId) {
      const nowMs = clock.nowMs();
      await transaction
        .updateTable('recordings')
        .set({ deleted_at: nowMs, updated_at: nowMs })
        .where('owner_id', '=', userId)
        .where('deleted_at', 'is', null)
        .execute();
    },
  };
}
