import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Share } from '#contract/shares.ts';
import { formatsFor } from '#web/i18n/format.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { endMessage } from './share-states.ts';
import { shownThings, thingMessages } from './shown-things.ts';

/** What a link allows: of the stored one, or of one with unsaved changes. */
export type ShareTerms = Pick<
  Share,
  | 'audience'
  | 'fromMs'
  | 'toMs'
  | 'shows'
  | 'download'
  | 'expiresAt'
  | 'maxListens'
  | 'live'
  | 'embed'
  | 'preview'
  | 'hasPassword'
  | 'isReleased'
  | 'state'
  | 'suspendedBy'
> & {
  /** How much of the part listeners hear as silence; null if that is not known. */
  mutedMs: number | null;
};

export interface SummaryContext {
  i18n: I18n;
  /** Whether the recording is being made; null if that is not known. */
  isGrowing: boolean | null;
}

type Listeners = 'anyone' | 'password' | 'account' | 'named';

const whole: Record<Listeners, MessageDescriptor> = {
  anyone: msg`Anyone with the link can listen to the whole recording. The link doesn’t expire.`,
  password: msg`Anyone with the link and its password can listen to the whole recording. The link doesn’t expire.`,
  account: msg`Anyone with the link and an account on this server can listen to the whole recording. The link doesn’t expire.`,
  named: msg`Only the people you name can listen to the whole recording. The link doesn’t expire.`,
};
const wholeUntil: Record<Listeners, (until: string) => MessageDescriptor> = {
  anyone: (until) => msg`Anyone with the link can listen to the whole recording until ${until}.`,
  password: (until) =>
    msg`Anyone with the link and its password can listen to the whole recording until ${until}.`,
  account: (until) =>
    msg`Anyone with the link and an account on this server can listen to the whole recording until ${until}.`,
  named: (until) => msg`Only the people you name can listen to the whole recording until ${until}.`,
};
const part: Record<Listeners, (span: string) => MessageDescriptor> = {
  anyone: (span) => msg`Anyone with the link can listen to ${span}. The link doesn’t expire.`,
  password: (span) =>
    msg`Anyone with the link and its password can listen to ${span}. The link doesn’t expire.`,
  account: (span) =>
    msg`Anyone with the link and an account on this server can listen to ${span}. The link doesn’t expire.`,
  named: (span) => msg`Only the people you name can listen to ${span}. The link doesn’t expire.`,
};
const partUntil: Record<Listeners, (span: string, until: string) => MessageDescriptor> = {
  anyone: (span, until) => msg`Anyone with the link can listen to ${span} until ${until}.`,
  password: (span, until) => msg`Anyone with the link and its password can listen to ${span} until ${until}.`,
  account: (span, until) =>
    msg`Anyone with the link and an account on this server can listen to ${span} until ${until}.`,
  named: (span, until) => msg`Only the people you name can listen to ${span} until ${until}.`,
};

const downloads: Record<Share['download'], MessageDescriptor> = {
  off: msg`Listeners can’t download it.`,
  audio: msg`Listeners can download it.`,
  formats: msg`Listeners can download it in several formats.`,
  original: msg`Listeners can download it in several formats, and the original file.`,
};

const previews: Record<Exclude<Share['preview'], 'none'>, MessageDescriptor> = {
  text: msg`Other apps show a preview of the link.`,
  sound: msg`Other apps show a preview of the link and can play it.`,
};

function listenersOf({ audience, hasPassword }: ShareTerms): Listeners {
  if (audience === 'named') return 'named';
  if (audience === 'installation') return 'account';
  return hasPassword ? 'password' : 'anyone';
}

/** Whether the link covers the recording from its start to its end. */
export const coversWhole = ({ fromMs, toMs }: Pick<Share, 'fromMs' | 'toMs'>): boolean =>
  fromMs === 0 && toMs === null;

/** No line break beside it. */
const dash = '\u2060–\u2060';

/** The shared part, as 12:00–14:30. Tenths are shown if there are any, because 0.9 s more would be more. */
function spanText({ fromMs, toMs }: Pick<Share, 'fromMs' | 'toMs'>): string {
  const write = (ms: number): string => formatTimecode(ms, { tenths: ms % 1000 !== 0 });
  return isoLeftToRight(`${write(fromMs)}${dash}${toMs === null ? '…' : write(toMs)}`);
}

