import { z } from 'zod';
import { limits } from './limits.ts';
import { shareDelaysMs } from './share-delays.ts';
import { markerSchema } from './markers-api.ts';
import { noteSchema } from './notes-api.ts';
import { recordedTimeSchema } from './recorded-time.ts';
import { gapSchema } from './recordings.ts';
import {
  displayNameSchema,
  durationMsSchema,
  emailSchema,
  idSchema,
  instantSchema,
  languageTagSchema,
  shareLabelSchema,
  shareTitleSchema,
  shareMessageSchema,
} from './values.ts';

/** The token in a link's path: 16 random bytes in base58, which has no look-alike characters. */
export const shareToken = /^[1-9A-HJ-NP-Za-km-z]{22}$/;

/** Who may open a link: `anyone`, any signed-in user of this `installation`, or the `named` users. */
const shareAudienceSchema = z.enum(['anyone', 'installation', 'named']);

/**
 * `audio`: the part that is played, as it is played. `formats`: also converted. `original`: also the unchanged
 * file; whole recordings only.
 */
const shareDownloadSchema = z.enum(['off', 'audio', 'formats', 'original']);
export type ShareDownload = z.output<typeof shareDownloadSchema>;

/** What listeners see besides the sound and its length. */
export const shareShowsSchema = z.strictObject({
  title: z.boolean(),
  owner: z.boolean(),
  date: z.boolean(),
  markers: z.boolean(),
  notes: z.boolean(),
  gaps: z.boolean(),
});
export type ShareShows = z.output<typeof shareShowsSchema>;

/** What a page that links to the share may show of it. Messengers store previews, also after a revocation. */
const sharePreviewSchema = z.enum(['none', 'text', 'sound']);
export type SharePreview = z.output<typeof sharePreviewSchema>;

export const shareLiveSchema = z.strictObject({
  delayMs: z.literal(shareDelaysMs),
  /** Whether the link is closed after Stop until its owner opens it. */
  isHeldAfterStop: z.boolean(),
});
export type ShareLive = z.output<typeof shareLiveSchema>;

