import { ProblemError } from '#server/http/problem.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import type { AccountsContext } from '#server/features/accounts/accounts-context.ts';
import { requireSetUp } from '#server/features/accounts/sign-in/set-up-code.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { AccountsTransaction } from '#server/features/accounts/present.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';
import { claimsFirstAccount, updateUser } from '#server/features/accounts/users-store.ts';
import {
  findIdentity,
  insertIdentity,
  touchIdentity,
} from '#server/features/accounts/credentials/identities-store.ts';
import { insertNewUser } from './new-user.ts';
import { isStandIn, nameOfProfile, standInName } from './profile-name.ts';
import { retriedOnceTaken } from './retried-once-taken.ts';

/**
 * By what somebody came, and for a new account the language of the page and whether it may be the first one.
 */
export interface ProviderSignIn {
  provider: string;
  providerName: string;
  locale: string | null;
  ip: string;
  isSetUp: boolean;
}

async function newUser(
  context: AccountsContext,
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

/** A name that was only made up here gives way to the one that the provider has by now. */
async function renamed(
  transaction: AccountsTransaction,
  user: UserRow,
  { profile, providerName }: { profile: ProviderProfile; providerName: string },
): Promise<UserRow> {
  if (!isStandIn(user.display_name, providerName, user.locale)) return user;
  const displayName = nameOfProfile(profile) ?? standInName(providerName, user.locale);
  return displayName === user.display_name
    ? user
    : ((await updateUser(transaction, user.id, { display_name: displayName })) ?? user);
}

/** The person of an identity, whoever that is: issuer and subject decide, an address never does. */
async function knownUser(
  context: AccountsContext,
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

/**
 * Finds who a provider says came, or makes an account for whom this server does not know.
 * Throws account-exists (409), account-disabled or sign-up-closed (403), set-up-code-invalid (422).
 */
export function findOrCreateUser(
  context: AccountsContext,
  profile: ProviderProfile,
  arrival: ProviderSignIn,
): Promise<{ user: UserRow; created: boolean }> {
  return retriedOnceTaken(context.database, () =>
    context.database.transaction(async (transaction) => {
      const known = await knownUser(context, transaction, { ...arrival, profile });
      return {
        user: known ?? (await newUser(context, transaction, { ...arrival, profile })),
        created: known === null,
      };
    }),
  );
}