function whoAndWhat(terms: ShareTerms, until: string | null): MessageDescriptor {
  const listeners = listenersOf(terms);
  if (coversWhole(terms)) return until === null ? whole[listeners] : wholeUntil[listeners](until);
  const span = spanText(terms);
  return until === null ? part[listeners](span) : partUntil[listeners](span, until);
}

/** What of the shared part listeners don't hear; null for nothing. */
function mutedMessage({ mutedMs }: ShareTerms, { i18n }: SummaryContext): MessageDescriptor | null {
  if (mutedMs === null || mutedMs === 0) return null;
  const length = formatsFor(regionalLocale(i18n.locale)).duration(mutedMs);
  return msg`Except what you muted for listeners: ${length}.`;
}

/** What listeners hear while the recording is being made; null if it isn’t, or that is not known. */
function liveMessage({ live }: ShareTerms, { i18n, isGrowing }: SummaryContext): MessageDescriptor | null {
  if (isGrowing !== true) return null;
  if (live === null) return msg`The link plays nothing until the recording is finished.`;
  if (live.delayMs === 0) return msg`Listeners hear the recording while it’s being made.`;
  const delay = formatsFor(regionalLocale(i18n.locale)).duration(live.delayMs);
  return msg`Listeners hear the recording while it’s being made. Delay: ${delay}.`;
}

/** Says that the link is closed after Stop. */
function heldMessage(
  { live, isReleased }: ShareTerms,
  { isGrowing }: SummaryContext,
): MessageDescriptor | null {
  if (!live?.isHeldAfterStop || isReleased) return null;
  return isGrowing === false
    ? msg`The link plays nothing until you open it.`
    : msg`After Stop, the link plays nothing until you open it.`;
}

function embedMessage({ embed }: ShareTerms, { i18n }: SummaryContext): MessageDescriptor | null {
  if (embed === null) return null;
  if (embed === 'any') return msg`Any website can show the player.`;
  const websites = formatsFor(i18n.locale).list(embed.map((origin) => isoLeftToRight(origin)));
  return msg`Websites that can show the player: ${websites}.`;
}

function shownMessage({ shows }: ShareTerms, { i18n }: SummaryContext): MessageDescriptor | null {
  const shown = shownThings.filter((thing) => shows[thing]).map((thing) => i18n._(thingMessages[thing]));
  if (shown.length === 0) return null;
  // The names are those of the form, so they are listed rather than joined by “and”.
  const things = new Intl.ListFormat(i18n.locale, { type: 'unit', style: 'short' }).format(shown);
  return msg`Listeners see: ${things}.`;
}

function listensMessage({ maxListens }: ShareTerms, { i18n }: SummaryContext): MessageDescriptor | null {
  if (maxListens === null) return null;
  const limit = formatsFor(regionalLocale(i18n.locale)).number(maxListens);
  return msg`Limit of listens: ${limit}.`;
}

/**
 * What a link allows, in whole sentences of the current language, the most important first. A link that does not
 * work gets one sentence, which says why.
 */
export function summaryOf(terms: ShareTerms, context: SummaryContext): string[] {
  const { i18n } = context;
  const format = formatsFor(regionalLocale(i18n.locale));
  const until = terms.expiresAt === null ? null : format.dateTime(terms.expiresAt);
  const ended = endMessage(terms, until);
  if (ended) return [i18n._(ended)];
  const messages = [
    whoAndWhat(terms, until),
    mutedMessage(terms, context),
    terms.hasPassword && terms.audience !== 'anyone' ? msg`Listeners also need the password.` : null,
    downloads[terms.download],
    liveMessage(terms, context),
    heldMessage(terms, context),
    listensMessage(terms, context),
    shownMessage(terms, context),
    embedMessage(terms, context),
    terms.preview === 'none' ? null : previews[terms.preview],
  ];
  return messages.flatMap((message) => (message ? [i18n._(message)] : []));
}

/** What a link allows in one sentence, or what listeners hear now: for a message that must be short. */
export function shortSummaryOf(terms: ShareTerms, context: SummaryContext): string {
  const [first = ''] = summaryOf(terms, context);
  const live = terms.live === null ? null : liveMessage(terms, context);
  return live === null ? first : context.i18n._(live);
}
