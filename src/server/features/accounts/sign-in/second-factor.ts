import type { logInMfa } from '#contract/accounts-api.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { FlowRef } from '#server/features/accounts/challenges/auth-flows.ts';
import { userOfAssertion } from '#server/features/accounts/credentials/passkeys-store.ts';
import { passwordHashOf } from '#server/features/accounts/password-store.ts';
import { replaceSession } from '#server/features/accounts/sessions/replace-session.ts';
import { consumeRecoveryCode, consumeTotpCode } from '#server/features/accounts/credentials/totp-store.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { secondFactorDataSchema } from './complete-sign-in.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import type { Caller, NewSignIn } from '#server/features/accounts/sessions/issue-session.ts';
import type { CompleteSignInDeps, SignInDeps } from './sign-in-deps.ts';

type SecondFactorDeps = CompleteSignInDeps & Pick<SignInDeps, 'secrets'>;

type Given = ParsedBodyOf<typeof logInMfa>;

/** Verifies a second factor and consumes a valid code. */
async function isRight(
  deps: SecondFactorDeps,
  given: Given,
  expected: { userId: string; challenge: string | null; ip: string },
): Promise<boolean> {
  const { userId, challenge, ip } = expected;
  const { queries }: { queries: Queries } = deps.database;
  switch (given.method) {
    case 'totp':
      return consumeTotpCode(queries, { userId, code: given.code }, deps);
    case 'recovery-code':
      return consumeRecoveryCode(queries, { userId, code: given.code });
    case 'passkey':
      return (
        challenge !== null &&
        (await userOfAssertion(deps, given.credential, {
          challenge,
          requireUserVerification: false,
          userId,
          ip,
        })) !== null
      );
  }
}

/**
 * Completes a sign-in by its second factor. Allows five tries per sign-in and ten an hour per account.
 * @throws flow-expired (410), mfa-invalid or passkey-invalid (401), account-disabled (403) or rate-limited (429)
 */
export async function giveSecondFactor(
  deps: SecondFactorDeps,
  given: Given,
  caller: Caller & { browser: string | null },
): Promise<NewSignIn> {
  const { database, flows, throttle } = deps;
  const ref: FlowRef = { kind: 'second-factor', token: given.flow, browser: caller.browser };
  const flow = await flows.attempt(database.queries, ref, secondFactorDataSchema);
  if (!flow) throw new ProblemError('flow-expired');
  const { userId, method, remember, challenge } = flow.data;
  await throttle.consumeSecondFactor(userId);
  if (!(await isRight(deps, given, { userId, challenge, ip: caller.ip }))) {
    return rejectSignIn(deps, {
      code: given.method === 'passkey' ? 'passkey-invalid' : 'mfa-invalid',
      userId,
      ip: caller.ip,
    });
  }
  await throttle.secondFactorSucceeded(userId);
  const user = await findUser(database.queries, userId);
  if (!user || user.disabled_at !== null)
    return rejectSignIn(deps, { code: 'account-disabled', userId, ip: caller.ip });
  const signIn = await database.transaction(async (transaction) => {
    // Every change that invalidates the first factor deletes the flow while holding this lock.
    await database.lockUser(transaction, userId);
    if (!(await flows.consume(transaction, ref, secondFactorDataSchema)))
      throw new ProblemError('flow-expired');
    await deps.ceiling.clear(transaction, user.email_key);
    return replaceSession(deps, transaction, {
      userId,
      remember,
      caller,
      proof: { method: `${method}+${given.method}`, isSecondFactor: true },
    });
  });
  await throttle.forgetAccount(user.email_key);
  const passwordHash = method === 'password' ? await passwordHashOf(database.queries, userId) : null;
  return { ...signIn, user, passwordHash };
}
