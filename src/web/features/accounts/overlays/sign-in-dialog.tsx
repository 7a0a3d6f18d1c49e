import { Trans, useLingui } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { cancelSignIn, requestSignIn, type SignInPrompt } from '#web/api/sign-in-prompt.ts';
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
  const { user } = useSession();
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
            {prompt.reason === 'lost' && (
              <Notice tone="info">
                {user ? (
                  <Trans>Your session has ended. Sign in again to pick up where you left off.</Trans>
                ) : (
                  <Trans>
                    You need an account for this. Once you’re signed in, it continues automatically.
                  </Trans>
                )}
              </Notice>
            )}
            {content}
          </div>
        </Dialog>
      )}
    </SignInSurface>
  );
}
