import { useEffect, useEffectEvent } from 'react';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { authEvents } from '#web/api/auth-events.ts';
import { session } from '#web/api/session.ts';
import { claims } from '#device/takes/claims.ts';
import { isUnowned } from '#device/takes/device-take.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isInProgress, takeOf } from '#web/features/recorder/take/take.ts';
import { iso } from '#web/i18n/iso.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { showTakeToast } from './take-owner-toast.ts';

const isRecording = (): boolean => isInProgress(recorder.everyTake.getSnapshot());
/** A take that was started after a sign-out has no owner: it joins the account of the next user who signs in. */
const ownerOfTake = (): string | null =>
  isRecording() ? (takeOf(recorder.everyTake.getSnapshot())?.ownerId ?? null) : null;

/** The number of finished recordings of this tab without an owner. They move to the next user who signs in here. */
const countMoving = (): number =>
  deviceTakes.getSnapshot().takes.filter((take) => isUnowned(take) && claims.getSnapshot().has(take.id))
    .length;

/**
 * Shows what changed the account from elsewhere: another user signed in, this one was signed out, or an action was
 * not allowed.
 */
export function useAccountToasts(): void {
  const { t } = useLingui();
  const handleOtherUser = useEffectEvent(() => {
    const name = iso(session.getSnapshot().user?.displayName ?? '');
    const deleted = () =>
      t`${name} is now signed in. Earlier recordings stay with the account that made them.`;
    const ownerId = ownerOfTake();
    if (ownerId === null) showToast({ message: deleted });
    else
      showTakeToast(ownerId, {
        owned: () =>
          t`${name} is now signed in. The current recording continues and stays in the account it was started with.`,
        deleted,
      });
  });
  const handleSession = useEffectEvent((before: boolean, now: boolean, wasSignedOutElsewhere: boolean) => {
    const count = before || !now ? 0 : countMoving();
    if (count > 0)
      showToast({
        message: () =>
          t`${plural(count, { one: 'Your recording is moving to your account', other: 'Your # recordings are moving to your account' })}`,
      });
    const ownerId = ownerOfTake();
    if (before && !now && wasSignedOutElsewhere && ownerId !== null)
      showTakeToast(ownerId, {
        owned: () =>
          t`You’re signed out. The current recording continues and stays in the account it was started with.`,
        deleted: () => t`You’re signed out. The account of the current recording was deleted.`,
      });
  });
  const handleForbidden = useEffectEvent(({ url }: { url: string }) => {
    // A form shows the error beside its field.
    if (!url.startsWith('/auth/'))
      showFailure(() => t`Your account isn’t allowed to do that. Nothing was changed.`);
  });
  useEffect(() => {
    let wasSignedIn = false;
    let wasLeaving = false;
    const follow = () => {
      const { user, isLeaving } = session.getSnapshot();
      const isSignedIn = user !== null;
      // A sign-out of this tab has a message of its own, and a session that was lost has its banner.
      if (isSignedIn !== wasSignedIn) handleSession(wasSignedIn, isSignedIn, wasLeaving && !isLeaving);
      wasSignedIn = isSignedIn;
      wasLeaving = isLeaving;
    };
    follow();
    const undo = [
      authEvents.on('principal-changed', () => handleOtherUser()),
      authEvents.on('forbidden', (rejection) => handleForbidden(rejection)),
      session.subscribe(follow),
    ];
    return () => {
      for (const stop of undo) stop();
    };
  }, []);
}
