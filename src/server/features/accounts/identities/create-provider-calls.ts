import type { Clock } from '#base/clock.ts';
import type { HttpApp } from '#server/http/app.ts';
import type { Route } from '#server/http/route.ts';
import { identitiesRoutes } from './identities-routes.ts';
import { providerAdminRoutes } from './provider-admin-routes.ts';
import { createProviders } from '#server/features/accounts/providers/create-providers.ts';
import type { ProviderSettings } from '#server/features/accounts/providers/provider-settings.ts';
import type { IsClientNetwork } from '#server/features/accounts/throttle/limiter.ts';
import type { IsUsableIdentity } from '#server/features/accounts/credentials/usable-credentials.ts';
import { providerRoutes } from './provider-routes.ts';
import { FlowThrottle } from '#server/features/accounts/throttle/flow-throttle.ts';
import { mountCallback } from './provider-callback.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

/** Which providers there are, and what of the world they need. */
export interface ProviderOptions {
  /** The providers people can sign in with; none, when absent. */
  providers?: readonly ProviderSettings[];
  /** The network, for tests in which providers are on this machine. */
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Another limit than the usual one, for tests that sign in by the hundred. */
  providerCallsPerTenMinutes?: number;
  /** Whether an address stands for one client's network; every one does, when absent. */
  isClientNetwork?: IsClientNetwork;
}

/**
 * Everything about signing in with providers: the calls, and the page that providers send browsers back to.
 */
export interface ProviderCalls {
  isUsableIdentity: IsUsableIdentity;
  routes(deps: Omit<IdentitiesDeps, 'providers' | 'flowThrottle'>): Route[];
  mount(app: HttpApp): void;
}

/** Makes the providers and their calls. Throws RangeError for a provider whose id is a path of ours. */
export function createProviderCalls(
  options: ProviderOptions & { clock: Clock; publicUrl: string },
): ProviderCalls {
  const { clock, publicUrl } = options;
  const providers = createProviders(options.providers ?? [], {
    clock,
    publicUrl,
    fetch: options.fetch ?? fetch,
  });
  const flowThrottle = new FlowThrottle({
    callsPerTenMinutes: options.providerCallsPerTenMinutes,
    isClientNetwork: options.isClientNetwork,
  });
  return {
    isUsableIdentity: (identity) => providers.isUsable(identity),
    routes(deps) {
      const context = { ...deps, providers, flowThrottle };
      return [...providerRoutes(context), ...identitiesRoutes(context), ...providerAdminRoutes(context)];
    },
    mount: (app) => {
      mountCallback(app, providers);
    },
  };
}
