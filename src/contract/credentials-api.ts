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
  summary: 'Where one is signed in, the latest use first, and the takes that other devices record now.',
  reply: z.object({ items: z.array(deviceSchema), takes: z.array(runningTakeSchema) }),
  statuses: [200],
  errors: [],
});

export const endSession = endpoint('endSession', {
  access: 'session',
  summary:
    'Sign a device out; what it has open ends within a second, its rights to append to recordings too. With `finishTakes`, a take that it records now may still be finished.',
  query: z.strictObject({ finishTakes: z.enum(['true', 'false']).default('false') }),
  statuses: [204],
  errors: ['not-found', 'reauthentication-required'],
});

export const endOtherSessions = endpoint('endOtherSessions', {
  access: 'session',
  summary:
    'Sign out everywhere else, and end the rights to append of every session that is gone. `finishTakesOf`: ids of sessions, separated by commas, whose running takes may still be finished.',
  query: z.strictObject({ finishTakesOf: sessionListSchema }),
  reply: z.object({ ended: z.int() }),
  statuses: [200],
  errors: ['reauthentication-required'],
});

export const reauthenticate = endpoint('reauthenticate', {
  access: 'session',
  summary:
    'Prove once more who one is. With two-step sign-in on, a password alone proves nothing (`second-factor-required`).',
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
  summary: 'The question that a passkey answers for `reauthenticate`.',
  reply: passkeyQuestionSchema,
  statuses: [200],
  errors: ['rate-limited'],
});

export const changePassword = endpoint('changePassword', {
  access: 'session',
  summary:
    'Set or change one’s password and sign out everywhere else; rights to append end with their sessions, but for running takes of `finishTakesOf`. Wants the present one where there is one, and a recent proof where there is none or two-step sign-in is on.',
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
    'Have a link to set a new password sent to the address, if it has an account; the answer tells nothing of that.',
  body: z.strictObject({ email: emailSchema }),
  statuses: [204],
  errors: ['validation', 'mail-not-configured', 'rate-limited'],
});

const keptSchema = z.object({
  id: idSchema,
  label: z.string(),
  addedAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
});

export const checkPasswordReset = endpoint('checkPasswordReset', {
  access: 'anyone',
  summary:
    'What else opens the account of a reset link, so that its owner can say what is theirs. The link still counts afterwards.',
  body: z.strictObject({ token: flowSchema }),
  reply: z.object({
    email: z.string().nullable(),
    identities: z.array(keptSchema.extend({ provider: z.string() })),
    passkeys: z.array(keptSchema),
    hasTotp: z.boolean(),
    takes: z.array(runningTakeSchema),
  }),
  statuses: [200],
  errors: ['validation', 'code-expired', 'rate-limited'],
});

export const resetPassword = endpoint('resetPassword', {
  access: 'anyone',
  summary:
    'Set a new password by a reset link. Ends every session, every right to append (but for running takes of `finishTakesOf`) and every pending change, drops the identities and passkeys that are not named, and does not sign in; two-step sign-in stays.',
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
    'Change the address: at once where this server sends no mail (200), else once the code sent to the new one was brought back (202, the same for a taken address).',
  body: z.strictObject({ email: emailSchema }),
  reply: z.union([signedInSchema, codeSentSchema]),
  statuses: [202, 200],
  errors: ['validation', 'email-taken', 'reauthentication-required', 'rate-limited'],
});

export const verifyEmail = endpoint('verifyEmail', {
  access: 'session',
  summary:
    'Bring the code for a new address. Five tries. The old address gets a link that undoes the change for seven days.',
  body: z.strictObject({ flow: flowSchema, code: z.string().max(32) }),
  reply: signedInSchema,
  statuses: [200],
  errors: ['validation', 'code-invalid', 'code-expired', 'rate-limited'],
});

export const undoEmailChange = endpoint('undoEmailChange', {
  access: 'anyone',
  summary: 'Put the old address back by the link sent to it; ends every session.',
  body: z.strictObject({ token: flowSchema }),
  statuses: [204],
  errors: ['validation', 'code-expired', 'rate-limited'],
});

