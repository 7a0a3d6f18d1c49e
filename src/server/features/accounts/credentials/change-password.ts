import { changePassword } from '#contract/credentials-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { changeAccount, type Actor } from '#server/features/accounts/sessions/change-account.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { announceEnded, endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { hasTotp } from './totp-store.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { checkNewPassword } from './password-rules.ts';
import { setPassword } from '#server/features/accounts/password-store.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import {
  type CheckPasswordDeps,
  type KnownDevice,
  checkPassword,
  findWithPassword,
} from './check-password.ts';
import { recordAccountChange } from '#server/features/accounts/account-mail.ts';
import { issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

type ChangePasswordDeps = SessionsDeps &
  CheckPasswordDeps &
  Pick<CredentialsDeps, 'queue' | 'mail' | 'flows' | 'links'>;

/**
 * The current password is sufficient proof unless the account uses two-step sign-in. Returns whether the password
 * counted as proof.
 */
async function proveForChange(
  deps: ChangePasswordDeps,
  currentPassword: string | undefined,
  actor: Actor & { knownDevice: KnownDevice },
): Promise<boolean> {
  const { queries } = deps.database;
  const { principal, ip, knownDevice } = actor;
  const found = await findWithPassword(queries, principal.userId);
  if (!found || (await hasTotp(queries, principal.userId))) requireRecentAuth(principal, deps.clock);
  if (!found) return false;
  if (currentPassword === undefined)
    return rejectSignIn(deps, { code: 'invalid-credentials', userId: principal.userId, ip });
  await checkPassword(deps, found, {
    password: currentPassword,
    emailKey: found.user.email_key ?? principal.userId,
    ip,
    knownDevice,
  });
  return !(await hasTotp(queries, principal.userId));
}

/** Sets or changes the user's own password (ASVS 6.2.2, 6.2.3). */
export function changePasswordRoute(deps: ChangePasswordDeps): Route {
  const { cookies, database, passwords, clock, flows, links } = deps;
  return route(changePassword, async (context) => {
    const { body, ip, request, reply } = context;
    const principal = sessionOf(context);
    const { userId, sessionId } = principal;
    const isProof = await proveForChange(deps, body.currentPassword, {
      principal,
      ip,
      knownDevice: (hash) => cookies.knownDevice(request, hash),
    });
    const user = await findUser(database.queries, userId);
    await checkNewPassword(
      body.newPassword,
      { email: user?.email ?? '', displayName: user?.display_name },
      '/newPassword',
    );
    const passwordHash = await passwords.hash(body.newPassword, { purpose: 'sign-in', client: userId });
    const { signIn, result: ended } = await changeAccount(
      deps,
      { principal, ip, proof: isProof ? { method: 'password', isSecondFactor: false } : null },
      async (transaction) => {
        await setPassword(transaction, { userId, hash: passwordHash }, clock.nowMs());
        await links.dropResets(transaction, userId);
        await flows.dropOf(transaction, userId, 'second-factor');
        await recordAccountChange(deps, transaction, {
          action: 'password.changed',
          userId,
          ip,
          change: 'password',
          detail: { keepOtherSessions: body.keepOtherSessions },
        });
        const { keepOtherSessions, finishTakesOf } = body;
        if (!keepOtherSessions)
          return endSessionsOf(deps, transaction, { userId, exceptId: sessionId, finishTakesOf });
        await deps.takes.end(transaction, { userId, sessionIds: null, finishTakesOf });
        return [];
      },
    );
    deps.queue.wake();
    announceEnded(deps, ended);
    return { body: issueSession(deps, { ...signIn, passwordHash }, reply) };
  });
}
