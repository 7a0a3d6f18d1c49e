import { wholeNumberIn } from '#base/numbers/whole-number.ts';
import { latinDigits } from '#base/text.ts';
import { msOf } from '#base/labels/label-time.ts';
import { day } from '#base/duration.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import type { changeShare } from '#contract/shares-api.ts';
import type { Share, ShareDownload, ShareSettings, SharingPolicy } from '#contract/shares.ts';
import { writeTime } from './write-time.ts';
import { coversWhole, type ShareTerms } from './share-summary.ts';

/** The changes that a form sends, without the revision. */
export type ShareChanges = Omit<BodyOf<typeof changeShare>, 'revision'>;

/** When a link expires: as it does now, a number of days from now, or never. */
type FormExpiry = 'stored' | 'never' | number;

/** The settings of a link while they are edited. Texts are as typed. */
export interface ShareForm {
  audience: Share['audience'];
  people: string;
  isPart: boolean;
  from: string;
  to: string;
  expiry: FormExpiry;
  /** Undefined: unchanged; null: to be removed. */
  password: string | null | undefined;
  download: ShareDownload;
  shows: Share['shows'];
  maxListens: string;
  recipientLabel: string;
  /** Empty: the recording's own. */
  title: string;
  message: string;
  live: Share['live'];
  preview: Share['preview'];
  embed: 'none' | 'any' | 'listed';
  origins: string;
}

export type FormField = 'people' | 'from' | 'to' | 'password' | 'maxListens' | 'origins';
/** The rule that a field breaks. */
export type FormProblem =
  | 'empty'
  | 'email'
  | 'time'
  | 'order'
  | 'beyond-end'
  | 'length'
  | 'number'
  | 'address';

/** What a form is checked against. */
export interface FormContext {
  share: Share;
  policy: SharingPolicy;
  /** The length of the recording; null while it is being made. */
  durationMs: number | null;
  nowMs: number;
}

export type ReadForm =
  | { problems: Partial<Record<FormField, FormProblem>>; changes: null }
  | { problems: null; changes: ShareChanges };

/** A part of a recording, such as the selection in the player. */
export interface SharedSpan {
  fromMs: number;
  toMs: number;
}

/** The form of a stored link. `suggested` is offered if a part is chosen instead of the whole recording. */
export function formOf(share: Share, suggested: SharedSpan | null): ShareForm {
  const { fromMs, toMs, embed } = share;
  const span = coversWhole(share) && suggested ? suggested : { fromMs, toMs };
  return {
    audience: share.audience,
    people: share.people.join(', '),
    isPart: !coversWhole(share),
    from: writeTime(span.fromMs),
    to: span.toMs === null ? '' : writeTime(span.toMs),
    expiry: 'stored',
    password: undefined,
    download: share.download,
    shows: share.shows,
    maxListens: share.maxListens === null ? '' : String(share.maxListens),
    recipientLabel: share.recipientLabel,
    title: share.title ?? '',
    message: share.message,
    live: share.live,
    preview: share.preview,
    embed: embed === null ? 'none' : embed === 'any' ? 'any' : 'listed',
    origins: Array.isArray(embed) ? embed.join(', ') : '',
  };
}

/** The downloads that a form saves: what is no longer offered must not stay in effect. */
export const downloadAfter = (
  { download }: Pick<ShareForm, 'download'>,
  offered: readonly ShareDownload[],
): ShareDownload => (offered.includes(download) ? download : (offered.at(-1) ?? 'off'));

const splitList = (text: string): string[] => text.split(/[\s,;،]+/u).filter((entry) => entry !== '');

/** The origin of a typed website, such as `https://blog.example`; null if it has none. */
function originOf(typed: string): string | null {
  const text = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(text)) return null;
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) && origin.length <= limits.share.originLength ? origin : null;
}

type Read<Value> = { value: Value } | { problem: FormProblem };

function readPeople({ audience, people }: ShareForm): Read<string[]> {
  if (audience !== 'named') return { value: [] };
  const emails = [...new Set(splitList(people))];
  if (emails.length === 0) return { problem: 'empty' };
  const isValid = emails.every((email) => /^[^@]+@[^@]+$/.test(email) && email.length <= limits.emailLength);
  return isValid && emails.length <= limits.share.people ? { value: emails } : { problem: 'email' };
}

function readOrigins({ embed, origins }: ShareForm): Read<Share['embed']> {
  if (embed === 'none') return { value: null };
  if (embed === 'any') return { value: 'any' };
  const read = splitList(origins).map(originOf);
  if (read.length === 0) return { problem: 'empty' };
  const known = [...new Set(read.filter((origin) => origin !== null))];
  return read.includes(null) || known.length > limits.share.origins
    ? { problem: 'address' }
    : { value: known };
}

function readListens({ maxListens }: ShareForm): Read<number | null> {
  const typed = maxListens.trim();
  if (typed === '') return { value: null };
  const count = wholeNumberIn(typed, { min: 1, max: limits.share.listens });
  return count === null ? { problem: 'number' } : { value: count };
}

function readFrom({ isPart, from }: ShareForm, { durationMs }: FormContext): Read<number> {
  if (!isPart) return { value: 0 };
  const fromMs = msOf(latinDigits(from));
  if (fromMs === null) return { problem: 'time' };
  return durationMs !== null && fromMs >= durationMs ? { problem: 'beyond-end' } : { value: fromMs };
}

