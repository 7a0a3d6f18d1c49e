import { z } from 'zod';
import { minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type {
  CodeSent,
  resendSignUpCode,
  signUp as signUpEndpoint,
  verifySignUp as verifySignUpEndpoint,
} from '#contract/accounts-api.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { checkSetUpCode } from './set-up-code.ts';
import { newCode, type FlowRef } from '#server/features/accounts/challenges/auth-flows.ts';
import { checkNewPassword } from '#server/features/accounts/credentials/password-rules.ts';
import { replaceSession } from '#server/features/accounts/sessions/replace-session.ts';
import { emailTakenError, isEmailTaken } from '#server/features/accounts/users-store.ts';
import { type NewAccount, createAccount, rejectClosedSignUp } from './create-account.ts';
import type { Caller, NewSignIn } from '#server/features/accounts/sessions/issue-session.ts';
import type { SignInDeps, SignUpPolicy } from './sign-in-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

export type SignUpDeps = SignUpPolicy &
  Pick<
    SignInDeps,
    'database' | 'clock' | 'takes' | 'queue' | 'mail' | 'hasMail' | 'flows' | 'throttle' | 'passwords'
  >;

const codeMs = 10 * minute;
const codeTries = 5;

/** A sign-up whose address has not been verified yet. */
const accountSchema = z.object({
  id: z.string().optional(),
  email: z.string(),
  isSetUp: z.boolean().default(false),
  displayName: z.string().optional(),
  locale: z.string().optional(),
  passwordHash: z.string().nullable(),
  passkey: z
    .object({
      name: z.string(),
      passkey: z.object({
        credential_id: z.string(),
        public_key: z.string(),
        counter: z.int(),
        transports: z.string(),
        aaguid: z.string(),
        backed_up: z.int(),
      }),
    })
    .nullable(),
});
type WaitingAccount = z.output<typeof accountSchema>;

/**
 * Emails a code to the address, or a notice if the address already has an account. Response and timing are the
 * same in both cases, so a caller can't find out which addresses have accounts.
 */
async function sendCode(
  deps: SignUpDeps,
  queries: Queries,
  waiting: { account: WaitingAccount; browser: string },
): Promise<CodeSent> {
  const { account, browser } = waiting;
  const isTaken = await isEmailTaken(queries, account.email);
  const code = newCode();
  const { token, expiresAtMs } = await deps.flows.start(queries, {
    kind: 'sign-up',
    browser,
    emailKey: emailKeyOf(account.email),
    data: account,
    lifeMs: codeMs,
    tries: codeTries,
    code: isTaken ? null : code,
  });
  await deps.mail.post(queries, {
    to: account.email,
    locale: account.locale ?? null,
    letter: isTaken ? { kind: 'sign-up-taken' } : { kind: 'sign-up-code', code },
  });
  return { next: 'verify-email', flow: token, expiresAt: instantOf(expiresAtMs) };
}

/**
 * Creates the account immediately or, if this server sends mail, emails a code that must be entered first.
 * @throws email-taken (409) if this server sends no mail
 */
export async function openAccount(
  deps: SignUpDeps,
  account: NewAccount,
  caller: Caller & { nameBrowser: () => string; method: string },
): Promise<NewSignIn | CodeSent> {
  const { database } = deps;
  if (deps.hasMail) {
    const sent = await database.transaction((transaction) =>
      sendCode(deps, transaction, { account, browser: caller.nameBrowser() }),
    );
    deps.queue.wake();
    return sent;
  }
  try {
    return await database.transaction(async (transaction) => {
      const user = await createAccount(deps, transaction, { account, ip: caller.ip });
      const proof = { method: caller.method, isSecondFactor: caller.method === 'passkey' };
      return {
        ...(await replaceSession(deps, transaction, { userId: user.id, remember: true, caller, proof })),
        user,
        passwordHash: account.passwordHash,
      };
    });
  } catch (error) {
    if (database.constraintOf(error) === 'unique') throw emailTakenError(error);
    throw error;
  }
}

/**
 * Creates an account with a password and signs it in, or emails the code that verifies its address.
 * @throws sign-up-closed (403), set-up-code-invalid (422), password-… (422), email-taken (409, only if this server
 * sends no mail) or rate-limited (429)
 */
export async function signUp(
  deps: SignUpDeps,
  body: ParsedBodyOf<typeof signUpEndpoint>,
  caller: Caller & { nameBrowser: () => string },
): Promise<NewSignIn | CodeSent> {
  await rejectClosedSignUp(deps);
  await deps.throttle.consumeSignUpTry(caller.ip);
  const isSetUp = await checkSetUpCode(deps, body.setUpCode);
  await checkNewPassword(body.password, body);
  await deps.throttle.consumeSignUp({ ip: caller.ip, emailKey: emailKeyOf(body.email) });
  const passwordHash = await deps.passwords.hash(body.password, { purpose: 'sign-in', client: caller.ip });
  const { email, displayName, locale } = body;
  return openAccount(
    deps,
    { email, displayName, locale, passwordHash, passkey: null, isEmailProven: false, isSetUp },
    { ...caller, method: 'password' },
  );
}

/**
 * Completes a sign-up by its code. The first user to verify an address gets it.
 * @throws code-invalid (422), code-expired (410) or sign-up-closed (403)
 */
export async function verifySignUp(
  deps: SignUpDeps,
  body: ParsedBodyOf<typeof verifySignUpEndpoint>,
  caller: Caller & { browser: string | null },
): Promise<NewSignIn> {
  const { database, flows } = deps;
  await deps.throttle.consumeProof(caller.ip);
  const ref: FlowRef = { kind: 'sign-up', token: body.flow, browser: caller.browser };
  const flow = await flows.attempt(database.queries, ref, accountSchema);
  if (!flow) throw new ProblemError('code-expired');
  if (!flow.isCodeRight(body.code))
    throw new ProblemError('code-invalid', { errors: [{ pointer: '/code', code: 'code-invalid' }] });
  const account = {
    ...flow.data,
    displayName: flow.data.displayName,
    locale: flow.data.locale,
    isEmailProven: true,
  };
  try {
    return await database.transaction(async (transaction) => {
      if (!(await flows.consumeSignUp(transaction, ref, emailKeyOf(account.email))))
        throw new ProblemError('code-expired');
      const user = await createAccount(deps, transaction, { account, ip: caller.ip });
      const proof = account.passkey
        ? { method: 'passkey', isSecondFactor: true }
        : { method: 'password', isSecondFactor: false };
      return {
        ...(await replaceSession(deps, transaction, { userId: user.id, remember: true, caller, proof })),
        user,
        passwordHash: account.passwordHash,
      };
    });
  } catch (error) {
    if (database.constraintOf(error) === 'unique') throw new ProblemError('code-expired', { cause: error });
    throw error;
  }
}

/**
 * Sends a new code for a sign-up and invalidates the previous flow.
 * @throws code-expired (410) or rate-limited (429)
 */
export async function resendCode(
  deps: SignUpDeps,
  body: ParsedBodyOf<typeof resendSignUpCode>,
  caller: { ip: string; browser: string | null },
): Promise<CodeSent> {
  const { browser } = caller;
  await deps.throttle.consumeProof(caller.ip);
  const ref: FlowRef = { kind: 'sign-up', token: body.flow, browser };
  const flow = await deps.flows.attempt(deps.database.queries, ref, accountSchema);
  if (!flow || browser === null) throw new ProblemError('code-expired');
  await deps.throttle.consumeMail({ ip: caller.ip, emailKey: emailKeyOf(flow.data.email) });
  const sent = await deps.database.transaction(async (transaction) => {
    if (!(await deps.flows.consume(transaction, ref, accountSchema))) throw new ProblemError('code-expired');
    return sendCode(deps, transaction, { account: flow.data, browser });
  });
  deps.queue.wake();
  return sent;
}
