import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';

/**
 * Adds or removes a user's stars. Recordings already in the wanted state don't change. Call it in a transaction
 * that has locked the recordings.
 */
export async function setStars(
  transaction: Queries,
  userId: string,
  { ids, isFavourite }: { ids: readonly string[]; isFavourite: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  if (isFavourite)
    await transaction
      .insertInto('favourites')
      .values(ids.map((id) => ({ user_id: userId, recording_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await transaction
      .deleteFrom('favourites')
      .where('user_id', '=', userId)
      .where('recording_id', 'in', ids)
      .execute();
}

interface FavouritesDeps {
  database: Database;
  announce: Pick<ChangeAnnouncer, 'libraryChanged'>;
}

export async function setFavouriteOf(
  { database, announce }: FavouritesDeps,
  userId: string,
  { recordingId, isFavourite }: { recordingId: string; isFavourite: boolean },
): Promise<void> {
  await database.transaction(async (transaction) => {
    // A concurrent purge waits for the lock, or has already deleted the recording.
    await lockRecordings(transaction, [recordingId]);
    const own = await transaction
      .selectFrom('recordings')
      .select('id')
      .where('id', '=', recordingId)
      .where('owner_id', '=', userId)
      .executeTakeFirst();
    if (!own) throw new ProblemError('not-found');
    await setStars(transaction, userId, { ids: [recordingId], isFavourite });
  });
  announce.libraryChanged(userId);
}
