import type { ExpressionBuilder, SelectQueryBuilder, Updateable } from 'kysely';
import { day } from '#base/duration.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow, Schema } from '#server/storage/database/schema.ts';
import type { ShareRenditionRow, ShareRow, ShareUserRow } from '#server/storage/database/share-tables.ts';
import { unfinishedStates } from '#server/storage/rows/unfinished.ts';
import { timeColumns } from '#server/storage/rows/stored-time.ts';
import { readInPieces } from '#server/storage/rows/pieces.ts';
import type { ShareCircumstances } from './share-state.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

/** A link with what its owner and its listeners learn of its recording and of whose it is. */
export type StoredShare = ShareCircumstances &
  Pick<RecordingRow, (typeof timeColumns)[number]> & {
    recording_title: string;
    recording_state: RecordingRow['state'];
    recording_updated_at: number;
    recording_duration_ms: number;
    recording_labels_revision: number;
    /** The state of the sound that its links play, if it is an import. */
    rendition_state: ShareRenditionRow['state'] | null;
    owner_name: string;
  };

type Joined = SelectQueryBuilder<Schema, 'shares' | 'recordings' | 'users', StoredShare>;

const joined = (queries: Queries): Joined =>
  queries
    .selectFrom('shares')
    .innerJoin('recordings', 'recordings.id', 'shares.recording_id')
    .innerJoin('users', 'users.id', 'shares.owner_id')
    .leftJoin('share_renditions', 'share_renditions.recording_id', 'shares.recording_id')
    .selectAll('shares')
    .select(timeColumns.map((column) => `recordings.${column}` as const))
    .select([
      'recordings.title as recording_title',
      'recordings.state as recording_state',
      'recordings.updated_at as recording_updated_at',
      'recordings.duration_ms as recording_duration_ms',
      'recordings.labels_revision as recording_labels_revision',
      'share_renditions.state as rendition_state',
      'recordings.deleted_at as recording_deleted_at',
      'users.display_name as owner_name',
      'users.disabled_at as owner_disabled_at',
    ]);

/** Finds the link with this token's hash. */
export const findByToken = (queries: Queries, tokenHash: string): Promise<StoredShare | undefined> =>
  joined(queries).where('shares.token_hash', '=', tokenHash).executeTakeFirst();

/** Finds links by id, in any order. */
export const findShares = (queries: Queries, ids: readonly string[]): Promise<StoredShare[]> =>
  joined(queries).where('shares.id', 'in', ids).execute();

/** Finds a link of this owner. */
export const findOwnShare = (
  queries: Queries,
  ownerId: string,
  id: string,
): Promise<StoredShare | undefined> =>
  joined(queries).where('shares.id', '=', id).where('shares.owner_id', '=', ownerId).executeTakeFirst();

/** A link for 100 users, 100 of whom asked for access, is about 30 kB of JSON. */
const sharesTogether = 20;

/** Reads the links of all users, of one, or of one of their recordings, newest first, in pages. */
export async function* sharePages(
  queries: Queries,
  { ownerId, recordingId }: { ownerId?: string; recordingId?: string } = {},
): AsyncGenerator<StoredShare[], void> {
  let query = queries.selectFrom('shares').select('id');
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
  if (recordingId !== undefined) query = query.where('recording_id', '=', recordingId);
  const ids = (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += sharesTogether) {
    const some = ids.slice(start, start + sharesTogether);
    const found = new Map((await findShares(queries, some)).map((share) => [share.id, share]));
    yield some.flatMap((id) => found.get(id) ?? []);
  }
}

/** The users for whom links are, by link, in the order of their addresses. */
export async function usersOfShares(
  queries: Queries,
  shareIds: readonly string[],
): Promise<Map<string, ShareUserRow[]>> {
  const rows = await readInPieces(shareIds, (some) =>
    queries
      .selectFrom('share_people')
      .selectAll()
      .where('share_id', 'in', some)
      .orderBy('email_key')
      .execute(),
  );
  return Map.groupBy(rows, ({ share_id: shareId }) => shareId);
}

/**
 * Replaces the users for whom a link is. An address is tied to the account that has proven it. Where no account has,
 * it stays open: the user who took it may not be the one who was meant, and asks the owner for access. An address that
 * was on the link before stays tied as it was.
 */
export async function replaceUsers(
  queries: Queries,
  shareId: string,
  emails: readonly string[],
): Promise<void> {
  const before = await queries
    .selectFrom('share_people')
    .select(['email_key', 'user_id'])
    .where('share_id', '=', shareId)
    .where('user_id', 'is not', null)
    .execute();
  await queries.deleteFrom('share_people').where('share_id', '=', shareId).execute();
  const byKey = new Map(emails.map((email) => [emailKeyOf(email), email.trim()]));
  if (byKey.size === 0) return;
  const proven = await queries
    .selectFrom('users')
    .select(['id as user_id', 'email_key'])
    .where('email_key', 'in', [...byKey.keys()])
    .where('email_verified_at', 'is not', null)
    .execute();
  const accountOf = new Map([...proven, ...before].map(({ user_id: id, email_key: key }) => [key, id]));
  await queries
    .insertInto('share_people')
    .values(
      [...byKey].map(([key, email]) => ({
        share_id: shareId,
        email,
        email_key: key,
        user_id: accountOf.get(key) ?? null,
      })),
    )
    .execute();
}

