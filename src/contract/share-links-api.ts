import { z } from 'zod';
import { linkEndpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { sharedRecordingSchema, shareToken } from './shares.ts';
import { wholeNumberSchema } from './values.ts';

/** Calls of those who have a link. `share-locked`: works before the password is given. */
const params = { token: z.string().regex(shareToken) };

/**
 * Other sites and mail programs add parameters to links (`fbclid`, `utm_source`, …), and parameters can be cut or
 * doubled on the way. Addresses that people open ignore what they don't know, and a `lang` that is none.
 */
const lang = z.string().max(35).optional().catch(undefined);
const pageQuery = z.object({ lang });

const shareErrors = [
  'link-not-found',
  'share-ended',
  'share-password-required',
  'share-not-for-you',
  'session-required',
  'share-changed',
  'rate-limited',
] as const;

export const getSharePage = linkEndpoint('getSharePage', {
  access: 'share-locked',
  params,
  summary:
    'The listening page of a link. It asks for a password where one is set, and works without scripts.',
  query: pageQuery.extend({
    /** Where a further part of long lists begins, from a link of the page. */
    after: z.string().max(500).optional().catch(undefined),
  }),
  replyKind: 'bytes',
  replyMediaTypes: ['text/html'],
  statuses: [200],
  errors: [...shareErrors],
});

export const unlockShare = linkEndpoint('unlockShare', {
  access: 'share-locked',
  params,
  summary:
    'Give the password of a link, as JSON (204) or as a form (303 to its page). Sets a cookie for 12 hours.',
  body: z.strictObject({ password: z.string().max(limits.share.password.maxLength) }),
  isForm: true,
  query: pageQuery,
  statuses: [204, 303],
  errors: [...shareErrors, 'share-password-wrong', 'validation'],
});

export const requestShareAccess = linkEndpoint('requestShareAccess', {
  access: 'share-outsider',
  params,
  summary:
    'Ask for access to a link for named users, as a signed-in user who is not among them. Its owner sees name and email address. Idempotent; from a form (303 to the page of the link) or a script (204).',
  query: pageQuery,
  statuses: [204, 303],
  errors: [...shareErrors],
});

export const getSharedRecording = linkEndpoint('getSharedRecording', {
  access: 'share',
  params,
  summary:
    'What a link shows, clipped to the shared part. `without=labels` leaves out its markers and notes.',
  query: z.object({ without: z.literal('labels').optional().catch(undefined) }),
  reply: sharedRecordingSchema,
  statuses: [200],
  errors: [...shareErrors],
});

export const getShareAudio = linkEndpoint('getShareAudio', {
  access: 'share',
  params,
  summary:
    'The sound of the shared part, by byte range. `m4a` is made on first use, of complete sound, and always whole: it ignores `until` and `section`. `until` is the end in milliseconds since the start of the part, so that a growing recording has a fixed length for a player; it never makes the part longer. `section` gives the Nth twelve hours of the Ogg as a stream of its own (`audioSectionMs` of a recording); not-found after the last one.',
  query: z.object({
    format: z.enum(['ogg', 'm4a']).default('ogg'),
    until: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER).optional(),
    section: wholeNumberSchema(0, 1000).optional(),
  }),
  replyKind: 'bytes',
  replyMediaTypes: ['audio/ogg', 'audio/mp4'],
  statuses: [200, 206, 304],
  errors: [
    ...shareErrors,
    'not-found',
    'share-not-started',
    'share-listen-required',
    'window-unsupported',
    'range-not-satisfiable',
    'conversion-unavailable',
    'conversion-failed',
    'validation',
  ],
});

export const getSharePeaks = linkEndpoint('getSharePeaks', {
  access: 'share',
  params,
  summary: 'The peaks of the shared part, by byte range, in the format of `getPeaks`.',
  replyKind: 'bytes',
  statuses: [200, 206, 304],
  errors: [...shareErrors, 'share-not-started', 'window-unsupported', 'range-not-satisfiable'],
});

export const getShareMarkers = linkEndpoint('getShareMarkers', {
  access: 'share',
  params,
  summary: 'The markers of the shared part as WebVTT chapters; empty if the link does not show them.',
  replyKind: 'bytes',
  replyMediaTypes: ['text/vtt'],
  statuses: [200],
  errors: [...shareErrors],
});

export const startListen = linkEndpoint('startListen', {
  access: 'share',
  params,
  summary:
    'Count a listen, or with `whole` a listen that reached the end. Needed before the audio of a link with a limited number of listens, for which it sets a cookie. From a form (303 to the page of the link) or a script (204).',
  query: z.object({ whole: z.literal('true').optional().catch(undefined), lang }),
  statuses: [204, 303],
  errors: [...shareErrors],
});

export const getShareEvents = linkEndpoint('getShareEvents', {
  access: 'share',
  params,
  summary: 'Server-sent events of a link: `share-changed`, `share-grew`, `share-ended`.',
  replyKind: 'event-stream',
  statuses: [200],
  errors: [...shareErrors],
});

export const downloadShare = linkEndpoint('downloadShare', {
  access: 'share',
  params,
  summary: 'The shared part as a file, where the link allows it.',
  query: z.object({ format: z.enum(['ogg', 'm4a', 'mp3', 'wav', 'flac', 'original']).default('ogg') }),
  replyKind: 'bytes',
  replyMediaTypes: ['audio/*', 'application/octet-stream'],
  statuses: [200, 206, 304],
  errors: [
    ...shareErrors,
    'share-download-off',
    'share-not-started',
    'share-listen-required',
    'window-unsupported',
    'range-not-satisfiable',
    'conversion-unavailable',
    'conversion-failed',
    'validation',
  ],
});

export const getShareCard = linkEndpoint('getShareCard', {
  access: 'share',
  params,
  summary: 'A picture of the waveform for previews, 1200 × 630; only where the link allows previews.',
  replyKind: 'bytes',
  replyMediaTypes: ['image/png'],
  statuses: [200, 304],
  errors: [...shareErrors],
});

export const getSharePlayer = linkEndpoint('getSharePlayer', {
  access: 'share',
  params,
  summary: 'The player that other pages embed, for the origins that the link names.',
  query: pageQuery,
  replyKind: 'bytes',
  replyMediaTypes: ['text/html'],
  statuses: [200],
  errors: [...shareErrors],
});

export const getOembed = linkEndpoint('getOembed', {
  access: 'anyone',
  summary: 'oEmbed (oembed.com, 2.3.4.3) for links that may be embedded.',
  query: z.object({
    url: z.string().max(2000),
    format: z.enum(['json', 'xml']).default('json'),
    maxwidth: wholeNumberSchema(1, 10_000).optional(),
    maxheight: wholeNumberSchema(1, 10_000).optional(),
  }),
  reply: z.record(z.string(), z.unknown()),
  statuses: [200],
  errors: ['link-not-found', 'validation', 'rate-limited'],
});
