import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  sharePasswordSchema,
  shareSchema,
  shareSettingsSchema,
  shareStateSchema,
  sharingPolicySchema,
} from './shares.ts';
import { idSchema } from './values.ts';

/** Nothing but the id is required: the defaults are the safe ones of the installation. */
export const newShareSchema = shareSettingsSchema.partial().extend({
  /** Made on the device; repeating it returns the existing link. */
  id: idSchema,
  password: sharePasswordSchema.nullable().optional(),
});
export type NewShare = z.input<typeof newShareSchema>;

const settingsErrors = [
  'validation',
  'sharing-forbidden',
  'window-empty',
  'window-unsupported',
  'too-many-shares',
] as const;

export const createShare = endpoint('createShare', {
  access: 'session',
  summary: 'Share a recording or a part of it by a link. The reply has the address.',
  isKeyed: true,
  body: newShareSchema,
  reply: shareSchema,
  statuses: [201, 200],
  errors: ['not-found', ...settingsErrors],
});

export const listShares = endpoint('listShares', {
  access: 'session',
  summary: 'Everything that opens a recording to others, ended links too, newest first.',
  reply: z.object({ items: z.array(shareSchema), policy: sharingPolicySchema }),
  statuses: [200],
  errors: ['not-found'],
});

export const listAllShares = endpoint('listAllShares', {
  access: 'session',
  summary: 'All links of the user, newest first.',
  query: z.strictObject({ state: shareStateSchema.optional() }),
  reply: z.object({ items: z.array(shareSchema), policy: sharingPolicySchema }),
  statuses: [200],
  errors: ['validation'],
});

export const changeShare = endpoint('changeShare', {
  access: 'session',
  summary:
    'Change a link. `revision` is the one that the change is based on; if the link has a later one, nothing changes: share-changed. A new password ends the visits of those who used the old one.',
  body: shareSettingsSchema.partial().extend({
    revision: z.int().min(1),
    /** Null removes the password. */
    password: sharePasswordSchema.nullable().optional(),
    /** Opens a link that is held after Stop. */
    isReleased: z.literal(true).optional(),
    /** Turns a link on that a restore from the trash left off. */
    isOn: z.literal(true).optional(),
  }),
  reply: shareSchema,
  statuses: [200],
  errors: ['not-found', 'share-changed', 'already-revoked', ...settingsErrors],
});

export const revokeShare = endpoint('revokeShare', {
  access: 'session',
  summary: 'End a link for good; what plays it stops within a second. Idempotent.',
  reply: shareSchema,
  statuses: [200],
  errors: ['not-found'],
});

export const renewShareAddress = endpoint('renewShareAddress', {
  access: 'session',
  summary: 'Give a link a new address. The old one ends at once.',
  isKeyed: true,
  reply: shareSchema,
  statuses: [200],
  errors: ['not-found', 'already-revoked'],
});

export const revokeShares = endpoint('revokeShares', {
  access: 'session',
  summary: 'End many links for good: all of the user, or those of one recording or one recipient.',
  body: z.strictObject({
    recordingId: idSchema.optional(),
    recipientLabel: shareSettingsSchema.shape.recipientLabel.optional(),
  }),
  reply: z.object({ revokedCount: z.int().min(0) }),
  statuses: [200],
  errors: ['validation'],
});

export const answerShareAccess = endpoint('answerShareAccess', {
  access: 'session',
  summary:
    'Answer a request for access to a link. Allowing it adds the user to the people of the link; after a refusal the user cannot ask again.',
  body: z.strictObject({ isAllowed: z.boolean() }),
  reply: shareSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'share-changed', 'already-revoked'],
});

export const listShareDays = endpoint('listShareDays', {
  access: 'session',
  summary: 'How often a link was opened and played on each day (UTC), oldest first. No addresses are stored.',
  reply: z.object({
    items: z.array(
      z.object({
        day: z.iso.date(),
        openCount: z.int().min(0),
        listenCount: z.int().min(0),
        wholeListenCount: z.int().min(0),
      }),
    ),
  }),
  statuses: [200],
  errors: ['not-found'],
});

export const getSharingPolicy = endpoint('getSharingPolicy', {
  access: 'session',
  summary: 'For admins: what users may share, and how many links the rules suspend.',
  reply: z.object({ policy: sharingPolicySchema, suspendedCount: z.int().min(0) }),
  statuses: [200],
  errors: ['forbidden'],
});

export const changeSharingPolicy = endpoint('changeSharingPolicy', {
  access: 'session',
  summary: 'For admins: change what users may share. Links that break a rule are suspended, not deleted.',
  body: sharingPolicySchema.partial(),
  reply: z.object({ policy: sharingPolicySchema, suspendedCount: z.int().min(0) }),
  statuses: [200],
  errors: ['validation', 'forbidden'],
});

export const listSharesAsAdmin = endpoint('listSharesAsAdmin', {
  access: 'session',
  summary: 'For admins: the links of all users, without titles and addresses, newest first.',
  reply: z.object({
    items: z.array(
      shareSchema
        .pick({ id: true, audience: true, state: true, hasPassword: true, expiresAt: true, createdAt: true })
        .extend({ ownerName: z.string(), listenCount: z.int().min(0) }),
    ),
  }),
  statuses: [200],
  errors: ['forbidden'],
});

export const revokeShareAsAdmin = endpoint('revokeShareAsAdmin', {
  access: 'session',
  summary: 'For admins: end a link for good. Idempotent.',
  statuses: [204],
  errors: ['not-found', 'forbidden'],
});
