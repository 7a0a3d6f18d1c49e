import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
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
  access: RecordingAccess;
  database: Database;
  announce: Pick<ChangeAnnouncer, 'libraryChanged'>;
}

/**
 * Stars a recording for a user, or removes the star.
 * @throws not-found (404)
 */
export async function setFavouriteOf(
  { access, database, announce }: FavouritesDeps,
  principal: SessionPrincipal,
  { recordingId, isFavourite }: { recordingId: string; isFavourite: boolean },
): Promise<void> {
  await database.transaction(async (transaction) => {
    // A concurrent purge waits for the lock, or has already deleted the recording.
    await lockRecordings(transaction, [recordingId]);
    await access.inTransaction(transaction).recording(principal, recordingId, 'listen');
    await setStars(transaction, principal.userId, { ids: [recordingId], isFavourite });
  });
  announce.libraryChanged(principal.userId);
}
