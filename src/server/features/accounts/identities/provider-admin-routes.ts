import {
  finishTestSignIn as finishTestSignInEndpoint,
  listProviderSettings,
  startTestSignIn as startTestSignInEndpoint,
  testProvider,
} from '#contract/providers-api.ts';
import { adminOf } from '#server/http/callers.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { anyIssuer, knownProviders } from '#server/features/accounts/providers/provider-settings.ts';
import type { SignInProvider } from '#server/features/accounts/providers/provider.ts';
import type { IdentitiesDeps } from './identities-deps.ts';
import { finishTestSignIn, startTestSignIn } from './test-sign-in.ts';

/**
 * Admits an administrator's test of a provider, and counts it.
 * @throws session-required (401), forbidden (403), rate-limited (429), provider-unknown (404)
 */
async function admitTest(
  { providers, flowThrottle }: Pick<IdentitiesDeps, 'providers' | 'flowThrottle'>,
  call: Parameters<typeof adminOf>[0] & { ip: string; params: { provider: string } },
): Promise<{ principal: SessionPrincipal; provider: SignInProvider }> {
  const principal = adminOf(call);
  await flowThrottle.consume(call.ip);
  const provider = providers.find(call.params.provider);
  if (!provider) throw new ProblemError('provider-unknown');
  return { principal, provider };
}

/** Routes for administrators: the configured and the available providers, and tests of one. */
export function providerAdminRoutes(context: IdentitiesDeps): Route[] {
  const { providers } = context;
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
      const { provider } = await admitTest(context, call);
      return { body: await provider.check(providers.redirectUri(provider.id)) };
    }),
    route(startTestSignInEndpoint, async (call) => {
      const { principal, provider } = await admitTest(context, call);
      const { request, reply } = call;
      return { body: await startTestSignIn(context, provider, { principal, request, reply }) };
    }),
    route(finishTestSignInEndpoint, async (call) => {
      const { provider } = await admitTest(context, call);
      const { body, request, reply, ip } = call;
      return { body: await finishTestSignIn(context, provider.id, { body, request, reply, ip }) };
    }),
  ];
}
