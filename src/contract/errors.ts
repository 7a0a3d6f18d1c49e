import { z } from 'zod';

/**
 * The only catalogue of problems: permanent code → HTTP status (specification.md §8). Messages are in the
 * interface's catalogues.
 */
export const errorStatus = {
  'malformed-request': 400,
  'oauth-state-mismatch': 400,
  'oauth-denied': 400,
  'provider-invalid': 400,
  'session-required': 401,
  'session-expired': 401,
  'upload-token-invalid': 401,
  'invalid-credentials': 401,
  'share-password-required': 401,
  'share-password-wrong': 401,
  'mfa-invalid': 401,
  'passkey-invalid': 401,
  forbidden: 403,
  'cross-site': 403,
  'account-disabled': 403,
  'sign-up-closed': 403,
  'reauthentication-required': 403,
  'second-factor-required': 403,
  'provider-not-enough': 403,
  'password-locked': 403,
  'share-not-for-you': 403,
  'share-download-off': 403,
  'sharing-forbidden': 403,
  'not-found': 404,
  'provider-unknown': 404,
  'link-not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  'email-taken': 409,
  'account-exists': 409,
  'identity-linked-elsewhere': 409,
  'last-credential': 409,
  'last-admin': 409,
  'own-account': 409,
  'principal-changed': 409,
  'totp-on': 409,
  'mail-not-configured': 409,
  'idempotency-conflict': 409,
  'conversion-unavailable': 409,
  'offset-mismatch': 409,
  'writer-superseded': 409,
  'already-finished': 409,
  'still-recording': 409,
  'not-in-trash': 409,
  'note-changed': 409,
  'restore-conflict': 409,
  'share-not-started': 409,
  'share-listen-required': 409,
  'share-changed': 409,
  'already-revoked': 409,
  'too-many-shares': 409,
  'window-unsupported': 409,
  purged: 410,
  'share-ended': 410,
  'oauth-flow-expired': 410,
  'flow-expired': 410,
  'code-expired': 410,
  'too-large': 413,
  'quota-exceeded': 413,
  'too-much-text': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'misdirected-request': 421,
  'provider-other-address': 421,
  validation: 422,
  'password-too-short': 422,
  'password-common': 422,
  'password-context': 422,
  'code-invalid': 422,
  'set-up-code-invalid': 422,
  'passkey-refused': 422,
  'idempotency-mismatch': 422,
  'checksum-mismatch': 422,
  'window-empty': 422,
  'unreadable-audio': 422,
  'conversion-failed': 422,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  'oauth-exchange-failed': 502,
  'oauth-clock-wrong': 502,
  'provider-misconfigured': 502,
  'provider-unavailable': 503,
  'provider-slow': 504,
  'shutting-down': 503,
  overloaded: 503,
  unavailable: 503,
  'storage-full': 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Why one field was rejected: `code` names the rule, `params` its numbers. */
const fieldErrorSchema = z.object({
  pointer: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

/** RFC 9457 problem details, `application/problem+json`. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string(),
  code: z.string(),
  errors: z.array(fieldErrorSchema).optional(),
  retryAfter: z.int().optional(),
  /** With `account-exists`: the sign-in methods of that account (`password`, `passkey`, ids of providers …). */
  methods: z.array(z.string()).optional(),
  /**
   * With `share-ended`: `expired`, `revoked`, `used-up` or `unavailable`. With `share-not-for-you`: whether the user
   * can ask for access (`possible`, `asked` or `impossible`).
   */
  reason: z.string().optional(),
});
export type Problem = z.output<typeof problemSchema>;
export type FieldError = z.output<typeof fieldErrorSchema>;
