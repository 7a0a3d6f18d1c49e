import { z } from 'zod';
import { managedUserSchema, quotaSchema } from './credentials-api.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, instantSchema, wholeNumberSchema } from './values.ts';

export const proxyFindingSchema = z
  .object({
    problem: z.enum(['untrusted', 'too-few', 'header-missing']),
    trustedHops: z.int().min(0),
    forwardedCount: z.int().min(0),
  })
  .describe(
    'TRUSTED_PROXY_HOPS does not match the proxies in front: limits per network are off for the affected requests.',
  );

const diskSchema = z
  .object({
    freeBytes: z.int().min(0).nullable(),
    reserveBytes: z.int().min(0),
    isTouched: z.boolean(),
  })
  .describe(
    'The disk that stores the recordings. While its reserve is in use, only running takes are stored. `freeBytes` is null if the file system does not report it.',
  );

export const backupsSchema = z
  .object({
    everyMs: z.int().min(1).nullable().describe('The interval of scheduled backups; null if there are none.'),
    isRunning: z.boolean(),
    isOverdue: z.boolean().describe('Two scheduled backups in a row are missing.'),
    newest: z
      .object({
        startedAt: instantSchema,
        place: z.string().describe('The folder, or `s3://bucket/prefix`.'),
        sizeBytes: z.int().min(0),
        copiedBytes: z.int().min(0).describe('The part that earlier backups did not have.'),
        damagedCount: z.int().min(0).describe('Files that were missing or did not match their receipts.'),
        verifiedAt: instantSchema.nullable().describe('When everything in it was last read back.'),
        problem: z.string().nullable().describe('What went wrong after it was complete.'),
      })
      .nullable(),
    failure: z
      .object({ at: instantSchema, reason: z.string() })
      .nullable()
      .describe('The last attempt, if it is newer and failed.'),
  })
  .describe('The backups that this installation made.');

const failedJobSchema = z
  .object({ id: idSchema, kind: z.string(), at: instantSchema, reason: z.string() })
  .describe(
    'A job that is not retried automatically: it exceeded its time budget, its process ended twice while it ran, or it failed ten times.',
  );

export const getInstallation = endpoint('getInstallation', {
  access: 'session',
  summary: 'For admins: problems of this installation that need attention.',
  reply: z.object({
    proxy: proxyFindingSchema.nullable(),
    disk: diskSchema,
    backups: backupsSchema,
    failedJobs: z.array(failedJobSchema).describe('The newest fifty.'),
  }),
  statuses: [200],
  errors: ['forbidden'],
});

export const retryJob = endpoint('retryJob', {
  access: 'session',
  summary: 'For admins: run a failed job again. Idempotent.',
  statuses: [204],
  errors: ['not-found', 'forbidden'],
});

export const getMissingQuotas = endpoint('getMissingQuotas', {
  access: 'session',
  summary:
    'For admins: the quota that new accounts get, how many accounts without a quota would get it, and how many of those already store more.',
  reply: z.object({
    quotaBytes: quotaSchema.nullable().describe('Null if new accounts get none of their own.'),
    userCount: z.int().min(0),
    overCount: z.int().min(0),
  }),
  statuses: [200],
  errors: ['forbidden'],
});

export const grantMissingQuotas = endpoint('grantMissingQuotas', {
  access: 'session',
  summary:
    'For admins: give this quota to every account without one, except those of admins. Nothing is deleted. Idempotent.',
  body: z.strictObject({ quotaBytes: quotaSchema }),
  reply: z.object({ userCount: z.int().min(0).describe('How many accounts had none.') }),
  statuses: [200],
  errors: ['validation', 'forbidden'],
});

export const disableUser = endpoint('disableUser', {
  access: 'session',
  summary:
    'For admins: disable an account. Its sessions, event streams and uploads end within a second, and it cannot be used to sign in; nothing is deleted. Idempotent.',
  reply: managedUserSchema,
  statuses: [200],
  errors: ['not-found', 'forbidden', 'last-admin', 'own-account', 'reauthentication-required'],
});

export const enableUser = endpoint('enableUser', {
  access: 'session',
  summary: 'For admins: enable a disabled account again. Idempotent.',
  reply: managedUserSchema,
  statuses: [200],
  errors: ['not-found', 'forbidden', 'reauthentication-required'],
});

/** Events of an account's history: every change of who can sign in to it. */
export const accountEvents = [
  'account.created',
  'account.disabled',
  'account.enabled',
  'password.reset-link-made',
  'password.reset',
  'password.changed',
  'email.changed',
  'email.change-undone',
  'totp.on',
  'totp.off',
  'passkey.added',
  'passkey.removed',
  'identity.linked',
  'identity.unlinked',
] as const;
export type AccountEventName = (typeof accountEvents)[number];

const accountHistoryEntrySchema = z.object({
  id: idSchema,
  at: instantSchema,
  event: z.enum(accountEvents),
  /** `unknown`: the holder of a link, or the operator of the server at its console. */
  by: z.enum(['owner', 'admin', 'unknown']),
  /** Name of the admin, if it was one. */
  byName: z.string().nullable(),
  /** Shortened IP address of the request; empty for admins and the console. */
  ipPrefix: z.string(),
});
export type AccountHistoryEntry = z.output<typeof accountHistoryEntrySchema>;

export const getAccountHistory = endpoint('getAccountHistory', {
  access: 'session',
  summary: 'Changes of who can sign in to the user’s account, and who made them, newest first.',
  query: z.object({ cursor: idSchema.optional(), limit: wholeNumberSchema(1, 200).default(20) }),
  reply: z.object({ items: z.array(accountHistoryEntrySchema), nextCursor: idSchema.nullable() }),
  statuses: [200],
  errors: ['validation'],
});

export const acknowledgeNotices = endpoint('acknowledgeNotices', {
  access: 'session',
  summary:
    'Confirm the notices of `getSession` up to an instant. For 30 days each other session shows them once more, because the user of a reset link may have confirmed them.',
  body: z.strictObject({ until: instantSchema }),
  statuses: [204],
  errors: ['validation'],
});
