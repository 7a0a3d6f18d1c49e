import { z } from 'zod';
import { minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { SecondFactorWanted } from '#contract/accounts-api.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { listPasskeys } from '#server/features/accounts/credentials/passkeys-store.ts';
import { replaceSession } from '#server/features/accounts/sessions/replace-session.ts';
import { countRecoveryCodes, hasTotp } from '#server/features/accounts/credentials/totp-store.ts';
import {
  type ProvenBy,
  hasStrongerProof,
  isCredentialValid,
} from '#server/features/accounts/credentials/usable-credentials.ts';
import type { Caller, NewSignIn } from '#server/features/accounts/sessions/issue-session.ts';
import type { AccountsTransaction } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CompleteSignInDeps } from './sign-in-deps.ts';

const secondFactorMs = 10 * minute;
const secondFactorTries = 5;

/** The data of a sign-in that waits for its second factor. */
export const secondFactorDataSchema = z.object({
  userId: z.string(),
  method: z.string(),
  remember: z.boolean(),
  challenge: z.string().nullable(),
});

/** A user whose first factor was verified. */
export interface FirstFactor {
  user: UserRow;
  /** `password`, or the id of a provider. */
  method: string;
  remember: boolean;
  caller: Caller;
  /** Sets the flow cookie (`cookies.nameFlowBrowser`) if a second step follows. */
  nameBrowser: () => string;
  provenBy: Exclude<ProvenBy, { kind: 'passkey' }>;
}

async function requestSecondFactor(
  deps: CompleteSignInDeps,
  transaction: AccountsTransaction,
  { user, method, remember, nameBrowser }: FirstFactor,
): Promise<SecondFactorWanted> {
  const passkeys = await listPasskeys(transaction, user.id);
  const passkey =
    passkeys.length === 0 ? null : deps.ceremony.request({ known: passkeys, userVerification: 'preferred' });
  const { token, expiresAtMs } = await deps.flows.start(transaction, {
    kind: 'second-factor',
    browser: nameBrowser(),
    userId: user.id,
    lifeMs: secondFactorMs,
    tries: secondFactorTries,
    data: { userId: user.id, method, remember, challenge: passkey?.challenge ?? null } satisfies z.input<
      typeof secondFactorDataSchema
    >,
  });
  const recoveryCodes = await countRecoveryCodes(transaction, user.id);
  return {
    next: 'mfa',
    flow: token,
    methods: [
      'totp',
      ...(passkey ? ['passkey' as const] : []),
      ...(recoveryCodes > 0 ? ['recovery-code' as const] : []),
    ],
    passkey,
    expiresAt: instantOf(expiresAtMs),
  };
}

async function start(
  deps: CompleteSignInDeps,
  transaction: AccountsTransaction,
  first: FirstFactor,
): Promise<NewSignIn> {
  const { user, remember, caller, method, provenBy } = first;
  // Any completed sign-in clears the password failures.
  await deps.ceiling.clear(transaction, user.email_key);
  // A sign-in does not require the provider to authenticate the user again, so it is a weak proof. If the user has
  // nothing stronger, it has to be sufficient.
  const isWeak = provenBy.kind === 'identity' && (await hasStrongerProof(transaction, user.id));
  const started = await replaceSession(deps, transaction, {
    userId: user.id,
    remember,
    caller,
    proof: { method, isSecondFactor: false, isWeak },
  });
  // The device becomes known to the account through the password that was entered on it.
  return { ...started, user, passwordHash: provenBy.kind === 'password' ? provenBy.hash : null };
}

/**
 * Signs in a user whose first factor was verified, or requests the second factor if two-step sign-in is on,
 * whichever the first factor was (ASVS 6.3.4). Pass a result with a token to `issueSession`. Returns null if the
 * first factor is no longer valid.
 */
export async function completeSignIn(
  deps: CompleteSignInDeps,
  first: FirstFactor,
): Promise<NewSignIn | SecondFactorWanted | null> {
  const {
    user: { id: userId, email_key: emailKey },
    provenBy,
  } = first;
  const completed = await deps.database.transaction(async (transaction) => {
    await deps.database.lockUser(transaction, userId);
    if (!(await isCredentialValid(transaction, userId, provenBy))) return null;
    return (await hasTotp(transaction, userId))
      ? requestSecondFactor(deps, transaction, first)
      : start(deps, transaction, first);
  });
  if (completed && 'token' in completed) await deps.throttle.forgetAccount(emailKey);
  return completed;
}