function readTo({ isPart, from, to }: ShareForm, { durationMs }: FormContext): Read<number | null> {
  if (!isPart || to.trim() === '') return { value: null };
  const toMs = msOf(latinDigits(to));
  if (toMs === null) return { problem: 'time' };
  const fromMs = msOf(latinDigits(from)) ?? 0;
  if (toMs - fromMs < limits.share.minMs) return { problem: 'order' };
  return durationMs !== null && toMs > durationMs ? { problem: 'beyond-end' } : { value: toMs };
}

function readPassword({ password }: ShareForm): Read<string | null | undefined> {
  const { minLength, maxLength } = limits.share.password;
  const isRight =
    typeof password !== 'string' || (password.length >= minLength && password.length <= maxLength);
  return isRight ? { value: password } : { problem: 'length' };
}

/** Whether a link with these settings would ask for a password. */
const willHavePassword = (
  { password }: Pick<ShareForm, 'password'>,
  { hasPassword }: Pick<Share, 'hasPassword'>,
): boolean => (password === undefined ? hasPassword : password !== null);

/** What a form may offer: by the rules of the server, and by its other settings. */
export function offersOf(
  form: Pick<ShareForm, 'audience' | 'isPart' | 'password' | 'live' | 'maxListens'>,
  { share, policy }: Pick<FormContext, 'share' | 'policy'>,
): {
  downloads: readonly ShareDownload[];
  mayEmbed: boolean;
  mayPreview: boolean;
  mayRemovePassword: boolean;
} {
  const isOpen = form.audience === 'anyone' && !willHavePassword(form, share);
  const downloads: ShareDownload[] = ['off'];
  if (policy.mayDownload) downloads.push('audio', 'formats');
  if (policy.mayDownload && policy.mayDownloadOriginal && !form.isPart) downloads.push('original');
  return {
    downloads,
    mayEmbed: policy.mayEmbed && isOpen && form.maxListens.trim() === '',
    mayPreview: policy.mayPreview && isOpen && form.live === null,
    mayRemovePassword: !policy.isPasswordRequired,
  };
}

/** When a link with this choice expires; null for never. */
function expiresAtOf(expiry: FormExpiry, { share, nowMs }: Pick<FormContext, 'share' | 'nowMs'>) {
  if (expiry === 'stored') return share.expiresAt;
  return expiry === 'never' ? null : new Date(nowMs + expiry * day).toISOString();
}

function settingsOf(form: ShareForm, context: FormContext, read: ReadValues): ShareSettings {
  const { downloads, mayPreview } = offersOf(form, context);
  return {
    audience: form.audience,
    people: read.people,
    title: form.title.trim() === '' ? null : form.title.trim(),
    message: form.message.trim(),
    fromMs: read.from,
    toMs: read.to,
    shows: form.shows,
    download: downloadAfter(form, downloads),
    expiresAt: expiresAtOf(form.expiry, context),
    maxListens: read.maxListens,
    live: form.live,
    embed: read.origins,
    preview: mayPreview ? form.preview : 'none',
    recipientLabel: form.recipientLabel.trim(),
  };
}

interface ReadValues {
  people: string[];
  from: number;
  to: number | null;
  maxListens: number | null;
  origins: Share['embed'];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The changes between the stored link and the form, or what is wrong in it. */
export function readForm(form: ShareForm, context: FormContext): ReadForm {
  const { share } = context;
  const problems: Partial<Record<FormField, FormProblem>> = {};
  const check = <Value>(field: FormField, read: Read<Value>, stored: Value): Value => {
    if ('value' in read) return read.value;
    problems[field] = read.problem;
    return stored;
  };
  check('password', readPassword(form), null);
  const settings = settingsOf(form, context, {
    people: check('people', readPeople(form), share.people),
    from: check('from', readFrom(form, context), share.fromMs),
    to: check('to', readTo(form, context), share.toMs),
    maxListens: check('maxListens', readListens(form), share.maxListens),
    origins: offersOf(form, context).mayEmbed ? check('origins', readOrigins(form), share.embed) : null,
  });
  if (Object.keys(problems).length > 0) return { problems, changes: null };
  const changes: ShareChanges = Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => !isSame(value, share[key as keyof ShareSettings])),
  );
  if (form.password !== undefined) changes.password = form.password;
  return { problems: null, changes };
}

/** Whether a newer version of a link has the same password for certain: a new address is the only change that it has. */
export const isNewAddress = (before: Share, after: Share): boolean =>
  after.revision === before.revision + 1 && after.url !== before.url;

/** The settings among some changes, without those that are undefined. */
const given = ({
  password: _password,
  isReleased: _isReleased,
  isOn: _isOn,
  ...settings
}: ShareChanges): Partial<ShareSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/**
 * What the link would allow with some changes. A change makes an expired or used-up link work again. Null for a link
 * that a rule suspends: only the server can check whether the changed link still breaks one.
 */
export function termsAfter(share: Share, changes: ShareChanges, nowMs: number): ShareTerms | null {
  if (share.state === 'suspended' && share.suspendedBy === 'policy') return null;
  const next = { ...share, ...given(changes) };
  const isExpired = next.expiresAt !== null && Date.parse(next.expiresAt) <= nowMs;
  const isUsedUp = next.maxListens !== null && share.listenCount >= next.maxListens;
  const state =
    share.state === 'revoked' || share.state === 'suspended'
      ? share.state
      : isExpired
        ? 'expired'
        : isUsedUp
          ? 'used-up'
          : 'active';
  const hasPart = changes.fromMs !== undefined || changes.toMs !== undefined;
  // Only the server knows how much of another part is muted.
  const mutedMs = hasPart && share.mutedMs > 0 ? null : share.mutedMs;
  return { ...next, state, mutedMs, hasPassword: willHavePassword({ password: changes.password }, share) };
}
