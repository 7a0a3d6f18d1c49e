import { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import {
  startPasskeySignIn,
  startPasskeySignUp,
  finishPasskeySignIn,
  finishPasskeySignUp,
} from '#contract/credentials-api.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { checkSetUpCode } from './set-up-code.ts';
import { replaceSession } from '#server/features/accounts/sessions/replace-session.ts';
import { nameFrom, rejectClosedSignUp } from './create-account.ts';
import { type SignUpDeps, openAccount } from './sign-up.ts';
import { findUser, newUserId } from '#server/features/accounts/users-store.ts';
import { ceremonyMs } from '#server/features/accounts/credentials/passkey-ceremony.ts';
import { userOfAssertion, passkeyName } from '#server/features/accounts/credentials/passkeys-store.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import { isCredentialValid } from '#server/features/accounts/credentials/usable-credentials.ts';
import {
  type Caller,
  type NewSignIn,
  callerOf,
  issueSession,
} from '#server/features/accounts/sessions/issue-session.ts';
import type { CompleteSignInDeps, SignInDeps } from './sign-in-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

type PasskeySignInDeps = CompleteSignInDeps & SignUpDeps & Pick<SignInDeps, 'cookies' | 'onSessionEnded'>;

const challengeSchema = z.object({ challenge: z.string() });
const signUpSchema = z.object({
  challenge: z.string(),
  userId: z.string(),
  email: z.string(),
  displayName: z.string().optional(),
  locale: z.string().optional(),
  isSetUp: z.boolean().default(false),
});

/**
 * Signs in by a passkey that verified its user. It counts as two factors (possession, and knowledge or
 * biometrics), so no second step follows.
 */
async function signIn(
  deps: PasskeySignInDeps,
  body: ParsedBodyOf<typeof finishPasskeySignIn>,
  caller: Caller & { browser: string | null },
): Promise<NewSignIn> {
  const { database, flows } = deps;
  const { ip } = caller;
  await deps.throttle.consumeProof(ip);
  const flow = await flows.consume(
    database.queries,
    { kind: 'passkey-sign-in', token: body.flow, browser: caller.browser },
    challengeSchema,
  );
  if (!flow) throw new ProblemError('flow-expired');
  const answer = await userOfAssertion(deps, body.credential, {
    challenge: flow.data.challenge,
    requireUserVerification: true,
    userId: null,
    ip,
  });
  const user = answer && (await findUser(database.queries, answer.userId));
  if (!user) return rejectSignIn(deps, { code: 'passkey-invalid', userId: null, ip });
  if (user.disabled_at !== null) return rejectSignIn(deps, { code: 'account-disabled', userId: user.id, ip });
  const started = await database.transaction(async (transaction) => {
    await database.lockUser(transaction, user.id);
    if (
      !(await isCredentialValid(transaction, user.id, { kind: 'passkey', credentialId: body.credential.id }))
    )
      return null;
    await deps.ceiling.clear(transaction, user.email_key);
    return replaceSession(deps, transaction, {
      userId: user.id,
      remember: body.remember,
      caller,
      proof: { method: 'passkey', isSecondFactor: true },
    });
  });
  if (!started) return rejectSignIn(deps, { code: 'passkey-invalid', userId: user.id, ip });
  await deps.throttle.forgetAccount(user.email_key);
  return { ...started, user, passwordHash: null };
}

function signUpRoutes(deps: PasskeySignInDeps): Route[] {
  const { database, cookies, flows, ceremony, clock, throttle } = deps;
  return [
    route(startPasskeySignUp, async ({ body, request, reply, ip }) => {
      await rejectClosedSignUp(deps);
      await throttle.consumeSignUpTry(ip);
      const { setUpCode, ...account } = body;
      const isSetUp = await checkSetUpCode(deps, setUpCode);
      const userId = newUserId(clock.nowMs());
      const options = ceremony.creation({
        userId,
        name: body.email,
        displayName: body.displayName ?? nameFrom(body.email),
        known: [],
      });
      const data: z.input<typeof signUpSchema> = {
        ...account,
        isSetUp,
        challenge: options.challenge,
        userId,
      };
      const { token, expiresAtMs } = await flows.start(database.queries, {
        kind: 'passkey-sign-up',
        browser: cookies.nameFlowBrowser(request, reply),
        lifeMs: ceremonyMs,
        data,
      });
      return { body: { flow: token, options, expiresAt: instantOf(expiresAtMs) } };
    }),
    route(finishPasskeySignUp, async ({ body, request, reply, ip }) => {
      await rejectClosedSignUp(deps);
      const browser = cookies.nameFlowBrowser(request, reply);
      const flow = await flows.consume(
        database.queries,
        { kind: 'passkey-sign-up', token: body.flow, browser },
        signUpSchema,
      );
      if (!flow) throw new ProblemError('flow-expired');
      const { challenge, userId: id, email, displayName, locale, isSetUp } = flow.data;
      await throttle.consumeSignUp({ ip, emailKey: emailKeyOf(email) });
      const passkey = await ceremony.checkAttestation(body.credential, challenge);
      if (!passkey) throw new ProblemError('passkey-refused');
      const account = {
        id,
        email,
        displayName,
        locale,
        isSetUp,
        isEmailProven: false,
        passwordHash: null,
        passkey: { passkey, name: passkeyName(undefined, request.headers['user-agent']) },
      };
      const opened = await openAccount(deps, account, {
        ...callerOf({ request, ip }, cookies),
        nameBrowser: () => browser,
        method: 'passkey',
      });
      return 'next' in opened
        ? { status: 202, body: opened }
        : { status: 201, body: issueSession(deps, opened, reply) };
    }),
  ];
}

/** Routes for signing in by passkey alone, and for creating accounts that have only a passkey. */
export function passkeySignInRoutes(deps: PasskeySignInDeps): Route[] {
  const { database, cookies, flows, ceremony, throttle } = deps;
  return [
    route(startPasskeySignIn, async ({ request, reply, ip }) => {
      await throttle.consumeProof(ip);
      const options = ceremony.request({ known: [], userVerification: 'required' });
      const { token, expiresAtMs } = await flows.start(database.queries, {
        kind: 'passkey-sign-in',
        browser: cookies.nameFlowBrowser(request, reply),
        lifeMs: ceremonyMs,
        data: { challenge: options.challenge },
      });
      return { body: { flow: token, options, expiresAt: instantOf(expiresAtMs) } };
    }),
    route(finishPasskeySignIn, async ({ body, request, reply, ip }) => {
      const caller = { ...callerOf({ request, ip }, cookies), browser: cookies.flowBrowser(request) };
      return { body: issueSession(deps, await signIn(deps, body, caller), reply) };
    }),
    ...signUpRoutes(deps),
  ];
}
