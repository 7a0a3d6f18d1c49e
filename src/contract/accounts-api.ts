import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import {
  displayNameSchema,
  emailSchema,
  flowSchema,
  idSchema,
  instantSchema,
  languageTagSchema,
  setUpCodeSchema,
} from './values.ts';
import { passkeyAssertionSchema, passkeyRequestSchema } from './passkeys.ts';

export const userSchema = z.object({
  id: idSchema,
  displayName: z.string(),
  email: z.string().nullable(),
  locale: languageTagSchema.nullable(),
  role: z.enum(['member', 'admin']),
  createdAt: instantSchema,
});
export type User = z.output<typeof userSchema>;

export const sessionSchema = z.object({
  id: idSchema,
  createdAt: instantSchema,
  authTime: instantSchema,
  idleExpiresAt: instantSchema,
  absoluteExpiresAt: instantSchema,
});

/** Any text up to the limit; the server enforces the rules for a *new* password (password-* codes). */
export const passwordSchema = z
  .string()
  .min(1)
  .max(limits.password.maxLength * 4);

export const signedInSchema = z.object({ user: userSchema, session: sessionSchema });
export type SignedIn = z.output<typeof signedInSchema>;

/**
 * Nothing has changed yet: a code of eight digits was sent to the address, and the same browser has to submit it
 * (`verifySignUp`, `verifyEmail`).
 */
export const codeSentSchema = z.object({
  next: z.literal('verify-email'),
  flow: flowSchema,
  expiresAt: instantSchema,
});
export type CodeSent = z.output<typeof codeSentSchema>;

/** The kinds of second factor. */
export const secondFactorSchema = z.enum(['totp', 'recovery-code', 'passkey']);

/**
 * The first factor was right; the account requires a second one (`logInMfa`). `passkey` has the options for
 * `navigator.credentials.get`.
 */
export const secondFactorWantedSchema = z.object({
  next: z.literal('mfa'),
  flow: flowSchema,
  methods: z.array(secondFactorSchema),
  passkey: passkeyRequestSchema.nullable(),
  expiresAt: instantSchema,
});
export type SecondFactorWanted = z.output<typeof secondFactorWantedSchema>;

/**
 * The fields of a new account, with the set-up code for the first account of a publicly reachable installation;
 * also the start of a passkey sign-up.
 */
export const newAccountSchema = z.strictObject({
  email: emailSchema,
  displayName: displayNameSchema.optional(),
  locale: languageTagSchema.optional(),
  setUpCode: setUpCodeSchema.optional(),
});

export const signUp = endpoint('signUp', {
  access: 'anyone',
  summary:
    'Create an account: immediately (201) or, if this server sends email, after the code sent to the address is submitted (202, also for a taken address).',
  body: newAccountSchema.extend({ password: passwordSchema }),
  reply: z.union([signedInSchema, codeSentSchema]),
  statuses: [201, 202],
  errors: [
    'validation',
    'password-too-short',
    'password-common',
    'password-context',
    'email-taken',
    'sign-up-closed',
    'set-up-code-invalid',
    'rate-limited',
    'cross-site',
  ],
});

export const verifySignUp = endpoint('verifySignUp', {
  access: 'anyone',
  summary:
    'Submit the emailed code in the browser that signed up; creates the account and signs in. Five attempts.',
  body: z.strictObject({ flow: flowSchema, code: z.string().max(32) }),
  reply: signedInSchema,
  statuses: [201],
  errors: [
    'validation',
    'code-invalid',
    'code-expired',
    'sign-up-closed',
    'set-up-code-invalid',
    'rate-limited',
  ],
});

export const resendSignUpCode = endpoint('resendSignUpCode', {
  access: 'anyone',
  summary: 'Send another code for a sign-up; the previous one becomes invalid.',
  body: z.strictObject({ flow: flowSchema }),
  reply: codeSentSchema,
  statuses: [202],
  errors: ['validation', 'code-expired', 'rate-limited'],
});

