import { randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { uuidV7 } from '#base/uuid-v7.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema, UserRow } from '#server/storage/database/schema.ts';
import { setPassword } from './password-store.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

/** A new user id, for an account that has not been stored yet. */
export const newUserId = (nowMs: number): string => uuidV7(nowMs, randomBytes(16));

/** Whether this server has no account yet. */
export async function hasNoUser(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

/**
 * Whether this transaction creates the first account of the installation. PostgreSQL only locks rows, so two
 * transactions could each see an empty table. Lock the table there and check again.
 */
export async function claimsFirstAccount(
  database: Database,
  transaction: Transaction<Schema>,
): Promise<boolean> {
  if (!(await hasNoUser(transaction))) return false;
  if (database.dialect === 'sqlite') return true;
  await sql`lock table users in share row exclusive mode`.execute(transaction);
  return hasNoUser(transaction);
}

/** Whether an account has this email address. */
export async function isEmailTaken(queries: Queries, email: string): Promise<boolean> {
  return (
    (await queries
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', emailKeyOf(email))
      .executeTakeFirst()) !== undefined
  );
}

/** The error for an address that already has an account. */
export const emailTakenError = (cause?: unknown): ProblemError =>
  new ProblemError('email-taken', { errors: [{ pointer: '/email', code: 'email-taken' }], cause });

export async function findUser(queries: Queries, userId: string): Promise<UserRow | null> {
  return (await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()) ?? null;
}

export interface NewUser {
  /** Set in advance if a passkey was created for this id. */
  id?: string;
  displayName: string;
  email: string | null;
  isEmailProven: boolean;
  locale: string | null;
  role: UserRow['role'];
  passwordHash: string | null;
}

/** Stores a user, with their password if given. Violates a unique constraint if the address is taken. */
export async function insertUser(queries: Queries, given: NewUser, nowMs: number): Promise<UserRow> {
  const row: UserRow = {
    id: given.id ?? newUserId(nowMs),
    display_name: given.displayName,
    email: given.email,
    email_key: given.email === null ? null : emailKeyOf(given.email),
    email_verified_at: given.isEmailProven ? nowMs : null,
    locale: given.locale,
    role: given.role,
    created_at: nowMs,
    disabled_at: null,
    notices_seen_at: null,
  };
  await queries.insertInto('users').values(row).execute();
  if (given.passwordHash !== null)
    await setPassword(queries, { userId: row.id, hash: given.passwordHash }, nowMs);
  return row;
}

/** Updates a user's own profile. Returns the updated user, or null if the user does not exist. */
export async function updateUser(
  queries: Queries,
  userId: string,
  change: Partial<Pick<UserRow, 'display_name' | 'locale'>>,
): Promise<UserRow | null> {
  if (Object.keys(change).length === 0) return findUser(queries, userId);
  return (
    (await queries
      .updateTable('users')
      .set(change)
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirst()) ?? null
  );
}
