import { removeTotp, renewRecoveryCodes as renewRecoveryCodesEndpoint } from '#contract/credentials-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { noteChange } from '#server/features/accounts/notice-change.ts';
import { handOut, type AccountsRoutesDeps } from '#server/features/accounts/present.ts';
import { changeAccount } from '#server/features/accounts/sessions/change-account.ts';
import { isRecent, requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { totpSetUpRoutes } from './totp-set-up.ts';
import { hasTotp, removeTotp as removeStoredTotp, renewRecoveryCodes } from './totp-store.ts';

/**
 * Two-step sign-in is not turned off by less than a second factor, and a recent one. Throws
 * reauthentication-required (403).
 */
async function requireRecentSecondFactor(
  { database, clock }: AccountsRoutesDeps,
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

function removeRoute(deps: AccountsRoutesDeps): Route {
  return route(removeTotp, async (context) => {
    const { ip, reply } = context;
    const principal = requireRecentAuth(sessionOf(context), deps.clock);
    const { userId } = principal;
    if (!(await hasTotp(deps.database.queries, userId))) throw new ProblemError('not-found');
    await requireRecentSecondFactor(deps, principal);
    const { signIn } = await changeAccount(deps, { principal, ip }, async (transaction) => {
      if (!(await removeStoredTotp(transaction, userId))) throw new ProblemError('not-found');
      await deps.flows.dropOf(transaction, userId, 'second-factor');
      await noteChange(deps, transaction, { action: 'totp.off', userId, ip, change: 'two-step-off' });
    });
    deps.queue.wake();
    return { body: handOut(deps, signIn, reply) };
  });
}

/** Two-step sign-in by an authenticator app. */
export function totpRoutes(deps: AccountsRoutesDeps): Route[] {
  const { database, clock } = deps;
  return [
    ...totpSetUpRoutes(deps),
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
