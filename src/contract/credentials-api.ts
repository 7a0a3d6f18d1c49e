import { z } from 'zod';
import {
  codeSentSchema,
  newAccountSchema,
  passwordSchema,
  signedInSchema,
  userSchema,
} from './accounts-api.ts';
import { endpoint } from './endpoint.ts';
import {
  passkeyAssertionSchema,
  passkeyAttestationSchema,
  passkeyCreationSchema,
  passkeyRequestSchema,
} from './passkeys.ts';
import {
  displayNameSchema,
  emailSchema,
  flowSchema,
  idSchema,
  instantSchema,
  totalMsSchema,
  wholeNumberSchema,
} from './values.ts';

/*
 * Every change of an account's protection requires a proof younger than ten minutes (403
 * `reauthentication-required`). Every proof and every such change returns a new session: the cookie changes, and
 * the previous session has ended.
 */

const deviceSchema = z.object({
  id: idSchema,
  /** Browser and system, `Firefox · Linux`; empty if unknown. */
  label: z.string(),
  /**
   * How the session was signed in: `password`, `passkey`, or the id of a provider; with `+totp` and so on for a
   * second factor.
   */
  method: z.string(),
  createdAt: instantSchema,
  lastSeenAt: instantSchema,
  ipPrefix: z.string(),
  isCurrent: z.boolean(),
  isShared: z.boolean(),
});
export type Device = z.output<typeof deviceSchema>;

/** A take that is running on a device. The session that started it may have ended. */
const runningTakeSchema = z.object({
  sessionId: idSchema,
  deviceLabel: z.string(),
  recordingId: idSchema,
  startedAt: instantSchema,
});
export type RunningTakeOf = z.output<typeof runningTakeSchema>;

/** Sessions whose running takes may be finished although their capabilities end: ids from `takes`. */
const finishTakesOfSchema = z.array(idSchema).max(200).default([]);

const sessionListSchema = z
  .string()
  .max(8000)
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',')))
  .pipe(z.array(idSchema).max(200));

export const listSessions = endpoint('listSessions', {
  access: 'session',
  summary: 'The user’s sessions, most recently used first, and the takes that other devices are recording.',
  reply: z.object({ items: z.array(deviceSchema), takes: z.array(runningTakeSchema) }),
  statuses: [200],
  errors: [],
});

export const endSession = endpoint('endSession', {
  access: 'session',
  summary:
    'Sign a device out. Its open connections and its upload capabilities end within a second. With `finishTakes`, its running take may still be finished.',
  query: z.strictObject({ finishTakes: z.enum(['true', 'false']).default('false') }),
  statuses: [204],
  errors: ['not-found', 'reauthentication-required'],
});

export const endOtherSessions = endpoint('endOtherSessions', {
  access: 'session',
  summary:
    'Sign out everywhere else, and end the upload capabilities of every ended session. `finishTakesOf`: ids of sessions, separated by commas, whose running takes may still be finished.',
  query: z.strictObject({ finishTakesOf: sessionListSchema }),
  reply: z.object({ ended: z.int() }),
  statuses: [200],
  errors: ['reauthentication-required'],
});

export const reauthenticate = endpoint('reauthenticate', {
  access: 'session',
  summary:
    'Authenticate again. With two-step sign-in on, a password alone is not enough (`second-factor-required`).',
  body: z.discriminatedUnion('method', [
    z.strictObject({ method: z.literal('password'), password: passwordSchema }),
    z.strictObject({ method: z.literal('totp'), code: z.string().max(32) }),
    z.strictObject({ method: z.literal('passkey'), flow: flowSchema, credential: passkeyAssertionSchema }),
  ]),
  reply: signedInSchema,
  statuses: [200],
  errors: [
    'validation',
    'invalid-credentials',
    'mfa-invalid',
    'passkey-invalid',
    'flow-expired',
    'second-factor-required',
    'password-locked',
    'rate-limited',
  ],
});

