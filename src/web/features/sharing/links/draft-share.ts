import { day } from '#base/duration.ts';
import type { Share, ShareLive, SharingPolicy } from '#contract/shares.ts';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { generatePassword } from '#web/features/sharing/terms/generate-password.ts';
import { formOf, type ShareForm } from '#web/features/sharing/terms/share-form.ts';

/** How far a live link is behind if its owner did not choose: time to pause before a word is heard. */
const defaultDelayMs: ShareLive['delayMs'] = 10_000;

/**
 * The settings of a new link that differ from the server's defaults, which are the safe ones: what the rules of the
 * server require, and live listening for a recording that is being made.
 */
export const newLinkOf = (
  { isGrowing }: Pick<ShareTarget, 'isGrowing'>,
  policy: SharingPolicy,
): { audience?: 'installation'; live?: ShareLive } => ({
  ...(policy.links === 'users' && { audience: 'installation' as const }),
  ...(isGrowing === true &&
    policy.mayGoLive && { live: { delayMs: defaultDelayMs, isHeldAfterStop: false } }),
});

/** A link that doesn't exist yet, as the server would create it. */
export function draftShareOf(target: ShareTarget, policy: SharingPolicy, nowMs: number): Share {
  const now = new Date(nowMs).toISOString();
  const days = Math.min(policy.defaultDays, policy.longestDays ?? Infinity);
  return {
    id: '',
    recordingId: target.recordingId,
    recordingTitle: target.title,
    recordedTime: { kind: 'unknown' },
    url: null,
    audience: 'anyone',
    people: [],
    title: null,
    message: '',
    fromMs: 0,
    toMs: null,
    shows: { title: true, owner: true, date: false, markers: false, notes: false, gaps: false },
    download: 'off',
    expiresAt: new Date(nowMs + days * day).toISOString(),
    maxListens: null,
    live: null,
    embed: null,
    preview: 'none',
    recipientLabel: '',
    hasPassword: false,
    isPasswordLocked: false,
    isReleased: false,
    mutedMs: 0,
    state: 'active',
    suspendedBy: null,
    openCount: 0,
    listenCount: 0,
    lastListenedAt: null,
    listeningCount: 0,
    accessRequests: [],
    createdAt: now,
    updatedAt: now,
    endedAt: null,
    revision: 1,
    ...newLinkOf(target, policy),
  };
}

/** The form of a new link: the selected part, and a password where the rules of the server require one. */
export function newFormOf(
  draft: Share,
  { span }: Pick<ShareTarget, 'span'>,
  policy: SharingPolicy,
): ShareForm {
  return {
    ...formOf(draft, span),
    isPart: span !== null,
    ...(policy.isPasswordRequired && { password: generatePassword() }),
  };
}
