import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { shortSummaryOf } from '#web/features/sharing/terms/share-summary.ts';
import type { DelayedCopy } from '#web/ui/dom/delayed-copy.ts';
import { openShareSheet, shareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { createLink, revokeLink } from './share-calls.ts';

/** Offers a link to other apps by the device's own menu. Resolves to false if no menu appears. */
async function offerToApps(url: string): Promise<boolean> {
  if (!usesShareMenu()) return false;
  try {
    await navigator.share({ url });
    return true;
  } catch (error) {
    // The user closed the menu. After any other failure, such as a press too long ago, no menu has appeared.
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Whether links are passed on by the device's own menu: on phones and tablets. */
const usesShareMenu = (): boolean =>
  typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches;

async function undo(share: Share): Promise<void> {
  try {
    await revokeLink(share.id);
    showToast({ message: () => i18n._(msg`Link revoked`) });
  } catch (error) {
    showFailure(() => i18n._(messageOf(error)));
  }
}

/** Says in a few words who can listen. The details are in the sheet. */
function report(share: Share, target: ShareTarget, isCopied: boolean): void {
  showToast({
    message: () =>
      [
        i18n._(isCopied ? msg`Link copied.` : msg`Link created.`),
        shortSummaryOf(share, { i18n, isGrowing: target.isGrowing }),
      ].join(' '),
    tone: 'success',
    about: share.recordingId,
    action: { label: () => i18n._(msg`Undo`), onAction: () => void undo(share) },
    secondAction: {
      label: () => i18n._(msg`Change`),
      onAction: () => openShareSheet(target, { shareId: share.id }),
    },
  });
}

/**
 * Creates a link and passes it on. Then the sheet is closed, unless it has to show the address, because it could not
 * be copied, or the password, because the server never returns it.
 * @param copy started during the press
 * @throws ApiError; nothing is copied then
 */
export async function createAndPassOn(target: ShareTarget, body: NewShare, copy: DelayedCopy): Promise<void> {
  let share: Share;
  try {
    share = await createLink(target.recordingId, body);
  } catch (error) {
    copy.cancel();
    throw error;
  }
  const { url } = share;
  const isOffered = url !== null && (await offerToApps(url));
  const isCopied = url !== null && !isOffered && (await copy.put(url));
  if (!isCopied) copy.cancel();
  if (typeof body.password === 'string' || !(isCopied || isOffered)) {
    openShareSheet(target, { shareId: share.id, password: body.password ?? null });
    return;
  }
  shareSheet.set(null);
  report(share, target, isCopied);
}
