import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { signOut } from '#web/api/session.ts';
import { lazyChunks } from '#web/app/lazy.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';

/** Signs out and reports the result. Never rejects. */
export async function signOutAndReport(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    // The cause of the failed sign-out may also keep this chunk from loading.
    const messages = await lazyChunks.errorMessages.load().catch(() => null);
    const message = messages?.messageOf(error) ?? msg`Something went wrong. Try again.`;
    showFailure(() => i18n._(message));
    return;
  }
  showToast({ message: () => i18n._(msg`You’re signed out. Recordings on this device stay here.`) });
}
