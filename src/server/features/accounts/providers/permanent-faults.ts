import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { z } from 'zod';
import { isPermanentRejection } from './token-rejection.ts';

/** Node's error codes for network failures that no retry can fix, and what an operator can do about each. */
const networkFaults: readonly [code: RegExp, message: string][] = [
  [/^ENOTFOUND$/, 'the name of the host does not exist in DNS'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_UNTRUSTED)$/,
    'the certificate is not signed by an authority that this server trusts; NODE_EXTRA_CA_CERTS can name a file with the authority of your own',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host name'],
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, 'the certificate is not valid at this time'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'that port does not speak TLS as expected'],
];

const codeSchema = z.looseObject({ code: z.string() });
const codeOf = (error: unknown): string => codeSchema.safeParse(error).data?.code ?? '';

/**
 * Describes a permanent network failure. Returns null for one that may be temporary, such as a closed port or a
 * busy name server.
 */
function networkFault(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(error instanceof TypeError) || !(cause instanceof Error)) return null;
  const fault = networkFaults.find(([code]) => code.test(codeOf(cause)));
  if (fault) return `${fault[1]} (${cause.message})`;
  return cause.message === 'bad port' ? 'no request may be sent to that port' : null;
}

/** The OAuth library's error when the discovery document names another issuer. */
const mismatchSchema = z.object({
  attribute: z.literal('issuer'),
  expected: z.string(),
  body: z.looseObject({ issuer: z.string() }),
});

/** Returns the expected issuer and the one in the discovery document if they differ, otherwise null. */
export function issuerMismatch(error: unknown): { expected: string; found: string } | null {
  const cause =
    error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
      ? mismatchSchema.safeParse(error.cause)
      : null;
  return cause?.success === true ? { expected: cause.data.expected, found: cause.data.body.issuer } : null;
}

/** Describes a missing permission: the access token just granted was rejected with 403. */
function scopeFault(error: unknown): string | null {
  if (!(error instanceof WWWAuthenticateChallengeError) || error.status !== 403) return null;
  return `the provider answered ${error.status} to the token it had just granted: a scope or a permission is missing`;
}

/** Describes what an operator must change if no retry can succeed; null for every other error. */
export function permanentFault(error: unknown): string | null {
  const mismatch = issuerMismatch(error);
  if (mismatch)
    return `the issuer is configured as ${JSON.stringify(mismatch.expected)}, but its discovery document says ${JSON.stringify(mismatch.found)}`;
  if (error instanceof ResponseBodyError && isPermanentRejection(error.error))
    return `${error.error}${error.error_description === undefined ? '' : `: ${error.error_description}`}`;
  return networkFault(error) ?? scopeFault(error);
}

/** Formats an error and its cause as one line. */
export function faultMessages(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  const { cause } = error;
  if (cause instanceof Response)
    return `${error.message} (status ${cause.status}${cause.url === '' ? '' : ` from ${cause.url}`})`;
  return cause instanceof Error && cause.message !== error.message
    ? `${error.message}: ${cause.message}`
    : error.message;
}