const passkeyQuestionSchema = z.object({
  flow: flowSchema,
  options: passkeyRequestSchema,
  expiresAt: instantSchema,
});
const passkeyOfferSchema = z.object({
  flow: flowSchema,
  options: passkeyCreationSchema,
  expiresAt: instantSchema,
});

export const startPasskeyReauthentication = endpoint('startPasskeyReauthentication', {
  access: 'session',
  summary: 'The passkey options for `reauthenticate`.',
  reply: passkeyQuestionSchema,
  statuses: [200],
  errors: ['rate-limited'],
});

export const changePassword = endpoint('changePassword', {
  access: 'session',
  summary:
    'Set or change the user’s password and sign out everywhere else. Upload capabilities end with their sessions, except for running takes of `finishTakesOf`. Requires the current password if there is one, and a recent proof if there is none or two-step sign-in is on.',
  body: z.strictObject({
    currentPassword: passwordSchema.optional(),
    newPassword: passwordSchema,
    keepOtherSessions: z.boolean().default(false),
    finishTakesOf: finishTakesOfSchema,
  }),
  reply: signedInSchema,
  statuses: [200],
  errors: [
    'validation',
    'invalid-credentials',
    'password-too-short',
    'password-common',
    'password-context',
    'password-locked',
    'reauthentication-required',
    'rate-limited',
  ],
});

export const forgotPassword = endpoint('forgotPassword', {
  access: 'anyone',
  summary:
    'Send a link for setting a new password to the address, if it has an account; the response does not reveal that.',
  body: z.strictObject({ email: emailSchema }),
  statuses: [204],
  errors: ['validation', 'mail-not-configured', 'rate-limited'],
});

const retainedCredentialSchema = z.object({
  id: idSchema,
  label: z.string(),
  addedAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
});

export const checkPasswordReset = endpoint('checkPasswordReset', {
  access: 'anyone',
  summary:
    'The other sign-in methods of a reset link’s account, so that its owner can choose which to keep. The link stays valid.',
  body: z.strictObject({ token: flowSchema }),
  reply: z.object({
    email: z.string().nullable(),
    identities: z.array(retainedCredentialSchema.extend({ provider: z.string() })),
    passkeys: z.array(retainedCredentialSchema),
    hasTotp: z.boolean(),
    takes: z.array(runningTakeSchema),
  }),
  statuses: [200],
  errors: ['validation', 'code-expired', 'rate-limited'],
});

export const resetPassword = endpoint('resetPassword', {
  access: 'anyone',
  summary:
    'Set a new password with a reset link. Ends every session, every upload capability (except for running takes of `finishTakesOf`) and every pending change, removes the identities and passkeys that are not listed, and does not sign in; two-step sign-in stays.',
  body: z.strictObject({
    token: flowSchema,
    newPassword: passwordSchema,
    keepIdentities: z.array(idSchema).max(100).default([]),
    keepPasskeys: z.array(idSchema).max(100).default([]),
    finishTakesOf: finishTakesOfSchema,
  }),
  statuses: [204],
  errors: [
    'validation',
    'code-expired',
    'password-too-short',
    'password-common',
    'password-context',
    'last-credential',
    'rate-limited',
  ],
});

export const changeEmail = endpoint('changeEmail', {
  access: 'session',
  summary:
    'Change the address: immediately if this server sends no email (200), otherwise after the code sent to the new address is submitted (202, also for a taken address).',
  body: z.strictObject({ email: emailSchema }),
  reply: z.union([signedInSchema, codeSentSchema]),
  statuses: [202, 200],
  errors: ['validation', 'email-taken', 'reauthentication-required', 'rate-limited'],
});

export const verifyEmail = endpoint('verifyEmail', {
  access: 'session',
  summary:
    'Submit the code for a new address. Five attempts. The old address gets a link that undoes the change for seven days.',
  body: z.strictObject({ flow: flowSchema, code: z.string().max(32) }),
  reply: signedInSchema,
  statuses: [200],
  errors: ['validation', 'code-invalid', 'code-expired', 'rate-limited'],
});

