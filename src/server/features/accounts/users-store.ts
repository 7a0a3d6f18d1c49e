import { randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { uuidV7 } from '#base/uuid-v7.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema, UserRow } from '#server/storage/database/schema.ts';
import { setPassword } from './credentials/password-store.ts';

/** How e-mails are compared: compatibility forms and case make no difference. */
export const emailKeyOf = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/** A new user id, for an account that is not stored yet. */
export const newUserId = (nowMs: number): string => uuidV7(nowMs, randomBytes(16));

/** Whether this server has no account yet. */
export async function hasNoUser(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

/**
 * Whether this transaction makes the first account of the installation. Where only rows are locked, two could
 * each see an empty table: the table is locked then, and looked at again.
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

/** Whether an account has this e-mail. */
export async function isEmailTaken(queries: Queries, email: string): Promise<boolean> {
  return (
    (await queries
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', emailKeyOf(email))
      .executeTakeFirst()) !== undefined
  );
}

/** The error for an address that has an account. */
export const emailTakenError = (cause?: unknown): ProblemError =>
  new ProblemError('email-taken', { errors: [{ pointer: '/email', code: 'email-taken' }], cause });

/** One user by id. */
export async function findUser(queries: Queries, userId: string): Promise<UserRow | null> {
  return (await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()) ?? null;
}

export interface NewUser {
  /** Made beforehand where a passkey had to know it. */
  id?: string;
  displayName: string;
  email: string | null;
  isEmailProven: boolean;
  locale: string | null;
  role: UserRow['role'];
  passwordHash: string | null;
}

/** Stores a user, with a password where they have one. A taken e-mail is a broken unique constraint. */
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

/** Changes what users may change of their own account. Returns the changed user; null when there is none. */
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
