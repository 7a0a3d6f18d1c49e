import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { startCopy } from '#web/ui/dom/delayed-copy.ts';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';

/** Shares a recording of the server: the first press creates a link and copies it. Call it during the press. */
export function shareRecording(target: ShareTarget): void {
  // Browsers allow copying only during the press; the code and the link arrive later.
  const copy = startCopy();
  import('#web/features/sharing/links/quick-share.ts')
    .then(({ quickShare }) => quickShare(target, copy))
    .catch(() => {
      copy.cancel();
      showFailure(() => i18n._(msg`Something went wrong. Try again.`));
    });
}
