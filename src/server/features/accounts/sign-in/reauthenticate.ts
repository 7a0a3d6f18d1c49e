import { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import { startPasskeyReauthentication, reauthenticate } from '#contract/credentials-api.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { ceremonyMs } from '#server/features/accounts/credentials/passkey-ceremony.ts';
import { userOfAssertion, listPasskeys } from '#server/features/accounts/credentials/passkeys-store.ts';
import { hasTotp, consumeTotpCode } from '#server/features/accounts/credentials/totp-store.ts';
import { changeAccount, type Actor } from '#server/features/accounts/sessions/change-account.ts';
import type { SessionProof } from '#server/features/accounts/sessions/sessions-store.ts';
import {
  type CheckPasswordDeps,
  type KnownDevice,
  checkPassword,
  findWithPassword,
} from '#server/features/accounts/credentials/check-password.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import { issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { CompleteSignInDeps, SignInDeps } from './sign-in-deps.ts';

type ReauthenticateDeps = CompleteSignInDeps &
  CheckPasswordDeps &
  Pick<SignInDeps, 'cookies' | 'takes' | 'secrets' | 'onSessionEnded'>;

type Given = ParsedBodyOf<typeof reauthenticate>;
const challengeSchema = z.object({ challenge: z.string() });

async function byPassword(
  deps: ReauthenticateDeps,
  password: string,
  actor: Actor & { knownDevice: KnownDevice },
): Promise<SessionProof> {
  const { queries } = deps.database;
  const { userId } = actor.principal;
  if (await hasTotp(queries, userId)) throw new ProblemError('second-factor-required');
  const found = await findWithPassword(queries, userId);
  const emailKey = found?.user.email_key ?? userId;
  await checkPassword(deps, found, { password, emailKey, ip: actor.ip, knownDevice: actor.knownDevice });
  return { method: 'password', isSecondFactor: false };
}

async function byTotp(
  deps: ReauthenticateDeps,
  code: string,
  { principal: { userId }, ip }: Actor,
): Promise<SessionProof> {
  await deps.throttle.consumeSecondFactor(userId);
  if (!(await consumeTotpCode(deps.database.queries, { userId, code }, deps)))
    return rejectSignIn(deps, { code: 'mfa-invalid', userId, ip });
  await deps.throttle.secondFactorSucceeded(userId);
  return { method: 'totp', isSecondFactor: true };
}

async function byPasskey(
  deps: ReauthenticateDeps,
  given: Extract<Given, { method: 'passkey' }>,
  actor: Actor & { browser: string | null },
): Promise<SessionProof> {
  const {
    principal: { userId },
    ip,
    browser,
  } = actor;
  const flow = await deps.flows.consume(
    deps.database.queries,
    { kind: 'passkey-reauthenticate', token: given.flow, browser },
    challengeSchema,
  );
  if (!flow || flow.userId !== userId) throw new ProblemError('flow-expired');
  const answer = await userOfAssertion(deps, given.credential, {
    challenge: flow.data.challenge,
    requireUserVerification: true,
    userId,
    ip,
  });
  if (!answer) return rejectSignIn(deps, { code: 'passkey-invalid', userId, ip });
  return { method: 'passkey', isSecondFactor: true };
}

function proofOf(
  deps: ReauthenticateDeps,
  given: Given,
  actor: Actor & { browser: string | null; knownDevice: KnownDevice },
): Promise<SessionProof> {
  switch (given.method) {
    case 'password':
      return byPassword(deps, given.password, actor);
    case 'totp':
      return byTotp(deps, given.code, actor);
    case 'passkey':
      return byPasskey(deps, given, actor);
  }
}

/** Routes for proving again who the signed-in user is. */
export function reauthenticateRoutes(deps: ReauthenticateDeps): Route[] {
  const { cookies, database, flows, ceremony, throttle } = deps;
  return [
    route(reauthenticate, async (context) => {
      const { request, reply, ip, body } = context;
      const principal = sessionOf(context);
      const proof = await proofOf(deps, body, {
        principal,
        ip,
        browser: cookies.flowBrowser(request),
        knownDevice: (hash) => cookies.knownDevice(request, hash),
      });
      const { signIn } = await changeAccount(deps, { principal, ip, proof }, () => Promise.resolve());
      return { body: issueSession(deps, signIn, reply) };
    }),
    route(startPasskeyReauthentication, async (context) => {
      const { userId } = sessionOf(context);
      await throttle.consumeProof(context.ip);
      const options = ceremony.request({
        known: await listPasskeys(database.queries, userId),
        userVerification: 'required',
      });
      const browser = cookies.nameFlowBrowser(context.request, context.reply);
      const { token, expiresAtMs } = await flows.start(database.queries, {
        kind: 'passkey-reauthenticate',
        browser,
        userId,
        lifeMs: ceremonyMs,
        data: { challenge: options.challenge },
      });
      return { body: { flow: token, options, expiresAt: instantOf(expiresAtMs) } };
    }),
  ];
}
