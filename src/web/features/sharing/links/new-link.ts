import type { NewShare } from '#contract/shares-api.ts';
import type { ShareLive, SharingPolicy } from '#contract/shares.ts';
import { generatePassword } from '#web/features/sharing/terms/generate-password.ts';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';

/** How far a live link is behind if its owner did not choose: time to pause before a word is heard. */
const usualDelayMs: ShareLive['delayMs'] = 10_000;

/**
 * The settings of a new link that differ from the server's defaults, which are the safe ones: the selected part,
 * what the rules of the server require, and live listening for a recording that is being made.
 */
export function newLinkOf(
  { isGrowing, span }: Pick<ShareTarget, 'isGrowing' | 'span'>,
  policy: SharingPolicy,
): Omit<NewShare, 'id'> {
  return {
    ...span,
    ...(policy.isPasswordRequired && { password: generatePassword() }),
    ...(policy.links === 'users' && { audience: 'installation' }),
    ...(isGrowing === true &&
      policy.mayGoLive && { live: { delayMs: usualDelayMs, isHeldAfterStop: false } }),
  };
}