/** The origin of a page that may embed the player, such as `https://blog.example`. */
const originSchema = z
  .string()
  .max(limits.share.originLength)
  .regex(/^https?:\/\/(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/, { error: 'origin' });

export const shareEmbedSchema = z.union([
  z.literal('any'),
  z.array(originSchema).min(1).max(limits.share.origins),
]);
export type ShareEmbed = z.output<typeof shareEmbedSchema>;

/** The settings of a link that its owner can change. */
export const shareSettingsSchema = z.strictObject({
  audience: shareAudienceSchema,
  /** E-mail addresses of the users who may open a link for `named` users. */
  people: z.array(emailSchema).max(limits.share.people),
  /** Shown instead of the recording's title; null shows that. */
  title: shareTitleSchema.nullable(),
  message: shareMessageSchema,
  /** The part that leaves; null: to the end, which grows with the recording. */
  fromMs: durationMsSchema,
  toMs: durationMsSchema.nullable(),
  shows: shareShowsSchema,
  download: shareDownloadSchema,
  /** Null: it does not expire. */
  expiresAt: instantSchema.nullable(),
  /** The link is used up after this number of listens; null: no limit. Only links of earlier versions have one. */
  maxListens: z.int().min(1).max(limits.share.listens).nullable(),
  /** Null: the link plays nothing while the recording is being made. */
  live: shareLiveSchema.nullable(),
  /** Null: no page may embed the player. */
  embed: shareEmbedSchema.nullable(),
  preview: sharePreviewSchema,
  /** For whom the link is, for its owner only. */
  recipientLabel: shareLabelSchema,
});
export type ShareSettings = z.output<typeof shareSettingsSchema>;

/** 8 to 256 characters. */
export const sharePasswordSchema = z
  .string()
  .min(limits.share.password.minLength)
  .max(limits.share.password.maxLength);

/**
 * `suspended`: its recording is in the trash or was restored from it, its owner is disabled, or the installation's
 * rules forbid it. It becomes active again when that ends; after a restore, when its owner turns it on. `revoked` is
 * final.
 */
export const shareStateSchema = z.enum(['active', 'suspended', 'expired', 'used-up', 'revoked']);
export type ShareState = z.output<typeof shareStateSchema>;

/** A user who asked to listen to a link that is for others. */
const accessRequestSchema = z.object({
  userId: idSchema,
  name: displayNameSchema,
  email: emailSchema,
  /** Whether the user has proven that the address is theirs. */
  isEmailProven: z.boolean(),
  requestedAt: instantSchema,
});
export type AccessRequest = z.output<typeof accessRequestSchema>;

/** A link as its owner sees it. */
export const shareSchema = shareSettingsSchema.extend({
  id: idSchema,
  recordingId: idSchema,
  recordingTitle: z.string(),
  /** When the recording was made, which names it if it has no title. */
  recordedTime: recordedTimeSchema,
  /** The address; null if the server lost the key that encrypts it. It still opens the link. */
  url: z.url().nullable(),
  hasPassword: z.boolean(),
  /** Too many wrong passwords were given: nobody can give it until the owner sets another one. */
  isPasswordLocked: z.boolean(),
  /** How much of its part its listeners hear as silence, because its owner muted it. */
  mutedMs: durationMsSchema,
  /** Whether a link that is held after Stop has been opened. */
  isReleased: z.boolean(),
  state: shareStateSchema,
  /** `restore`: its recording was restored from the trash, and its owner has not turned it on since. */
  suspendedBy: z.enum(['trash', 'restore', 'owner-disabled', 'policy']).nullable(),
  /** How often its page was opened, and how often someone started to play it. */
  openCount: z.int().min(0),
  listenCount: z.int().min(0),
  lastListenedAt: instantSchema.nullable(),
  /** How many of its pages are open now; null if the server that answers doesn't know those of other servers. */
  listeningCount: z.int().min(0).nullable(),
  /** Of a link for named users: the requests that wait for an answer, oldest first. */
  accessRequests: z.array(accessRequestSchema),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  endedAt: instantSchema.nullable(),
  /** Incremented by every change. */
  revision: z.int().min(1),
});
export type Share = z.output<typeof shareSchema>;

/** What the installation's admins allow. */
export const sharingPolicySchema = z.strictObject({
  /** `users`: only signed-in users of this installation may be given links. */
  links: z.enum(['off', 'users', 'on']),
  /** Null: a link need not expire. */
  longestDays: z.int().min(1).max(limits.share.expiryDays).nullable(),
  defaultDays: z.int().min(1).max(limits.share.expiryDays),
  isPasswordRequired: z.boolean(),
  mayDownload: z.boolean(),
  mayDownloadOriginal: z.boolean(),
  mayEmbed: z.boolean(),
  mayPreview: z.boolean(),
  mayGoLive: z.boolean(),
});
export type SharingPolicy = z.output<typeof sharingPolicySchema>;

/** What the listening page shows of a link. Times count from the start of the shared part. */
export const sharedRecordingSchema = z.object({
  /** Null: hidden, or the recording has none. */
  title: z.string().nullable(),
  message: z.string(),
  /** The language of the recording. */
  language: languageTagSchema.nullable(),
  owner: displayNameSchema.nullable(),
  recordedTime: recordedTimeSchema.nullable(),
  expiresAt: instantSchema.nullable(),
  /**
   * `not-started`: a live link before the first sound. `live`: being recorded. `preparing`: the server is still
   * making the sound that browsers play; `failed`: it could not. `held`: stopped, and not opened yet by its owner.
   * `complete`: all of it.
   */
  state: z.enum(['not-started', 'live', 'preparing', 'failed', 'held', 'complete']),
  durationMs: durationMsSchema,
  /** How far the sound is behind the recording while it is live. */
  delayMs: z.int().min(0),
  /** Whether each listen counts against a limit, and begins with `POST …/listens`. */
  isCounted: z.boolean(),
  /** Whether it can be played as M4A too once it is complete, for browsers without Ogg/Opus. */
  hasM4a: z.boolean(),
  downloads: z.array(z.enum(['ogg', 'm4a', 'mp3', 'wav', 'flac', 'original'])),
  peaksPoints: z.int().min(0),
  markers: z.array(markerSchema.pick({ atMs: true, label: true, colour: true })),
  notes: z.array(noteSchema.pick({ fromMs: true, toMs: true, text: true })),
  gaps: z.array(gapSchema),
  /** The passages that are muted for listeners, and silent in the sound. */
  offRecord: z.array(z.object({ atMs: durationMsSchema, durationMs: durationMsSchema })),
  /** Whether a live link is silent now because the take is muted for listeners. */
  isOffRecord: z.boolean(),
});
export type SharedRecording = z.output<typeof sharedRecordingSchema>;

/** Why a link has ended: `unavailable` is its recording in the trash, its owner, or a rule. */
export const shareEndReasonSchema = z.enum(['expired', 'revoked', 'used-up', 'unavailable']);
export type ShareEndReason = z.output<typeof shareEndReasonSchema>;

/** What the server sends to open pages of a link. `share-changed`: request it again. */
const shareEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('share-changed') }),
  z.object({ type: z.literal('share-grew'), durationMs: durationMsSchema, isOffRecord: z.boolean() }),
  z.object({ type: z.literal('share-ended'), reason: shareEndReasonSchema }),
]);
export type ShareEvent = z.output<typeof shareEventSchema>;
