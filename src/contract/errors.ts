import { z } from 'zod';

/**
 * The only catalogue of problems: permanent code → HTTP status. Messages are in the interface's
 * catalogues.
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
  /** Never raises `login-required` in the app. */
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
  /** A provider that does not say when the user signed in is no proof for an account with another sign-in method. */
  'provider-not-enough': 403,
  'password-locked': 403,
  /** The signed-in user is not in the audience; `reason` says whether they can ask for access. */
  'share-not-for-you': 403,
  'share-download-off': 403,
  /** A rule of the installation; `errors` names the fields. */
  'sharing-forbidden': 403,
  'not-found': 404,
  'provider-unknown': 404,
  /** An unknown or malformed token of a link, or a ticket that is used, too old or another user's. */
  'link-not-found': 404,
  'model-unknown': 404,
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
  /** The server has no ffmpeg. */
  'conversion-unavailable': 409,
  'offset-mismatch': 409,
  'writer-superseded': 409,
  'already-finished': 409,
  /** A passage is released, and a recording purged, only after the recording has ended. */
  'still-recording': 409,
  'not-in-trash': 409,
  'note-changed': 409,
  'correction-changed': 409,
  /** No speech model is stored, the engine is not installed, or transcripts are switched off. */
  'transcriber-missing': 409,
  /** A transcription runs with the speech model. */
  'model-in-use': 409,
  /** Sound would be sent to another host, which the user has not agreed to. */
  'transcriber-needs-agreement': 409,
  /** Another recording has the id. */
  'restore-conflict': 409,
  /** A live link before its first second, a held link, or sound that is still being made. Has `Retry-After`. */
  'share-not-started': 409,
  /** The number of listens is limited, and this browser has not started one. */
  'share-listen-required': 409,
  /** The change is based on another revision, or the link changed during a listener's request. */
  'share-changed': 409,
  'already-revoked': 409,
  'too-many-shares': 409,
  /** The server cannot make the sound of this import. */
  'window-unsupported': 409,
  purged: 410,
  /** `reason` is `expired`, `revoked`, `used-up` or `unavailable`. */
  'share-ended': 410,
  'oauth-flow-expired': 410,
  'flow-expired': 410,
  'code-expired': 410,
  'too-large': 413,
  'quota-exceeded': 413,
  /** Beyond the limits of notes and marker labels. Shortening and deleting still work. */
  'too-much-text': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  /** Another `Host` than that of `PUBLIC_URL`. */
  'misdirected-request': 421,
  /** The sign-in started under another host name than the provider leads back to. */
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
  /** The part has less than a second of the recording. */
  'window-empty': 422,
  'unreadable-audio': 422,
  /** No stored speech model knows the language. */
  'language-unsupported': 422,
  /** ffmpeg decodes less than the length of the recording, or nothing. */
  'conversion-failed': 422,
  'rate-limited': 429,
  /** The sound that a user may transcribe per day. */
  'transcription-limit': 429,
  'headers-too-large': 431,
  internal: 500,
  'oauth-exchange-failed': 502,
  /** The clocks of server and provider differ by more than a minute. */
  'oauth-clock-wrong': 502,
  /** Stays until the configuration changes, here or at the provider. */
  'provider-misconfigured': 502,
  'provider-unavailable': 503,
  'provider-slow': 504,
  'shutting-down': 503,
  /** No file descriptor is left. Recorders retry. */
  overloaded: 503,
  /** Database, object store or disk is unavailable. Recorders retry. */
  unavailable: 503,
  /** The disk is full, or the rest of it is reserved for running takes. */
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
