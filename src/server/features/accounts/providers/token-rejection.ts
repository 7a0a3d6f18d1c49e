import { z } from 'zod';

/** Why a token endpoint refused a request: the code of RFC 6749 §5.2, and its whole message. */
export interface TokenRejection {
  error: string;
  message: string;
}

/** Facebook nests what others put in plain text, and has numbers for codes. */
const nestedSchema = z.object({ message: z.string(), code: z.number().optional() });
const rejectionSchema = z.object({
  error: z.union([z.string(), nestedSchema]),
  error_description: z.string().optional(),
});

/** Facebook's numbers (Graph API, error codes of `oauth/access_token`), as the standard calls them. */
const standardCodes: Record<number, string> = {
  1: 'invalid_client',
  100: 'invalid_grant',
  101: 'invalid_client',
  191: 'redirect_uri_mismatch',
};

/** Reads the rejection in the body of a token response; null where there is none. */
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

/** The provider looked at the code, so it knew the client. */
export const isCodeRejection = ({ error }: TokenRejection): boolean =>
  /^(invalid_grant|bad_verification_code)$/.test(error);

export const isRedirectRejection = ({ error, message }: TokenRejection): boolean =>
  error === 'redirect_uri_mismatch' || /redirect[_ ]?ur[il]/i.test(message);

/**
 * Whether the client was refused: its id, its secret, or how it was sent. RFC 6749 §5.2 keeps 401 for this.
 */
export function isClientRejection(status: number, rejection: TokenRejection | null): boolean {
  if (rejection !== null && /^(invalid_client|incorrect_client_credentials)$/.test(rejection.error))
    return true;
  return status === 401 && (rejection === null || !isCodeRejection(rejection));
}

/**
 * Codes of RFC 6749 §4.1.2.1 and §5.2 and of single providers that no retry mends. `invalid_grant` is about
 * one sign-in.
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

/** Whether a code of a provider names a fault of the set-up, which stays until the operator changes it. */
export const isPermanentRejection = (error: string): boolean => permanentCodes.has(error);
