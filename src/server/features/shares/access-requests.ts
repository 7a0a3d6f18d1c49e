import type { Transaction } from 'kysely';
import { instantOf } from '#base/instant.ts';
import { limits } from '#contract/limits.ts';
import type { AccessRequest } from '#contract/shares.ts';
import type { AccessRequestState } from '#server/http/share-grant.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { readInPieces } from '#server/storage/rows/pieces.ts';

/** A link, and a user for whom it is not. */
export interface Outsider {
  shareId: string;
  userId: string;
}

/**
 * Whether a user can ask for access to a link: `asked` before, or `impossible`, because the user has no email address
 * by which the link could name them, or too many users have asked.
 */
export async function accessRequestStateOf(
  queries: Queries,
  { shareId, userId }: Outsider,
): Promise<AccessRequestState> {
  const { total, own } = await queries
    .selectFrom('share_access_requests')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('total'),
      eb.fn.countAll<number | string>().filterWhere('user_id', '=', userId).as('own'),
    ])
    .where('share_id', '=', shareId)
    .executeTakeFirstOrThrow();
  if (Number(own) > 0) return 'asked';
  const user = await queries
    .selectFrom('users')
    .select('email_key')
    .where('id', '=', userId)
    .executeTakeFirst();
  const isPossible =
    Number(total) < limits.share.accessRequests && user !== undefined && user.email_key !== null;
  return isPossible ? 'possible' : 'impossible';
}

/**
 * Stores the request of a user, once for each link.
 * @returns whether it is new; false also if there is no place for it
 */
export async function storeAccessRequest(
  database: Database,
  outsider: Outsider & { ownerId: string },
  nowMs: number,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    // Simultaneous requests count each other.
    await database.lockUser(transaction, outsider.ownerId);
    if ((await accessRequestStateOf(transaction, outsider)) !== 'possible') return false;
    const { shareId, userId } = outsider;
    await transaction
      .insertInto('share_access_requests')
      .values({ share_id: shareId, user_id: userId, created_at: nowMs, declined_at: null })
      .execute();
    return true;
  });
}

/** The requests that wait for an answer, by link, oldest first. */
export async function waitingRequestsOf(
  queries: Queries,
  shareIds: readonly string[],
): Promise<Map<string, AccessRequest[]>> {
  const rows = await readInPieces(shareIds, (some) =>
    queries
      .selectFrom('share_access_requests')
      .innerJoin('users', 'users.id', 'share_access_requests.user_id')
      .select([
        'share_id',
        'user_id',
        'share_access_requests.created_at',
        'display_name',
        'email',
        'email_verified_at',
      ])
      .where('share_id', 'in', some)
      .where('declined_at', 'is', null)
      .where('disabled_at', 'is', null)
      .orderBy('share_access_requests.created_at')
      .orderBy('user_id')
      .execute(),
  );
  const byShare = Map.groupBy(rows, ({ share_id: shareId }) => shareId);
  return new Map(
    [...byShare].map(([shareId, requests]) => [
      shareId,
      requests.flatMap((row) =>
        row.email === null
          ? []
          : [
              {
                userId: row.user_id,
                name: row.display_name,
                email: row.email,
                isEmailProven: row.email_verified_at !== null,
                requestedAt: instantOf(row.created_at),
              },
            ],
      ),
    ]),
  );
}

/** Stores that a request was declined. The user cannot ask again. Returns whether there was one that waited. */
export async function declineAccessRequest(
  queries: Queries,
  { shareId, userId }: Outsider,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('share_access_requests')
    .set({ declined_at: nowMs })
    .where('share_id', '=', shareId)
    .where('user_id', '=', userId)
    .where('declined_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the requests of users that a link is for now. */
export const deleteAnsweredRequests = async (
  transaction: Transaction<Schema>,
  shareId: string,
): Promise<void> => {
  await transaction
    .deleteFrom('share_access_requests')
    .where('share_id', '=', shareId)
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('share_people')
        .innerJoin('users', 'users.id', 'share_people.user_id')
        .select('users.id')
        .where('share_people.share_id', '=', shareId),
    )
    .execute();
};
