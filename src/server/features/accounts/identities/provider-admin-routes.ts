import { listProviderSettings, testProvider } from '#contract/providers-api.ts';
import { adminOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { anyIssuer, knownProviders } from '#server/features/accounts/providers/provider-settings.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

/** Routes for administrators: the configured and the available providers, and a test of one. */
export function providerAdminRoutes({
  providers,
  flowThrottle,
}: Pick<IdentitiesDeps, 'providers' | 'flowThrottle'>): Route[] {
  return [
    route(listProviderSettings, async (call) => {
      adminOf(call);
      const configured = providers.all.map(({ id, name, kind, issuer, clientId }) => ({
        id,
        name,
        kind,
        issuer,
        clientId,
        redirectUri: providers.redirectUri(id),
      }));
      const any = {
        kind: anyIssuer.kind,
        name: anyIssuer.name,
        variables: [...anyIssuer.variables],
        redirectUri: providers.redirectUri(anyIssuer.exampleId),
      };
      const others = knownProviders
        .filter(({ kind }) => !providers.find(kind))
        .map(({ kind, name, variables }) => ({
          kind,
          name,
          variables: [...variables],
          redirectUri: providers.redirectUri(kind),
        }));
      return { body: { configured, available: [any, ...others] } };
    }),
    route(testProvider, async (call) => {
      adminOf(call);
      await flowThrottle.consume(call.ip);
      const provider = providers.find(call.params.provider);
      if (!provider) throw new ProblemError('provider-unknown');
      return { body: { checks: await provider.check(providers.redirectUri(provider.id)) } };
    }),
  ];
}
