import { z } from 'zod';
import { minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import {
  startTotp,
  confirmTotp,
  removeTotp as removeTotpEndpoint,
  renewRecoveryCodes as renewRecoveryCodesEndpoint,
} from '#contract/credentials-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { recordAccountChange } from '#server/features/accounts/account-mail.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { type FlowRef, typedDigits } from '#server/features/accounts/challenges/auth-flows.ts';
import { changeAccount } from '#server/features/accounts/sessions/change-account.ts';
import { isRecent, requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { base32Of, matchingStep, newTotpSecret, otpauthUrl } from './totp-code.ts';
import { hasTotp, removeTotp, renewRecoveryCodes, storeTotp } from './totp-store.ts';
import { issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { AccountsTransaction, SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

type TotpDeps = SessionsDeps & Pick<CredentialsDeps, 'queue' | 'secrets' | 'mail' | 'flows'>;

const setUpMs = 15 * minute;
const setUpTries = 10;
const secretSchema = z.object({ secret: z.string() });

const isOn = (): ProblemError => new ProblemError('totp-on');

function startRoute(deps: TotpDeps): Route {
  const { database, clock, cookies, flows } = deps;
  return route(startTotp, async (context) => {
    const { userId } = requireRecentAuth(sessionOf(context), clock);
    if (await hasTotp(database.queries, userId)) throw isOn();
    const user = await findUser(database.queries, userId);
    const secret = newTotpSecret();
    await flows.dropOf(database.queries, userId, 'totp');
    const browser = cookies.nameFlowBrowser(context.request, context.reply);
    const { token, expiresAtMs } = await flows.start(database.queries, {
      kind: 'totp',
      browser,
      userId,
      lifeMs: setUpMs,
      tries: setUpTries,
      data: { secret: secret.toString('base64url') },
    });
    const account = user?.email ?? user?.display_name ?? '';
    return {
      body: {
        flow: token,
        secret: base32Of(secret),
        otpauthUrl: otpauthUrl(secret, account),
        expiresAt: instantOf(expiresAtMs),
      },
    };
  });
}

function confirmRoute(deps: TotpDeps): Route {
  const { database, clock, cookies, flows } = deps;
  async function turnOn(
    transaction: AccountsTransaction,
    on: { userId: string; secret: Buffer; step: number; ref: FlowRef; ip: string },
  ): Promise<string[]> {
    const { userId, ip } = on;
    if (!(await flows.consume(transaction, on.ref, secretSchema))) throw new ProblemError('flow-expired');
    if (await hasTotp(transaction, userId)) throw isOn();
    await storeTotp(transaction, on, deps);
    await recordAccountChange(deps, transaction, { action: 'totp.on', userId, ip, change: 'two-step-on' });
    return renewRecoveryCodes(transaction, userId);
  }
  return route(confirmTotp, async (context) => {
    const { body, ip, request, reply } = context;
    const principal = requireRecentAuth(sessionOf(context), clock);
    const { userId } = principal;
    const ref: FlowRef = { kind: 'totp', token: body.flow, browser: cookies.flowBrowser(request) };
    const flow = await flows.attempt(database.queries, ref, secretSchema);
    if (!flow || flow.userId !== userId) throw new ProblemError('flow-expired');
    const secret = Buffer.from(flow.data.secret, 'base64url');
    const step = matchingStep(secret, typedDigits(body.code), { nowMs: clock.nowMs(), lastStep: 0 });
    if (step === null)
      throw new ProblemError('code-invalid', { errors: [{ pointer: '/code', code: 'code-invalid' }] });
    const proof = { method: 'totp', isSecondFactor: true };
    const { signIn, result: recoveryCodes } = await changeAccount(
      deps,
      { principal, ip, proof },
      (transaction) => turnOn(transaction, { userId, secret, step, ref, ip }),
    );
    deps.queue.wake();
    return { body: { ...issueSession(deps, signIn, reply), recoveryCodes } };
  });
}

/**
 * Turning off two-step sign-in requires a recent second factor.
 * @throws reauthentication-required (403)
 */
async function requireRecentSecondFactor(
  { database, clock }: TotpDeps,
  principal: SessionPrincipal,
): Promise<void> {
  const row = await database.queries
    .selectFrom('sessions')
    .select('second_factor_at')
    .where('id', '=', principal.sessionId)
    .executeTakeFirst();
  if (!isRecent(row?.second_factor_at ?? null, clock.nowMs()))
    throw new ProblemError('reauthentication-required');
}

function removeRoute(deps: TotpDeps): Route {
  return route(removeTotpEndpoint, async (context) => {
    const { ip, reply } = context;
    const principal = requireRecentAuth(sessionOf(context), deps.clock);
    const { userId } = principal;
    if (!(await hasTotp(deps.database.queries, userId))) throw new ProblemError('not-found');
    await requireRecentSecondFactor(deps, principal);
    const { signIn } = await changeAccount(deps, { principal, ip }, async (transaction) => {
      if (!(await removeTotp(transaction, userId))) throw new ProblemError('not-found');
      await deps.flows.dropOf(transaction, userId, 'second-factor');
      await recordAccountChange(deps, transaction, {
        action: 'totp.off',
        userId,
        ip,
        change: 'two-step-off',
      });
    });
    deps.queue.wake();
    return { body: issueSession(deps, signIn, reply) };
  });
}

/** Routes for two-step sign-in with an authenticator app. */
export function totpRoutes(deps: TotpDeps): Route[] {
  const { database, clock } = deps;
  return [
    startRoute(deps),
    confirmRoute(deps),
    removeRoute(deps),
    route(renewRecoveryCodesEndpoint, async (context) => {
      const principal = requireRecentAuth(sessionOf(context), clock);
      const { userId } = principal;
      if (!(await hasTotp(database.queries, userId))) throw new ProblemError('not-found');
      await requireRecentSecondFactor(deps, principal);
      const recoveryCodes = await database.transaction(async (transaction) => {
        await database.lockUser(transaction, userId);
        await recordEvent(transaction, clock, {
          action: 'totp.recovery-codes-renewed',
          actorId: userId,
          subject: userId,
          ip: context.ip,
        });
        return renewRecoveryCodes(transaction, userId);
      });
      return { body: { recoveryCodes } };
    }),
  ];
}
