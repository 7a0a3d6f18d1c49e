import { Trans } from '@lingui/react/macro';
import type { Share } from '#contract/shares.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** Says that too many wrong passwords have locked a link. Nothing for any other. */
export function LockedNotice({ share: { isPasswordLocked } }: { share: Pick<Share, 'isPasswordLocked'> }) {
  return isPasswordLocked ? (
    <Notice tone="warn">
      <Trans>Too many wrong passwords were entered. Set a new password to open the link again.</Trans>
    </Notice>
  ) : null;
}
