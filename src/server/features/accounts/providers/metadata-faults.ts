import type { ServerMetadata } from 'openid-client';

/** A fault in a provider's discovery document that makes every sign-in impossible. */
export interface MetadataFault {
  check: 'endpoints' | 'signing' | 'flow';
  message: string;
}

/**
 * The asymmetric signature algorithms (RFC 7518 §3.1, RFC 9864) that this server can verify with a key of the
 * issuer's key set.
 */
export const verifiableAlgorithms: readonly string[] = [
  ...['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((size) => family + size)),
  'EdDSA',
  'Ed25519',
];

const listed = (values: readonly string[]): string => (values.length === 0 ? 'nothing' : values.join(', '));

function endpointFault(
  server: ServerMetadata,
  name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri',
): string | null {
  const text = server[name];
  if (text === undefined) return `the discovery document names no ${name}`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return `${name} is no address of the web: ${text}`;
  return url.protocol === 'http:' && server.issuer.startsWith('https:')
    ? `${name} does not begin with https://: ${text}`
    : null;
}

function flowFault(server: ServerMetadata): string | null {
  const { response_types_supported: types, grant_types_supported: grants } = server;
  if (types !== undefined && !types.includes('code'))
    return `the response type code is needed, and response_types_supported lists ${listed(types)}`;
  if (grants !== undefined && !grants.includes('authorization_code'))
    return `the grant authorization_code is needed, and grant_types_supported lists ${listed(grants)}`;
  if (server.require_pushed_authorization_requests === true)
    return 'the provider requires pushed authorization requests (RFC 9126), which are not sent';
  return null;
}

function signingFault({ id_token_signing_alg_values_supported: algorithms }: ServerMetadata): string | null {
  if (algorithms === undefined || algorithms.some((one) => verifiableAlgorithms.includes(one))) return null;
  return `ID tokens must be signed with a key of the issuer (RS256, ES256 …), and id_token_signing_alg_values_supported lists ${listed(algorithms)}`;
}

/**
 * Finds everything in a discovery document that makes sign-in impossible. Features it does not mention are assumed
 * to be supported.
 */
export function metadataFaults(server: ServerMetadata): MetadataFault[] {
  const endpoints = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).map((name) => ({
    check: 'endpoints' as const,
    message: endpointFault(server, name),
  }));
  const all = [
    ...endpoints,
    { check: 'signing' as const, message: signingFault(server) },
    { check: 'flow' as const, message: flowFault(server) },
  ];
  return all.flatMap(({ check, message }) => (message === null ? [] : [{ check, message }]));
}
