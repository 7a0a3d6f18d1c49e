import { Trans, useLingui } from '@lingui/react/macro';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { viewer } from '#device/takes/viewer.ts';
import { useSession } from '#web/api/session.ts';
import { cancelSignIn, requestSignIn, type SignInPrompt } from '#web/api/sign-in-prompt.ts';
import { OtherOwnersLines, useOtherOwners } from '#web/recordings/owners/other-owners.tsx';
import { SessionEnded } from '#web/recordings/owners/session-ended.tsx';
import { standingSentences, useTabStanding } from '#web/recordings/owners/tab-standing.tsx';
import { MovingTakes } from '#web/features/accounts/sign-in/moving-takes.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { SignInSurface } from '#web/features/accounts/sign-in/sign-in-surface.tsx';
import styles from '#web/features/accounts/accounts.module.css';

/**
 * Shown over any screen while a sign-in is required or requested; the screen below does not change. It closes when
 * the sign-in is confirmed, here or in another tab. Closing it manually cancels the held requests.
 */
export function SignInDialog({ prompt }: { prompt: SignInPrompt & { shown: 'dialog' } }) {
  const { t } = useLingui();
  const isSignIn = prompt.form === 'sign-in';
  return (
    <SignInSurface
      key={prompt.form}
      form={prompt.form}
      takesFocus
      other={
        isSignIn ? (
          <Button onPress={() => requestSignIn('sign-up')}>{t`Create account`}</Button>
        ) : (
          <Button onPress={() => requestSignIn('sign-in')}>{t`Sign in`}</Button>
        )
      }
    >
      {(title, content) => (
        <Dialog
          title={title}
          size="s"
          isOpen
          onOpenChange={(isOpen) => {
            if (!isOpen) cancelSignIn();
          }}
        >
          <div className={styles.panel}>
            <WhySignIn reason={prompt.reason} isSignIn={isSignIn} />
            {content}
          </div>
        </Dialog>
      )}
    </SignInSurface>
  );
}

/** What the sign-in is for: a request that waits, or recordings that wait on this device. */
function WhySignIn({ reason, isSignIn }: { reason: 'asked' | 'lost'; isSignIn: boolean }) {
  const { user } = useSession();
  const { tab } = useStore(viewer);
  const others = useOtherOwners();
  const standing = useTabStanding();
  const { takes } = useStore(deviceTakes);
  const hadSession = user !== null || tab.ownerId !== null;
  if (reason === 'lost')
    return (
      <>
        <Notice tone="info">
          {standing !== null ? (
            standingSentences[standing]
          ) : hadSession ? (
            <SessionEnded
              unsavedCount={
                takes.filter(({ facts }) => facts.owner.startsWith('me') && facts.receipt === 'none').length
              }
            />
          ) : (
            <Trans>You need an account for this. Once you’re signed in, it continues automatically.</Trans>
          )}
        </Notice>
        {!isSignIn && <MovingTakes />}
      </>
    );
  if (!isSignIn) return <MovingTakes />;
  return others.length === 0 ? null : (
    <Notice tone="info">
      <OtherOwnersLines others={others} />
    </Notice>
  );
}
