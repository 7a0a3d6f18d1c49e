import { z } from 'zod';

/** An error response of a token endpoint: the code of RFC 6749 §5.2 and the full message. */
export interface TokenRejection {
  error: string;
  message: string;
}

/** Facebook nests the error in an object and uses numeric codes. */
const nestedSchema = z.object({ message: z.string(), code: z.number().optional() });
const rejectionSchema = z.object({
  error: z.union([z.string(), nestedSchema]),
  error_description: z.string().optional(),
});

/** Facebook's numeric codes (Graph API, `oauth/access_token`), mapped to the standard codes. */
const standardCodes: Record<number, string> = {
  1: 'invalid_client',
  100: 'invalid_grant',
  101: 'invalid_client',
  191: 'redirect_uri_mismatch',
};

/** Reads the error in the body of a token response. Returns null if it has none. */
export function readRejection(text: string): TokenRejection | null {
  try {
    const { error, error_description: description } = rejectionSchema.parse(JSON.parse(text));
    if (typeof error === 'object')
      return { error: standardCodes[error.code ?? 0] ?? error.message, message: error.message };
    return { error, message: description === undefined ? error : `${error}: ${description}` };
  } catch {
    return null;
  }
}

/** A rejected code shows that the provider accepted the client, which it checks first. */
export const isCodeRejection = ({ error }: TokenRejection): boolean =>
  /^(invalid_grant|bad_verification_code)$/.test(error);

export const isRedirectRejection = ({ error, message }: TokenRejection): boolean =>
  error === 'redirect_uri_mismatch' || /redirect[_ ]?ur[il]/i.test(message);

/**
 * Whether the provider rejected the client's id, secret or authentication method. RFC 6749 §5.2 reserves 401 for
 * this.
 */
export function isClientRejection(status: number, rejection: TokenRejection | null): boolean {
  if (rejection !== null && /^(invalid_client|incorrect_client_credentials)$/.test(rejection.error))
    return true;
  return status === 401 && (rejection === null || !isCodeRejection(rejection));
}

/**
 * Error codes that no retry can fix, from RFC 6749 §4.1.2.1 and §5.2 and from individual providers.
 * `invalid_grant` is absent because it concerns a single sign-in.
 */
const permanentCodes: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_response_mode',
  'invalid_scope',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
  'invalid_target',
  'invalid_resource',
  'insufficient_scope',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
  'invalid_redirect_uri',
  'application_suspended',
  'unauthorized_scope_error',
  'org_internal',
]);

/** Whether an error code reports a configuration error, which lasts until the operator fixes it. */
export const isPermanentRejection = (error: string): boolean => permanentCodes.has(error);
