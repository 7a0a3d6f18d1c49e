import type { Clock } from '#base/clock.ts';
import type { AccountRecordings } from '#server/features/accounts/deletion/delete-account.ts';
import { believableSum } from '#server/storage/rows/believable.ts';
import type { Database } from '#server/storage/database/database.ts';

/** The recordings feature's part in deleting an account. */
export function createOwnedRecordings({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): AccountRecordings {
  return {
    async countOf(userId) {
      const { recordings, unfinished, duration } = await database.queries
        .selectFrom('recordings')
        .where('owner_id', '=', userId)
        .select((eb) => [
          eb.fn.countAll<number>().as('recordings'),
          eb.fn.countAll<number>().filterWhere('state', '=', 'receiving').as('unfinished'),
          believableSum('duration_ms').as('duration'),
        ])
        .executeTakeFirstOrThrow();
      return {
        recordings: Number(recordings),
        unfinished: Number(unfinished),
        durationMs: Number(duration ?? 0),
      };
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
