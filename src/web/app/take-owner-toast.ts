import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import type { ToastText } from '#web/ui/overlays/toast-queue.ts';

/**
 * Shows what becomes of the take that runs. Another tab may have deleted its account, of which the server tells this
 * one a moment later: the message then gives way to `deleted`.
 * @param messages.owned that the take stays in its account
 */
export function showTakeToast(ownerId: string, messages: { owned: ToastText; deleted: ToastText }): void {
  const isDeleted = () => lostStandingOf(ownerStandings.getSnapshot(), ownerId) === 'deleted';
  if (isDeleted()) {
    showToast({ message: messages.deleted });
    return;
  }
  let stopFollowing: () => void = () => undefined;
  const dismiss = showToast({ message: messages.owned }, { onGone: () => stopFollowing() });
  stopFollowing = ownerStandings.subscribe(() => {
    if (!isDeleted()) return;
    dismiss();
    showToast({ message: messages.deleted });
  });
}
