import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '#server/storage/database/database.ts';

const dataSchema = z.object({ hash: z.string() });

/** The value of the `data` column for a hash. */
const passwordData = (hash: string): string => JSON.stringify({ hash });

/** Reads the hash from the `data` column. */
export const hashIn = (data: string): string => dataSchema.parse(JSON.parse(data)).hash;

/** Returns the hash of a user's password, or null if they have none. */
export async function passwordHashOf(queries: Queries, userId: string): Promise<string | null> {
  const row = await queries
    .selectFrom('credentials')
    .select('data')
    .where('user_id', '=', userId)
    .where('kind', '=', 'password')
    .executeTakeFirst();
  return row ? hashIn(row.data) : null;
}

/** Sets or replaces a user's password. */
export async function setPassword(
  queries: Queries,
  given: { userId: string; hash: string },
  nowMs: number,
): Promise<void> {
  const data = passwordData(given.hash);
  const { numUpdatedRows } = await queries
    .updateTable('credentials')
    .set({ data, updated_at: nowMs })
    .where('user_id', '=', given.userId)
    .where('kind', '=', 'password')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await queries
    .insertInto('credentials')
    .values({
      id: randomUUID(),
      user_id: given.userId,
      kind: 'password',
      data,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute();
}

/**
 * Replaces `oldHash` with a new hash of the same password. Returns false and changes nothing if the hash was
 * replaced in the meantime.
 */
export async function replaceHash(
  queries: Queries,
  hashes: { userId: string; oldHash: string; newHash: string },
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('credentials')
    .set({ data: passwordData(hashes.newHash), updated_at: nowMs })
    .where('user_id', '=', hashes.userId)
    .where('kind', '=', 'password')
    .where('data', '=', passwordData(hashes.oldHash))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
