import { limits } from '#contract/limits.ts';
import { displayNameSchema } from '#contract/values.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { requireSetUp } from './set-up-code.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { NewPasskey } from '#server/features/accounts/credentials/passkey-ceremony.ts';
import { insertPasskey } from '#server/features/accounts/credentials/passkeys-store.ts';
import { claimsFirstAccount, hasNoUser, insertUser } from '#server/features/accounts/users-store.ts';
import type { AccountsTransaction } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { SignInDeps, SignUpPolicy } from './sign-in-deps.ts';

type CreateAccountDeps = SignUpPolicy & Pick<SignInDeps, 'database' | 'clock'>;

/** The data of an account to create. */
export interface NewAccount {
  id?: string | undefined;
  email: string;
  /** Whether the sign-up had the set-up code, or needed none. */
  isSetUp: boolean;
  isEmailProven: boolean;
  displayName: string | undefined;
  locale: string | undefined;
  passwordHash: string | null;
  passkey: { passkey: NewPasskey; name: string } | null;
}

/**
 * The default display name: the local part of the email address, or the whole address if that part is not a valid
 * name.
 */
export function nameFrom(email: string): string {
  const local = Array.from(email.split('@')[0] ?? '')
    .slice(0, limits.displayNameLength)
    .join('');
  const parsed = displayNameSchema.safeParse(local);
  return parsed.success ? parsed.data : Array.from(email).slice(0, limits.displayNameLength).join('');
}

/** @throws sign-up-closed (403) if sign-up is closed and an account exists */
export async function rejectClosedSignUp(context: CreateAccountDeps): Promise<void> {
  if (context.signUp === 'closed' && !(await hasNoUser(context.database.queries)))
    throw new ProblemError('sign-up-closed');
}

/**
 * Stores a user with their credentials. The first user of an installation becomes its administrator, even if
 * sign-up is closed. Violates a unique constraint if the address is taken.
 * @throws sign-up-closed (403) or set-up-code-invalid (422)
 */
export async function createAccount(
  context: CreateAccountDeps,
  transaction: AccountsTransaction,
  given: { account: NewAccount; ip: string },
): Promise<UserRow> {
  const { account, ip } = given;
  const nowMs = context.clock.nowMs();
  const isFirst = await claimsFirstAccount(context.database, transaction);
  requireSetUp(context, { isFirst, isSetUp: account.isSetUp });
  if (context.signUp === 'closed' && !isFirst) throw new ProblemError('sign-up-closed');
  const user = await insertUser(
    transaction,
    {
      ...(account.id === undefined ? {} : { id: account.id }),
      displayName: account.displayName ?? nameFrom(account.email),
      email: account.email,
      isEmailProven: account.isEmailProven,
      locale: account.locale ?? null,
      role: isFirst ? 'admin' : 'member',
      passwordHash: account.passwordHash,
    },
    nowMs,
  );
  await context.signUpQuota.grant(transaction, user);
  if (account.passkey) await insertPasskey(transaction, { userId: user.id, ...account.passkey }, nowMs);
  await recordEvent(transaction, context.clock, {
    action: 'account.created',
    actorId: user.id,
    subject: user.id,
    ip,
    detail: { role: user.role },
  });
  return user;
}