export const startTotp = endpoint('startTotp', {
  access: 'session',
  summary:
    'Make a secret for an authenticator app (RFC 6238, SHA-1, six digits, 30 s). Nothing is on until `confirmTotp`.',
  reply: z.object({ flow: flowSchema, secret: z.string(), otpauthUrl: z.string(), expiresAt: instantSchema }),
  statuses: [200],
  errors: ['totp-on', 'reauthentication-required'],
});

const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

export const confirmTotp = endpoint('confirmTotp', {
  access: 'session',
  summary:
    'Turn two-step sign-in on by a code of the app; answers with ten recovery codes that are shown this once.',
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
  summary: 'Turn two-step sign-in off. Wants a recent proof that was more than a password.',
  reply: signedInSchema,
  statuses: [200],
  errors: ['not-found', 'reauthentication-required'],
});

export const renewRecoveryCodes = endpoint('renewRecoveryCodes', {
  access: 'session',
  summary: 'Ten new recovery codes; the old ones count no longer.',
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
  summary: 'One’s passkeys, the oldest first.',
  reply: z.object({ items: z.array(passkeySchema) }),
  statuses: [200],
  errors: [],
});

export const startPasskeyRegistration = endpoint('startPasskeyRegistration', {
  access: 'session',
  summary: 'The question for `navigator.credentials.create`.',
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
  summary: 'Give a passkey another name.',
  body: z.strictObject({ name: displayNameSchema }),
  reply: passkeySchema,
  statuses: [200],
  errors: ['validation', 'not-found'],
});

export const removePasskey = endpoint('removePasskey', {
  access: 'session',
  summary: 'Remove a passkey; never the last way in.',
  reply: signedInSchema,
  statuses: [200],
  errors: ['not-found', 'last-credential', 'reauthentication-required'],
});

export const startPasskeySignIn = endpoint('startPasskeySignIn', {
  access: 'anyone',
  summary: 'The question for signing in by passkey alone; nobody has to say who they are.',
  reply: passkeyQuestionSchema,
  statuses: [200],
  errors: ['rate-limited'],
});

export const finishPasskeySignIn = endpoint('finishPasskeySignIn', {
  access: 'anyone',
  summary: 'Sign in by passkey; the device has verified its user, so no second factor is asked.',
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
  summary: 'Begin an account that a passkey opens and no password.',
  body: newAccountSchema,
  reply: passkeyOfferSchema,
  statuses: [200],
  errors: ['validation', 'sign-up-closed', 'set-up-code-invalid', 'rate-limited'],
});

export const finishPasskeySignUp = endpoint('finishPasskeySignUp', {
  access: 'anyone',
  summary:
    'Create that account: at once (201), or once the code sent to the address was brought back (202, `verifySignUp`).',
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
    'What deleting the account would do to the recordings: how many there are, and when they would be gone for good.',
  reply: z.object({ recordings: z.int(), durationMs: totalMsSchema, purgedAt: instantSchema }),
  statuses: [200],
  errors: [],
});

export const deleteAccount = endpoint('deleteAccount', {
  access: 'session',
  summary:
    'Delete one’s account: sign-in methods and sessions go at once, recordings after the time of the trash. Nobody can undo it.',
  statuses: [204],
  errors: ['reauthentication-required'],
});

/** Bytes that a user may store on this server. */
const quotaSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
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
  summary: 'For admins: the people of this server, the newest first, a page at a time.',
  query: z.object({ cursor: idSchema.optional(), limit: wholeNumberSchema(1, 200).default(50) }),
  reply: z.object({ items: z.array(managedUserSchema), nextCursor: idSchema.nullable() }),
  statuses: [200],
  errors: ['validation', 'forbidden'],
});

export const createResetLink = endpoint('createResetLink', {
  access: 'session',
  summary:
    'For admins: a link by which a person sets a new password, to be handed over in person. Counts once, for half an hour; newer links end older ones.',
  reply: z.object({ url: z.string(), expiresAt: instantSchema }),
  statuses: [201],
  errors: ['not-found', 'forbidden', 'reauthentication-required'],
});

export const changeUser = endpoint('changeUser', {
  access: 'session',
  summary: "For admins: give a person a quota of their own; null gives them the server's again.",
  body: z.strictObject({ quotaBytes: quotaSchema.nullable() }),
  reply: managedUserSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'forbidden'],
});
