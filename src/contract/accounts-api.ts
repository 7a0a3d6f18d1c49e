import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { displayNameSchema, emailSchema, idSchema, instantSchema, languageTagSchema } from './values.ts';

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

/** Any text up to the limit; the rules for a *new* password are the server's (password-* codes). */
const passwordSchema = z.string().min(1).max(limits.password.longest * 4);

export const signedInSchema = z.object({ user: userSchema, session: sessionSchema });
export type SignedIn = z.output<typeof signedInSchema>;

export const signUp = endpoint({
  method: 'POST', path: '/auth/signup', access: 'anyone', summary: 'Create an account and sign in.',
  body: z.strictObject({
    email: emailSchema, password: passwordSchema, displayName: displayNameSchema.optional(), locale: languageTagSchema.optional(),
  }),
  reply: signedInSchema, statuses: [201],
  errors: ['validation', 'password-too-short', 'password-common', 'password-context', 'email-taken', 'sign-up-closed', 'rate-limited', 'cross-site'],
});

export const logIn = endpoint({
  method: 'POST', path: '/auth/login', access: 'anyone', summary: 'Sign in with e-mail and password.',
  body: z.strictObject({ email: z.string().trim().min(1).max(limits.emailLength), password: passwordSchema, remember: z.boolean().default(true) }),
  reply: signedInSchema, statuses: [200],
  errors: ['validation', 'invalid-credentials', 'account-disabled', 'rate-limited', 'cross-site'],
});

export const logOut = endpoint({
  method: 'POST', path: '/auth/logout', access: 'anyone', summary: 'End this session; idempotent.',
  statuses: [204], errors: ['cross-site'],
});

export const getSession = endpoint({
  method: 'GET', path: '/auth/session', access: 'anyone', summary: 'Who is signed in, if anyone; never a 401.',
  reply: z.object({ user: userSchema.nullable(), session: sessionSchema.nullable(), signUp: z.enum(['open', 'closed']) }),
  statuses: [200], errors: [],
});

export const changeProfile = endpoint({
  method: 'PATCH', path: '/api/profile', access: 'session', summary: 'Change the name shown or the interface language.',
  body: z.strictObject({ displayName: displayNameSchema.optional(), locale: languageTagSchema.nullable().optional() }),
  reply: userSchema, statuses: [200], errors: ['validation'],
});