export const undoEmailChange = endpoint('undoEmailChange', {
  access: 'anyone',
  summary: 'Restore the old address with the link sent to it; ends every session.',
  body: z.strictObject({ token: flowSchema }),
  statuses: [204],
  errors: ['validation', 'code-expired', 'rate-limited'],
});

export const startTotp = endpoint('startTotp', {
  access: 'session',
  summary:
    'Create a secret for an authenticator app (RFC 6238, SHA-1, six digits, 30 s). Two-step sign-in stays off until `confirmTotp`.',
  reply: z.object({ flow: flowSchema, secret: z.string(), otpauthUrl: z.string(), expiresAt: instantSchema }),
  statuses: [200],
  errors: ['totp-on', 'reauthentication-required'],
});

const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

export const confirmTotp = endpoint('confirmTotp', {
  access: 'session',
  summary:
    'Turn two-step sign-in on with a code of the app; returns ten recovery codes, which are shown only once.',
  body: z.strictObject({ flow: flowSchema, code: z.string().max(32) }),
  reply: signedInSchema.extend(recoveryCodesSchema.shape),
  statuses: [200],
  errors: [
    'validation',
    'code-invalid',
    'flow-expired',
    'totp-on',
    'reauthentication-required',
    'rate-limited',
  ],
});

export const removeTotp = endpoint('removeTotp', {
  access: 'session',
  summary: 'Turn two-step sign-in off. Requires a recent proof that was more than a password.',
  reply: signedInSchema,
  statuses: [200],
  errors: ['not-found', 'reauthentication-required'],
});

export const renewRecoveryCodes = endpoint('renewRecoveryCodes', {
  access: 'session',
  summary: 'Create ten new recovery codes; the old ones become invalid.',
  reply: recoveryCodesSchema,
  statuses: [200],
  errors: ['not-found', 'reauthentication-required'],
});

