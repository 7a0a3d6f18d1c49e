import { instantOf } from '#base/instant.ts';
import type { SignedIn, User } from '#contract/accounts-api.ts';
import { knownLanguage, knownRole } from '#server/storage/rows/known-values.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';

export const presentUser = (row: UserRow): User => ({
  id: row.id,
  displayName: row.display_name,
  email: row.email,
  locale: knownLanguage(row.locale),
  role: knownRole(row.role),
  createdAt: instantOf(row.created_at),
});

export const presentSession = (row: SessionRow): SignedIn['session'] => ({
  id: row.id,
  createdAt: instantOf(row.created_at),
  authTime: instantOf(row.auth_time),
  idleExpiresAt: instantOf(row.idle_expires_at),
  absoluteExpiresAt: instantOf(row.absolute_expires_at),
});
