import { instantOf } from '#base/instant.ts';
import { deleteAccount as deleteAccountEndpoint, previewAccountDeletion } from '#contract/credentials-api.ts';
import { limits } from '#contract/limits.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { announceEnded } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { type DeleteAccountDeps, deleteAccount } from './delete-account.ts';

/** Routes that preview the deletion of the account and delete it. */
export function deletionRoutes(deps: DeleteAccountDeps): Route[] {
  const { clock, recordings, cookies } = deps;
  return [
    route(previewAccountDeletion, async (context) => ({
      body: {
        ...(await recordings.countOf(sessionOf(context).userId)),
        purgedAt: instantOf(clock.nowMs() + limits.trashRetentionMs),
      },
    })),
    route(deleteAccountEndpoint, async (context) => {
      const principal = requireRecentAuth(sessionOf(context), clock);
      announceEnded(deps, await deleteAccount(deps, { principal, ip: context.ip }));
      cookies.clearSession(context.reply);
      return { status: 204 };
    }),
  ];
}