/**
 * Adds a user for whom a link is. An address that already stands for another user stays theirs.
 * @returns whether the link is for the user now
 */
export async function addUser(
  queries: Queries,
  shareId: string,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await queries
    .insertInto('share_people')
    .values({ share_id: shareId, email, email_key: emailKeyOf(email), user_id: userId })
    .onConflict((conflict) =>
      conflict
        .columns(['share_id', 'email_key'])
        .doUpdateSet({ user_id: userId })
        .where((eb) =>
          eb.or([eb('share_people.user_id', 'is', null), eb('share_people.user_id', '=', userId)]),
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/**
 * Removes a user from all links that are for named users: by account, and by an address that the user has proven. An
 * address that is not proven may be another person's.
 */
export async function removeUserFromShares(queries: Queries, userId: string): Promise<void> {
  await queries
    .deleteFrom('share_people')
    .where((eb) =>
      eb.or([
        eb('user_id', '=', userId),
        eb.and([
          eb('user_id', 'is', null),
          eb(
            'email_key',
            'in',
            eb
              .selectFrom('users')
              .select('users.email_key')
              .where('users.id', '=', userId)
              .where('users.email_verified_at', 'is not', null)
              .where('users.email_key', 'is not', null)
              .$narrowType<{ email_key: string }>(),
          ),
        ]),
      ]),
    )
    .execute();
}

/** Whether a link for named users is for this one: by account, or by an address that the user has proven since. */
export async function isForUser(queries: Queries, shareId: string, userId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('share_people')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select('share_people.share_id')
    .where('share_people.share_id', '=', shareId)
    .where((eb) =>
      eb.or([
        eb('share_people.user_id', '=', userId),
        eb.and([
          eb('share_people.user_id', 'is', null),
          eb('share_people.email_key', '=', eb.ref('users.email_key')),
          eb('users.email_verified_at', 'is not', null),
        ]),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * How many links open a recording, and how many a user has. Revoked ones count for a day after their creation:
 * their rows stay, so creating and revoking in turn must end somewhere.
 */
export async function countShares(
  queries: Queries,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
  nowMs: number,
): Promise<{ ofRecording: number; ofOwner: number }> {
  const { all, own } = await queries
    .selectFrom('shares')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('all'),
      eb.fn.countAll<number | string>().filterWhere('recording_id', '=', recordingId).as('own'),
    ])
    .where('owner_id', '=', ownerId)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('created_at', '>', nowMs - day)]))
    .executeTakeFirstOrThrow();
  return { ofRecording: Number(own), ofOwner: Number(all) };
}

/** Changes a link unless its revision is another one. Returns whether it did. */
export async function updateShare(
  queries: Queries,
  { id, revision }: Pick<ShareRow, 'id' | 'revision'>,
  change: Updateable<ShareRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('shares')
    .set({ ...change, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Selects links to revoke: one, or those of a user, of which all conditions must be true. */
export type RevokedShares =
  | { id: string }
  | { ownerId: string; id?: string; recordingId?: string | undefined; recipientLabel?: string | undefined };

const columnOf = {
  id: 'id',
  ownerId: 'owner_id',
  recordingId: 'recording_id',
  recipientLabel: 'recipient_label',
} as const;

const conditionsOf = (which: RevokedShares) => (eb: ExpressionBuilder<Schema, 'shares'>) => {
  const conditions: Partial<Record<keyof typeof columnOf, string | undefined>> = which;
  return eb.and([
    eb('shares.ended_at', 'is', null),
    ...(['id', 'ownerId', 'recordingId', 'recipientLabel'] as const).flatMap((name) => {
      const value = conditions[name];
      return value === undefined ? [] : [eb(`shares.${columnOf[name]}`, '=', value)];
    }),
  ]);
};

/** The live links of growing recordings that `revokeWhere` revokes. */
export const liveToRevoke = (
  queries: Queries,
  which: RevokedShares,
): Promise<Pick<ShareRow, 'id' | 'recording_id' | 'live_delay_ms'>[]> =>
  queries
    .selectFrom('shares')
    .select(['id', 'recording_id', 'live_delay_ms'])
    .where('live_delay_ms', 'is not', null)
    .where('recording_id', 'in', (eb) =>
      eb.selectFrom('recordings').select('recordings.id').where('state', 'in', unfinishedStates),
    )
    .where(conditionsOf(which))
    .execute();

/** Revokes links for good. Returns how many were not revoked before. */
export async function revokeWhere(queries: Queries, which: RevokedShares, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable('shares')
    .set(({ eb }) => ({ ended_at: nowMs, updated_at: nowMs, revision: eb('revision', '+', 1) }))
    .where(conditionsOf(which))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
