import { Plural, Trans } from '@lingui/react/macro';

/**
 * That the session ended without a sign-out, and what a sign-in does.
 * @param props.unsavedCount the recordings of the user that only this device has completely
 */
export function SessionEnded({ unsavedCount }: { unsavedCount: number }) {
  if (unsavedCount === 0)
    return <Trans>Your session has ended. Sign in again to pick up where you left off.</Trans>;
  return (
    <Plural
      value={unsavedCount}
      one="Your session has ended. Your recording is safe on this device. Sign in to finish saving it."
      other="Your session has ended. # recordings are safe on this device. Sign in to finish saving them."
    />
  );
}