const passkeySchema = z.object({
  id: idSchema,
  name: z.string(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
  /** Whether the device stores a copy elsewhere, so that losing the device does not lose the passkey. */
  isBackedUp: z.boolean(),
});
export type Passkey = z.output<typeof passkeySchema>;

export const listPasskeys = endpoint('listPasskeys', {
  access: 'session',
  summary: 'The user’s passkeys, oldest first.',
  reply: z.object({ items: z.array(passkeySchema) }),
  statuses: [200],
  errors: [],
});

export const startPasskeyRegistration = endpoint('startPasskeyRegistration', {
  access: 'session',
  summary: 'The options for `navigator.credentials.create`.',
  reply: passkeyOfferSchema,
  statuses: [200],
  errors: ['reauthentication-required', 'rate-limited'],
});

export const finishPasskeyRegistration = endpoint('finishPasskeyRegistration', {
  access: 'session',
  summary: 'Add the new passkey.',
  body: z.strictObject({
    flow: flowSchema,
    name: displayNameSchema.optional(),
    credential: passkeyAttestationSchema,
  }),
  reply: signedInSchema.extend({ passkey: passkeySchema }),
  statuses: [201],
  errors: ['validation', 'passkey-refused', 'flow-expired', 'reauthentication-required'],
});

export const renamePasskey = endpoint('renamePasskey', {
  access: 'session',
  summary: 'Rename a passkey.',
  body: z.strictObject({ name: displayNameSchema }),
  reply: passkeySchema,
  statuses: [200],
  errors: ['validation', 'not-found'],
});

export const removePasskey = endpoint('removePasskey', {
  access: 'session',
  summary: 'Remove a passkey; never the last sign-in method.',
  reply: signedInSchema,
  statuses: [200],
  errors: ['not-found', 'last-credential', 'reauthentication-required'],
});

export const startPasskeySignIn = endpoint('startPasskeySignIn', {
  access: 'anyone',
  summary: 'The options for signing in with a passkey only, without naming the account.',
  reply: passkeyQuestionSchema,
  statuses: [200],
  errors: ['rate-limited'],
});

export const finishPasskeySignIn = endpoint('finishPasskeySignIn', {
  access: 'anyone',
  summary: 'Sign in with a passkey; the device has verified its user, so no second factor is required.',
  body: z.strictObject({
    flow: flowSchema,
    credential: passkeyAssertionSchema,
    remember: z.boolean().default(true),
  }),
  reply: signedInSchema,
  statuses: [200],
  errors: ['validation', 'passkey-invalid', 'flow-expired', 'account-disabled', 'rate-limited'],
});

export const startPasskeySignUp = endpoint('startPasskeySignUp', {
  access: 'anyone',
  summary: 'Start to create an account with a passkey and no password.',
  body: newAccountSchema,
  reply: passkeyOfferSchema,
  statuses: [200],
  errors: ['validation', 'sign-up-closed', 'set-up-code-invalid', 'rate-limited'],
});

export const finishPasskeySignUp = endpoint('finishPasskeySignUp', {
  access: 'anyone',
  summary:
    'Create that account: immediately (201), or after the code sent to the address is submitted (202, `verifySignUp`).',
  body: z.strictObject({ flow: flowSchema, credential: passkeyAttestationSchema }),
  reply: z.union([signedInSchema, codeSentSchema]),
  statuses: [201, 202],
  errors: [
    'validation',
    'passkey-refused',
    'flow-expired',
    'email-taken',
    'sign-up-closed',
    'set-up-code-invalid',
    'rate-limited',
  ],
});

export const previewAccountDeletion = endpoint('previewAccountDeletion', {
  access: 'session',
  summary:
    'The effect of deleting the account: the number of recordings, how many of them are still being recorded or uploaded, the length of the others, and when they would be deleted permanently.',
  reply: z.object({
    recordings: z.int(),
    unfinished: z.int(),
    durationMs: totalMsSchema,
    purgedAt: instantSchema,
  }),
  statuses: [200],
  errors: [],
});

export const deleteAccount = endpoint('deleteAccount', {
  access: 'session',
  summary:
    'Delete the user’s account: sign-in methods and sessions immediately, recordings after the retention time of the trash. Cannot be undone.',
  statuses: [204],
  errors: ['reauthentication-required'],
});

/** Bytes that a user may store on this server. */
export const quotaSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** `quotaBytes`: the user's own quota; null if the server's applies. */
export const managedUserSchema = userSchema.extend({
  lastSeenAt: instantSchema.nullable(),
  disabledAt: instantSchema.nullable(),
  hasPassword: z.boolean(),
  hasTotp: z.boolean(),
  quotaBytes: quotaSchema.nullable(),
});
export type ManagedUser = z.output<typeof managedUserSchema>;

export const listUsers = endpoint('listUsers', {
  access: 'session',
  summary: 'For admins: the users of this server, newest first, paginated.',
  query: z.object({ cursor: idSchema.optional(), limit: wholeNumberSchema(1, 200).default(50) }),
  reply: z.object({ items: z.array(managedUserSchema), nextCursor: idSchema.nullable() }),
  statuses: [200],
  errors: ['validation', 'forbidden'],
});

export const createResetLink = endpoint('createResetLink', {
  access: 'session',
  summary:
    'For admins: a link with which a user sets a new password, to be handed over in person. Valid once, for half an hour; a newer link invalidates older ones.',
  reply: z.object({ url: z.string(), expiresAt: instantSchema }),
  statuses: [201],
  errors: ['not-found', 'forbidden', 'reauthentication-required'],
});

export const changeUser = endpoint('changeUser', {
  access: 'session',
  summary: "For admins: set a user's own quota; null restores the server's.",
  body: z.strictObject({ quotaBytes: quotaSchema.nullable() }),
  reply: managedUserSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'forbidden'],
});
