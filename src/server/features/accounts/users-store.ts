import { randomBytes, randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { uuidV7 } from '#base/uuid-v7.ts';
import type { Database, Queries } from '../../storage/database/database.ts';
import type { Schema, UserRow } from '../../storage/database/schema.ts';

/** How e-mails are compared: compatibility forms and case make no difference. */
export const emailKeyOf = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

const passwordDataSchema = z.object({ hash: z.string() });

export interface UserWithPassword { user: UserRow; passwordHash: string }

/** Whether nobody has an account yet. */
export async function hasNoUser(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

/**
 * Whether this transaction makes the first account of the installation. Where only rows are locked, two could each see an empty table:
 * the table is locked then, and looked at again.
 */
export async function claimsFirstAccount(database: Database, transaction: Transaction<Schema>): Promise<boolean> {
  if (!(await hasNoUser(transaction))) return false;
  if (database.dialect === 'sqlite') return true;
  await sql`lock table users in share row exclusive mode`.execute(transaction);
  return hasNoUser(transaction);
}

/** Finds who signs in by an e-mail, with the hash of the password; null where there is no such account or it has none. */
export async function findByEmail(queries: Queries, email: string): Promise<UserWithPassword | null> {
  const row = await queries.selectFrom('users').innerJoin('credentials', 'credentials.user_id', 'users.id')
    .selectAll('users').select('credentials.data')
    .where('users.email_key', '=', emailKeyOf(email)).where('credentials.kind', '=', 'password')
    .executeTakeFirst();
  if (!row) return null;
  const { data, ...user } = row;
  return { user, passwordHash: passwordDataSchema.parse(JSON.parse(data)).hash };
}

/** One user by id. */
async function findUser(queries: Queries, userId: string): Promise<UserRow | null> {
  return (await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()) ?? null;
}

export type NewUser = Pick<UserRow, 'display_name' | 'locale' | 'role'> & { email: string; passwordHash: string };

/** Stores a person with a password. A taken e-mail is a broken unique constraint. */
export async function insertUser(queries: Queries, given: NewUser, nowMs: number): Promise<UserRow> {
  const { passwordHash, ...rest } = given;
  const row: UserRow = { ...rest, id: uuidV7(nowMs, randomBytes(16)), email_key: emailKeyOf(given.email), created_at: nowMs, disabled_at: null };
  await queries.insertInto('users').values(row).execute();
  await queries.insertInto('credentials').values({
    id: randomUUID(), user_id: row.id, kind: 'password', data: JSON.stringify({ hash: passwordHash }), created_at: nowMs, updated_at: nowMs,
  }).execute();
  return row;
}

/** Puts a newer hash of the same password in the place of `oldHash`; nothing happens when the password was changed meanwhile. */
export async function replaceHash(queries: Queries, hashes: { userId: string; oldHash: string; newHash: string }, nowMs: number): Promise<void> {
  await queries.updateTable('credentials').set({ data: JSON.stringify({ hash: hashes.newHash }), updated_at: nowMs })
    .where('user_id', '=', hashes.userId).where('kind', '=', 'password').where('data', '=', JSON.stringify({ hash: hashes.oldHash }))
    .execute();
}

/** Changes what a person may change of themself; answers with the person as they are then, null when there is none. */
export async function updateUser(queries: Queries, userId: string, change: Partial<Pick<UserRow, 'display_name' | 'locale'>>): Promise<UserRow | null> {
  if (Object.keys(change).length === 0) return findUser(queries, userId);
  return (await queries.updateTable('users').set(change).where('id', '=', userId).returningAll().executeTakeFirst()) ?? null;
}
