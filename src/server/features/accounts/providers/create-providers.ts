import { providerIdSchema } from '#contract/providers-api.ts';
import { anyOidc } from './any-oidc.ts';
import { apple } from './apple.ts';
import { discord } from './discord.ts';
import { facebook } from './facebook.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { linkedin } from './linkedin.ts';
import { microsoft } from './microsoft.ts';
import { observeSignIn, type SignInObserver } from './observe-sign-in.ts';
import type { ProviderDeps, SignInProvider } from './provider.ts';
import { type ProviderSettings, reservedIds } from './provider-settings.ts';

function createProvider(settings: ProviderSettings, deps: ProviderDeps): SignInProvider {
  switch (settings.kind) {
    case 'oidc':
      return anyOidc(settings, deps);
    case 'google':
      return google(settings, deps);
    case 'microsoft':
      return microsoft(settings, deps);
    case 'apple':
      return apple(settings, deps);
    case 'linkedin':
      return linkedin(settings, deps);
    case 'github':
      return github(settings, deps);
    case 'facebook':
      return facebook(settings, deps);
    case 'discord':
      return discord(settings, deps);
  }
}

/** The providers that this server offers, in display order. */
export interface ProviderRegister {
  readonly all: readonly SignInProvider[];
  find(id: string): SignInProvider | null;
  /** Whether a configured provider can still sign in an identity. */
  isUsable(identity: { issuer: string }): boolean;
  /**
   * The redirect URI of a provider. Each provider has its own, so that its responses can't be mistaken for
   * another's.
   */
  redirectUri(id: string): string;
  /**
   * The same provider for one test sign-in, with nothing remembered from earlier ones, and what it receives. Null
   * if there is no such provider.
   */
  observed(id: string): { provider: SignInProvider; observer: SignInObserver } | null;
}

/** The id is a path segment below /auth/, so it must be unique and not reserved. */
function assertFree(id: string, all: readonly SignInProvider[]): void {
  const isTaken = reservedIds.has(id) || all.filter((provider) => provider.id === id).length > 1;
  if (isTaken || !providerIdSchema.safeParse(id).success)
    throw new RangeError(
      `a provider cannot be called ${id}: the name is taken or has other characters than a-z, 0-9 and -`,
    );
}

/**
 * Creates the adapters of all configured providers.
 * @throws RangeError if an id is taken, reserved or malformed
 */
export function createProviders(
  settings: readonly ProviderSettings[],
  deps: ProviderDeps & { publicUrl: string },
): ProviderRegister {
  const all = settings.map((one) => createProvider(one, deps));
  for (const { id } of all) assertFree(id, all);
  const byId = new Map(all.map((provider) => [provider.id, provider]));
  return {
    all,
    find: (id) => byId.get(id) ?? null,
    isUsable: ({ issuer }) => all.some((provider) => provider.owns(issuer)),
    observed(id) {
      const chosen = settings[all.findIndex((provider) => provider.id === id)];
      if (!chosen) return null;
      const observer = observeSignIn(deps);
      return { provider: createProvider(chosen, { clock: deps.clock, fetch: observer.fetch }), observer };
    },
    redirectUri: (id) => new URL(`/auth/${id}/callback`, deps.publicUrl).href,
  };
}
