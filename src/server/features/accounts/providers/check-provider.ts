import type { Configuration } from 'openid-client';
import type { ProviderCheck } from '#contract/providers-api.ts';
import { issuerMismatch, permanentFault, faultMessages } from './permanent-faults.ts';
import { metadataFaults } from './metadata-faults.ts';
import { check, ProviderError, type CheckedProvider, type ProviderDeps } from './provider.ts';
import { checkClient, type ClientToCheck } from './check-client.ts';
import { checkKeys, checkMetadata, needsOfSignIn, withClock, type SignInNeeds } from './check-metadata.ts';
import { probeAuthorization } from './probe-authorization.ts';

const severity = { failed: 2, ok: 1, unknown: 0 } as const;

/**
 * Merges the results of steps that performed the same check. A failure takes precedence over a success, and a
 * success over an inconclusive result.
 */
function merged(checks: readonly ProviderCheck[]): ProviderCheck[] {
  const byName = new Map<ProviderCheck['check'], ProviderCheck>();
  for (const one of checks) {
    const known = byName.get(one.check);
    if (!known || severity[one.outcome] > severity[known.outcome]) byName.set(one.check, one);
  }
  return [...byName.values()];
}

interface Checked extends Omit<ClientToCheck, 'fetch'> {
  deps: ProviderDeps;
  /** Builds the URL at which a sign-in would start. */
  authorizationUrl: (configuration: Configuration) => Promise<URL>;
}

const faultOf = (error: unknown): string =>
  error instanceof ProviderError ? error.message : (permanentFault(error) ?? faultMessages(error));

/** Runs every check of an OAuth 2 provider that needs no user. */
export async function checkOauth2({
  configuration,
  deps,
  authorizationUrl,
  proof,
  redirectUri,
}: Checked & { configuration: Configuration }): Promise<CheckedProvider> {
  const network = withClock(deps);
  try {
    const client = await checkClient(configuration, { proof, redirectUri, fetch: network.fetch });
    const probe = await probeAuthorization(await authorizationUrl(configuration), {
      fetch: network.fetch,
      redirectUri,
    });
    return {
      checks: merged([check('reach', 'ok'), network.check(), ...client, ...probe]),
      onlyAtSignIn: [{ need: 'claims', wanted: 'name, email', announced: null }],
    };
  } catch (error) {
    return { checks: [check('reach', 'failed', faultOf(error))], onlyAtSignIn: [] };
  }
}

/** The checks after discovery. Checks whose endpoint is missing from the discovery document are skipped. */
async function checkDiscovered(
  found: Configuration,
  {
    needs,
    fetch,
    authorizationUrl,
    proof,
    redirectUri,
  }: Omit<Checked, 'deps'> & { needs: SignInNeeds; fetch: ProviderDeps['fetch'] },
): Promise<ProviderCheck[]> {
  const server = found.serverMetadata();
  const metadata = checkMetadata(server, needs);
  if (metadataFaults(server).some(({ check: name }) => name === 'endpoints')) return metadata;
  const keys = await checkKeys(server, fetch);
  const client = await checkClient(found, { proof, redirectUri, fetch }).catch((error: unknown) => [
    check('client', 'unknown', faultOf(error)),
  ]);
  const probe = await probeAuthorization(await authorizationUrl(found), { fetch, redirectUri });
  return [...metadata, keys, ...client, ...probe];
}

function checkIssuer(configured: string, found: string): ProviderCheck {
  return check(
    'issuer',
    'ok',
    URL.parse(configured)?.href === URL.parse(found)?.href
      ? null
      : `it is configured as ${configured} and writes itself ${found}, which is accepted`,
  );
}

/**
 * Runs every check of an OpenID Connect provider that needs no user, beginning with discovery, which also verifies
 * the issuer.
 */
export async function checkOidc({
  configuration,
  deps,
  issuer,
  ...rest
}: Checked & {
  needs: SignInNeeds;
  issuer: string | null;
  configuration: (fetch: ProviderDeps['fetch']) => Promise<Configuration>;
}): Promise<CheckedProvider> {
  const network = withClock(deps);
  try {
    const found = await configuration(network.fetch);
    const checks = await checkDiscovered(found, { ...rest, fetch: network.fetch });
    return {
      checks: merged([
        check('reach', 'ok'),
        issuer === null ? check('issuer', 'ok') : checkIssuer(issuer, found.serverMetadata().issuer),
        network.check(),
        ...checks,
      ]),
      onlyAtSignIn: needsOfSignIn(found.serverMetadata(), found.clientMetadata().client_id),
    };
  } catch (error) {
    const checks =
      issuerMismatch(error) === null
        ? [check('reach', 'failed', faultOf(error))]
        : [check('reach', 'ok'), check('issuer', 'failed', faultOf(error))];
    return { checks, onlyAtSignIn: [] };
  }
}
