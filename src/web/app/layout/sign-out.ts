import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { second } from '#base/duration.ts';
import { waitFor } from '#base/store.ts';
import { signOut } from '#web/api/session.ts';
import { layoutChunks } from './layout-chunks.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isInProgress, takeOf, type TakeState } from '#web/features/recorder/take/take.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';

/**
 * Closing a take on a slow disk, and uploading its end, delay the sign-out by at most this long. The take closes in any
 * case, and what was not uploaded stays on this device.
 */
const stopTimeoutMs = 10 * second;

/** Whether the end of the take is on its way to the server. A sign-out ends the upload. */
function isUploading(state: TakeState): boolean {
  const take = takeOf(state);
  return take !== null && take.safety !== 'server' && take.condition === 'syncing';
}

const isStored = (state: TakeState): boolean => !isInProgress(state) && !isUploading(state);

/** Stops the take of this page, and signs out once it is closed and uploaded. */
export async function stopAndSignOut(): Promise<void> {
  const { everyTake } = recorder;
  recorder.stop();
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, stopTimeoutMs);
  });
  await Promise.race([waitFor([everyTake], () => isStored(everyTake.getSnapshot())), timeout]);
  await signOutAndReport();
}

/** Signs out and reports the result. Never rejects. */
export async function signOutAndReport(): Promise<void> {
  let result: Awaited<ReturnType<typeof signOut>>;
  try {
    result = await signOut();
  } catch (error) {
    // The cause of the failed sign-out may also keep this chunk from loading.
    const messages = await layoutChunks.errorMessages.load().catch(() => null);
    const message = messages?.messageOf(error) ?? msg`Something went wrong. Try again.`;
    showFailure(() => i18n._(message));
    return;
  }
  if (result === 'pending') {
    showToast({
      message: () =>
        i18n._(
          msg`You’re signed out here. Earshot ends the session as soon as the server can be reached. Recordings on this device stay here.`,
        ),
    });
    return;
  }
  const message = isInProgress(recorder.everyTake.getSnapshot())
    ? msg`You’re signed out. The current recording continues on this device and uploads when you sign in again.`
    : msg`You’re signed out. Recordings on this device stay here.`;
  showToast({ message: () => i18n._(message) });
}