export const logIn = endpoint('logIn', {
  access: 'anyone',
  summary:
    'Sign in with email and password; an account with two-step sign-in also requires its second factor.',
  body: z.strictObject({
    email: z.string().trim().min(1).max(limits.emailLength),
    password: passwordSchema,
    remember: z.boolean().default(true),
  }),
  reply: z.union([signedInSchema, secondFactorWantedSchema]),
  statuses: [200],
  errors: [
    'validation',
    'invalid-credentials',
    'account-disabled',
    'password-locked',
    'rate-limited',
    'cross-site',
  ],
});

export const logInMfa = endpoint('logInMfa', {
  access: 'anyone',
  summary: 'Submit the second factor of a sign-in. Five attempts.',
  body: z.discriminatedUnion('method', [
    z.strictObject({ flow: flowSchema, method: z.literal('totp'), code: z.string().max(32) }),
    z.strictObject({ flow: flowSchema, method: z.literal('recovery-code'), code: z.string().max(64) }),
    z.strictObject({ flow: flowSchema, method: z.literal('passkey'), credential: passkeyAssertionSchema }),
  ]),
  reply: signedInSchema,
  statuses: [200],
  errors: [
    'validation',
    'mfa-invalid',
    'passkey-invalid',
    'flow-expired',
    'account-disabled',
    'rate-limited',
    'cross-site',
  ],
});

export const logOut = endpoint('logOut', {
  access: 'anyone',
  summary: 'End this session; idempotent.',
  statuses: [204],
  errors: ['cross-site'],
});

/** The sign-in methods of the signed-in user. */
export const signInMethodsSchema = z.object({
  hasPassword: z.boolean(),
  hasTotp: z.boolean(),
  recoveryCodesLeft: z.int(),
  passkeyCount: z.int(),
  identityCount: z.int(),
  /** A new address that waits for its code; null if there is none. */
  pendingEmail: z.string().nullable(),
  /** The methods that `reauthenticate` accepts now; a linked provider also works (`intent: 'reauthenticate'`). */
  reauthenticateBy: z.array(z.enum(['password', 'totp', 'passkey'])),
});
export type SignInMethods = z.output<typeof signInMethodsSchema>;

/** An administrator created a password reset link for the user's account. */
const accountNoticeSchema = z.object({ id: idSchema, at: instantSchema, byName: z.string() });
export type AccountNotice = z.output<typeof accountNoticeSchema>;

export const getSession = endpoint('getSession', {
  access: 'anyone',
  summary: 'The signed-in user, if any; never a 401.',
  reply: z.object({
    user: userSchema.nullable(),
    session: sessionSchema.nullable(),
    signUp: z.enum(['open', 'closed']),
    /**
     * Whether this server sends email: addresses are then verified, and forgotten passwords can be reset by email.
     */
    hasMail: z.boolean(),
    /** True if there is no account yet, and the first one needs the code that the server prints on start. */
    needsSetUpCode: z.boolean(),
    methods: signInMethodsSchema.nullable(),
    /**
     * Changes of the account by administrators that this session has not confirmed (`acknowledgeNotices`), newest
     * first.
     */
    notices: z.array(accountNoticeSchema),
  }),
  statuses: [200],
  errors: [],
});

/** `unknown`: this server never had the account, or no longer knows, as after a restore from a backup. */
const accountStandingSchema = z.enum(['active', 'disabled', 'deleted', 'unknown']);
export type AccountStanding = z.output<typeof accountStandingSchema>;

export const getAccountStanding = endpoint('getAccountStanding', {
  access: 'anyone',
  summary:
    'Whether an account still exists, for a device that has recordings of it and no session. Ids can’t be guessed.',
  params: { userId: idSchema },
  reply: z.object({ standing: accountStandingSchema }),
  statuses: [200],
  errors: ['validation'],
});

export const changeProfile = endpoint('changeProfile', {
  access: 'session',
  summary: 'Change the display name or the interface language.',
  body: z.strictObject({
    displayName: displayNameSchema.optional(),
    locale: languageTagSchema.nullable().optional(),
  }),
  reply: userSchema,
  statuses: [200],
  errors: ['validation'],
});
