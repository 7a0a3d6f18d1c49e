import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { newId } from '#device/new-id.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { userScope } from '#web/api/user-scope.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { summaryOf } from '#web/features/sharing/terms/share-summary.ts';
import type { DelayedCopy } from '#web/ui/dom/delayed-copy.ts';
import { newLinkOf } from './new-link.ts';
import { openShareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { createLink, revokeLink } from './share-calls.ts';
import { linksOfRecording } from './share-queries.ts';

/** The shares that are under way, by recording and part: a second press must not create a second link. */
const runningShares = new Map<string, Promise<void>>();
userScope.onSessionEnd(() => runningShares.clear());

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

const fail = (error: unknown): void => showFailure(() => i18n._(messageOf(error)));

async function undo(share: Share): Promise<void> {
  try {
    await revokeLink(share.id);
    showToast({ message: () => i18n._(msg`Link revoked`) });
  } catch (error) {
    fail(error);
  }
}

function report(share: Share, target: ShareTarget, isCopied: boolean): void {
  const summary = () =>
    summaryOf(share, { i18n, isGrowing: target.isGrowing }).slice(0, target.isGrowing ? 3 : 2);
  showToast({
    message: () => [i18n._(isCopied ? msg`Link copied.` : msg`Link created.`), ...summary()].join(' '),
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
 * Shares a recording with one press: creates a link with safe settings and copies it. If the recording has links
 * already, the sheet shows them instead.
 */
export function quickShare(target: ShareTarget, copy: DelayedCopy): Promise<void> {
  const { recordingId, span } = target;
  const key = `${recordingId} ${span?.fromMs ?? ''}-${span?.toMs ?? ''}`;
  const running = runningShares.get(key);
  if (running) {
    copy.cancel();
    return running;
  }
  const sharing = shareOnce(target, copy).finally(() => runningShares.delete(key));
  runningShares.set(key, sharing);
  return sharing;
}

async function shareOnce(target: ShareTarget, copy: DelayedCopy): Promise<void> {
  try {
    const { items, policy } = await queryClient.fetchQuery({
      ...linksOfRecording(target.recordingId),
      staleTime: 0,
    });
    if (policy.links === 'off' || (target.span === null && items.some(({ state }) => state === 'active'))) {
      copy.cancel();
      openShareSheet(target);
      return;
    }
    await createAndPassOn(target, policy, copy);
  } catch (error) {
    copy.cancel();
    fail(error);
  }
}

/** Creates a link and passes it on. A password is shown in the sheet, because the server never returns it. */
async function createAndPassOn(target: ShareTarget, policy: SharingPolicy, copy: DelayedCopy): Promise<void> {
  const body = newLinkOf(target, policy);
  const share = await createLink(target.recordingId, { id: newId(), ...body });
  const { url } = share;
  const isOffered = url !== null && (await offerToApps(url));
  const isCopied = url !== null && !isOffered && (await copy.put(url));
  if (!isCopied) copy.cancel();
  if (typeof body.password === 'string' || !(isCopied || isOffered))
    openShareSheet(target, { shareId: share.id, password: body.password ?? null });
  else report(share, target, isCopied);
}
