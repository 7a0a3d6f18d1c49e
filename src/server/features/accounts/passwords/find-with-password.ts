import type { Queries } from '#server/storage/database/database.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { emailKeyOf } from '#server/features/accounts/users-store.ts';
import { hashIn } from './password-store.ts';

export interface UserWithPassword {
  user: UserRow;
  passwordHash: string;
}

const usersWithPassword = (queries: Queries) =>
  queries
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.user_id', 'users.id')
    .selectAll('users')
    .select('credentials.data')
    .where('credentials.kind', '=', 'password');

function withHash(row: (UserRow & { data: string }) | undefined): UserWithPassword | null {
  if (!row) return null;
  const { data, ...user } = row;
  return { user, passwordHash: hashIn(data) };
}

/**
 * Finds who signs in by an e-mail, with the hash of the password; null where there is no such account or it
 * has none.
 */
export async function findByEmail(queries: Queries, email: string): Promise<UserWithPassword | null> {
  return withHash(
    await usersWithPassword(queries).where('users.email_key', '=', emailKeyOf(email)).executeTakeFirst(),
  );
}

/** A person with the hash of their password; null where they have none. */
export async function findWithPassword(queries: Queries, userId: string): Promise<UserWithPassword | null> {
  return withHash(await usersWithPassword(queries).where('users.id', '=', userId).executeTakeFirst());
}
