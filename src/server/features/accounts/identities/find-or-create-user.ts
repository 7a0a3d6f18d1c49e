import { ProblemError } from '#server/http/problem.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import {
  findIdentity,
  insertIdentity,
  touchIdentity,
} from '#server/features/accounts/credentials/identities-store.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';
import { hasTotp } from '#server/features/accounts/credentials/totp-store.ts';
import { requireSetUp } from '#server/features/accounts/sign-in/set-up-code.ts';
import { claimsFirstAccount, insertUser, updateUser } from '#server/features/accounts/users-store.ts';
import { retryOnConflict } from '#server/storage/database/retry-on-conflict.ts';
import { isPlaceholderName, nameOfProfile, placeholderName } from './profile-name.ts';
import type { AccountsTransaction } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { IdentitiesDeps } from './identities-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

/** Returns the ways in which the owner of an existing account can sign in. */
async function signInMethodNames(queries: Queries, userId: string): Promise<string[]> {
  const passwords = await queries
    .selectFrom('credentials')
    .select('kind')
    .where('user_id', '=', userId)
    .where('kind', '=', 'password')
    .execute();
  const identities = await queries
    .selectFrom('identities')
    .select('provider')
    .where('user_id', '=', userId)
    .execute();
  const passkeys = await queries
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .execute();
  return [
    ...new Set([
      ...passwords.map(({ kind }) => kind),
      ...passkeys.map(() => 'passkey'),
      ...identities.map(({ provider }) => provider),
    ]),
  ];
}

/**
 * Returns the address to store in a new account. An address that an existing account only uses as a sign-in name
 * proves nothing and matches nothing, so the new account then has no address.
 * @throws account-exists (409) if an existing account has verified the address: its owner must sign in and link
 * the provider, because an account must never be taken over
 */
async function freeEmail(queries: Queries, email: string | null): Promise<string | null> {
  if (email === null) return null;
  const holder = await queries
    .selectFrom('users')
    .select(['id', 'email_verified_at'])
    .where('email_key', '=', emailKeyOf(email))
    .executeTakeFirst();
  if (!holder) return email;
  if (holder.email_verified_at === null) return null;
  throw new ProblemError('account-exists', { methods: await signInMethodNames(queries, holder.id) });
}

/**
 * Creates an account for an identity that no user has.
 * @throws account-exists (409)
 */
async function insertNewUser(
  queries: Queries,
  profile: ProviderProfile,
  given: { role: UserRow['role']; locale: string | null; providerName: string; nowMs: number },
): Promise<UserRow> {
  const { role, locale, providerName, nowMs } = given;
  const email = await freeEmail(queries, profile.provenEmail);
  return insertUser(
    queries,
    {
      displayName: nameOfProfile(profile) ?? placeholderName(providerName, locale),
      email,
      isEmailProven: email !== null,
      locale,
      role,
      passwordHash: null,
    },
    nowMs,
  );
}

/**
 * How a user signed in with a provider. For a new account also the page's language, and whether a valid set-up
 * code allows the account to be the first one.
 */
export interface ProviderSignIn {
  provider: string;
  providerName: string;
  locale: string | null;
  ip: string;
  isSetUp: boolean;
}

/** Where only rows are locked, the same user in another window can insert the address first. */
const isAddressTaken = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'account-exists';

async function newUser(
  context: IdentitiesDeps,
  transaction: AccountsTransaction,
  given: ProviderSignIn & { profile: ProviderProfile },
): Promise<UserRow> {
  const { profile, provider, providerName, locale, ip, isSetUp } = given;
  const { database, clock } = context;
  const isFirst = await claimsFirstAccount(database, transaction);
  requireSetUp(context, { isFirst, isSetUp });
  if (context.signUp === 'closed' && !isFirst) throw new ProblemError('sign-up-closed');
  const nowMs = clock.nowMs();
  const user = await insertNewUser(transaction, profile, {
    role: isFirst ? 'admin' : 'member',
    locale,
    providerName,
    nowMs,
  });
  await context.signUpQuota.grant(transaction, user);
  await insertIdentity(transaction, profile, { userId: user.id, provider, nowMs });
  await recordEvent(transaction, clock, {
    action: 'account.created',
    actorId: user.id,
    subject: user.id,
    ip,
    detail: { role: user.role, provider },
  });
  return user;
}

/** Replaces a placeholder name with the name that the provider reports now. */
async function renamed(
  transaction: AccountsTransaction,
  user: UserRow,
  { profile, providerName }: { profile: ProviderProfile; providerName: string },
): Promise<UserRow> {
  if (!isPlaceholderName(user.display_name, providerName, user.locale)) return user;
  const displayName = nameOfProfile(profile) ?? placeholderName(providerName, user.locale);
  return displayName === user.display_name
    ? user
    : ((await updateUser(transaction, user.id, { display_name: displayName })) ?? user);
}

/** Finds the user of an identity by issuer and subject, never by email address. */
async function knownUser(
  context: IdentitiesDeps,
  transaction: AccountsTransaction,
  { profile, providerName }: ProviderSignIn & { profile: ProviderProfile },
): Promise<UserRow | null> {
  const identity = await findIdentity(transaction, profile);
  if (!identity) return null;
  const user = await transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', identity.user_id)
    .executeTakeFirstOrThrow();
  if (user.disabled_at !== null) throw new ProblemError('account-disabled');
  await touchIdentity(transaction, identity.id, { profile, nowMs: context.clock.nowMs() });
  return renamed(transaction, user, { profile, providerName });
}

interface Found {
  user: UserRow;
  created: boolean;
}

async function findOrCreateIn(
  context: IdentitiesDeps,
  transaction: AccountsTransaction,
  arrival: ProviderSignIn & { profile: ProviderProfile },
): Promise<Found> {
  const known = await knownUser(context, transaction, arrival);
  return { user: known ?? (await newUser(context, transaction, arrival)), created: known === null };
}

/**
 * Finds the user of a provider profile, or creates an account.
 * @throws account-exists (409), account-disabled or sign-up-closed (403), set-up-code-invalid (422)
 */
export function findOrCreateUser(
  context: IdentitiesDeps,
  profile: ProviderProfile,
  arrival: ProviderSignIn,
): Promise<Found> {
  const work = () =>
    context.database.transaction((transaction) =>
      findOrCreateIn(context, transaction, { ...arrival, profile }),
    );
  return retryOnConflict(context.database, work, isAddressTaken);
}

/** Thrown to roll a transaction back, with what it found. */
class Rehearsed extends Error {
  readonly found: Found & { needsSecondFactor: boolean };

  constructor(found: Rehearsed['found']) {
    super('a rehearsed sign-in is rolled back');
    this.found = found;
  }
}

/**
 * Does what `findOrCreateUser` does and rolls it back. Returns the user whom a sign-in would find or create.
 * @throws the problems of `findOrCreateUser`
 */
export async function rehearseSignIn(
  context: IdentitiesDeps,
  profile: ProviderProfile,
  arrival: ProviderSignIn,
): Promise<Rehearsed['found']> {
  const work = (): Promise<never> =>
    context.database.transaction(async (transaction) => {
      const found = await findOrCreateIn(context, transaction, { ...arrival, profile });
      throw new Rehearsed({ ...found, needsSecondFactor: await hasTotp(transaction, found.user.id) });
    });
  try {
    return await retryOnConflict(context.database, work, isAddressTaken);
  } catch (error) {
    if (error instanceof Rehearsed) return error.found;
    throw error;
  }
}
