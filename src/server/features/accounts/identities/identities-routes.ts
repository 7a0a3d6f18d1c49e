import { instantOf } from '#base/instant.ts';
import {
  listIdentities as listIdentitiesEndpoint,
  unlinkProvider,
  type Identity,
} from '#contract/providers-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';
import type { ProviderRegister } from '#server/features/accounts/providers/create-providers.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { listIdentities } from '#server/features/accounts/credentials/identities-store.ts';
import { unlinkIdentity } from './unlink-identity.ts';
import { issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

function presentIdentity(row: IdentityRow, providers: ProviderRegister): Identity {
  const offered = providers.all.find((provider) => provider.owns(row.issuer));
  return {
    id: row.id,
    provider: row.provider,
    providerName: offered?.name ?? row.provider,
    kind: offered?.kind ?? null,
    label: row.label,
    email: row.email,
    linkedAt: instantOf(row.linked_at),
    lastUsedAt: instantOf(row.last_used_at),
    isUsable: offered !== undefined,
  };
}

/** Routes that list and unlink the user's provider accounts. */
export function identitiesRoutes(context: IdentitiesDeps): Route[] {
  const { providers } = context;
  return [
    route(listIdentitiesEndpoint, async (call) => {
      const rows = await listIdentities(context.database.queries, sessionOf(call).userId);
      return { body: { identities: rows.map((row) => presentIdentity(row, providers)) } };
    }),
    route(unlinkProvider, async (call) => {
      const principal = requireRecentAuth(sessionOf(call), context.clock);
      const { provider, accountId } = call.body;
      const signIn = await unlinkIdentity(context, {
        principal,
        provider,
        accountId,
        isOffered: providers.find(provider) !== null,
        ip: call.ip,
      });
      return { body: { user: issueSession(context, signIn, call.reply).user } };
    }),
  ];
}
