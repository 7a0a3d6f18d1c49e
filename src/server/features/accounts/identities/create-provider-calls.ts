import type { Clock } from '#base/clock.ts';
import type { HttpApp } from '#server/http/app.ts';
import type { Route } from '#server/http/route.ts';
import { identitiesRoutes } from './identities-routes.ts';
import { providerAdminRoutes } from './provider-admin-routes.ts';
import { createProviders } from '#server/features/accounts/providers/create-providers.ts';
import type { ProviderSettings } from '#server/features/accounts/providers/provider-settings.ts';
import type { Limiters } from '#server/features/accounts/throttle/limiter.ts';
import type { IsClientNetwork } from '#server/http/client-network.ts';
import type { IsUsableIdentity } from '#server/features/accounts/credentials/usable-credentials.ts';
import { providerRoutes } from './provider-routes.ts';
import { FlowThrottle } from '#server/features/accounts/throttle/flow-throttle.ts';
import { mountCallback } from './provider-callback.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

/** The configured providers, and their dependencies. */
export interface ProviderOptions {
  /** The providers that users can sign in with. Absent: none. */
  providers?: readonly ProviderSettings[];
  /** Replaces `fetch`, for tests with providers on this machine. */
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Overrides the default limit, for tests that sign in hundreds of times. */
  providerCallsPerTenMinutes?: number;
  /** Whether an address belongs to a single client's network. Absent: always true. */
  isClientNetwork?: IsClientNetwork;
}

/** The provider sign-in feature: its routes, and the callback page that providers redirect browsers to. */
export interface ProviderCalls {
  isUsableIdentity: IsUsableIdentity;
  routes(deps: Omit<IdentitiesDeps, 'providers' | 'flowThrottle'>): Route[];
  mount(app: HttpApp): void;
}

/**
 * Creates the providers and their routes.
 * @throws RangeError if a provider's id is one of our paths
 */
export function createProviderCalls(
  options: ProviderOptions & { clock: Clock; publicUrl: string; limiters: Limiters },
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
    limiters: options.limiters,
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
