import { createPublicKey } from 'node:crypto';
import type { ServerMetadata } from 'openid-client';
import { z } from 'zod';
import { minute, second } from '#base/duration.ts';
import { unixMsOfHttpDate } from '#base/instant.ts';
import type { ProviderCheck, SignInNeed } from '#contract/providers-api.ts';
import { faultMessages } from './permanent-faults.ts';
import { metadataFaults, verifiableAlgorithms } from './metadata-faults.ts';
import { check, type ProviderDeps } from './provider.ts';
import { providerTimeoutMs } from './provider-network.ts';

/** The features that a sign-in needs and that a provider's metadata may mention. */
export interface SignInNeeds {
  scope: string;
  responseMode: string;
  usesPkce: boolean;
}

const neededClaims = ['sub', 'name', 'email', 'email_verified'];

const keySchema = z.looseObject({ kty: z.string(), use: z.string().optional() });

function isUsableKey(candidate: unknown): boolean {
  const key = keySchema.safeParse(candidate);
  if (!key.success || (key.data.use ?? 'sig') !== 'sig') return false;
  try {
    return ['rsa', 'ec', 'ed25519', 'rsa-pss'].includes(
      createPublicKey({ key: key.data, format: 'jwk' }).asymmetricKeyType ?? '',
    );
  } catch {
    return false;
  }
}

/** Checks that the issuer's key set has a key that can verify signatures. */
export async function checkKeys(
  server: ServerMetadata,
  fetch: ProviderDeps['fetch'],
): Promise<ProviderCheck> {
  try {
    const response = await fetch(server.jwks_uri ?? '', { signal: AbortSignal.timeout(providerTimeoutMs) });
    if (!response.ok) return check('keys', 'failed', `the key set answered with status ${response.status}`);
    const { keys } = z.object({ keys: z.array(z.unknown()) }).parse(await response.json());
    return keys.some(isUsableKey)
      ? check('keys', 'ok')
      : check('keys', 'failed', `the key set has ${keys.length} keys, none of which can verify a signature`);
  } catch (error) {
    return check(
      'keys',
      'failed',
      error instanceof z.ZodError ? 'the answer is no key set' : faultMessages(error),
    );
  }
}

function checkFlow(server: ServerMetadata, { responseMode, usesPkce }: SignInNeeds): ProviderCheck {
  const { response_modes_supported: modes, code_challenge_methods_supported: challenges } = server;
  if (modes !== undefined && !modes.includes(responseMode))
    return check(
      'flow',
      'failed',
      `the response mode ${responseMode} is needed, and response_modes_supported lists ${modes.join(', ')}`,
    );
  if (!usesPkce) return check('flow', 'ok');
  if (challenges === undefined)
    return check(
      'flow',
      'unknown',
      'the discovery document does not say whether PKCE with S256 is supported',
    );
  return challenges.includes('S256')
    ? check('flow', 'ok')
    : check(
        'flow',
        'failed',
        `PKCE with S256 is needed, and code_challenge_methods_supported lists ${challenges.join(', ')}`,
      );
}

/** A provider need not list every scope (OpenID Connect Discovery §3), but it must support `openid`. */
function checkScopes({ scopes_supported: listed }: ServerMetadata, { scope }: SignInNeeds): ProviderCheck {
  if (listed === undefined) return check('scopes', 'unknown', 'the discovery document lists no scopes');
  const missing = scope.split(' ').filter((one) => !listed.includes(one));
  if (missing.length === 0) return check('scopes', 'ok');
  return check(
    'scopes',
    missing.includes('openid') ? 'failed' : 'unknown',
    `scopes_supported does not list ${missing.join(', ')}`,
  );
}

function checkSigning({ id_token_signing_alg_values_supported: algorithms }: ServerMetadata): ProviderCheck {
  return algorithms === undefined
    ? check('signing', 'unknown', 'the discovery document does not say how ID tokens are signed')
    : check('signing', 'ok');
}

/** Checks that the discovery document supports everything that a sign-in needs. */
export function checkMetadata(server: ServerMetadata, needs: SignInNeeds): ProviderCheck[] {
  const faults = metadataFaults(server).map(({ check: name, message }) => check(name, 'failed', message));
  return [
    check('endpoints', 'ok'),
    checkSigning(server),
    checkFlow(server, needs),
    checkScopes(server, needs),
    ...faults,
  ];
}

const announcement = (values: readonly string[] | undefined): string | null =>
  values === undefined ? null : values.join(', ');

/**
 * What a sign-in needs and only a sign-in shows: issuers configure it for each client, so that a client can differ
 * from what the discovery document announces.
 */
export function needsOfSignIn(server: ServerMetadata, clientId: string): SignInNeed[] {
  const { id_token_signing_alg_values_supported: algorithms, claims_supported: claims } = server;
  return [
    { need: 'signature', wanted: verifiableAlgorithms.join(', '), announced: announcement(algorithms) },
    { need: 'audience', wanted: clientId, announced: null },
    {
      need: 'claims',
      wanted: neededClaims.join(', '),
      announced: announcement(claims && neededClaims.filter((claim) => claims.includes(claim))),
    },
  ];
}

/** Wraps `fetch` and compares the `Date` header of each response with the clock. */
export function withClock({ fetch, clock }: ProviderDeps): {
  fetch: ProviderDeps['fetch'];
  check: () => ProviderCheck;
} {
  let skewMs: number | null = null;
  return {
    async fetch(url, init) {
      const response = await fetch(url, init);
      const atMs = unixMsOfHttpDate(response.headers.get('date'));
      if (!Number.isNaN(atMs)) skewMs = atMs - clock.nowMs();
      return response;
    },
    check() {
      if (skewMs === null) return check('clock', 'unknown', 'its answers have no Date');
      const seconds = Math.round(skewMs / second);
      return Math.abs(skewMs) <= minute
        ? check('clock', 'ok')
        : check(
            'clock',
            'failed',
            `it is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} this server`,
          );
    },
  };
}
