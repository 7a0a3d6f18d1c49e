import { Trans, useLingui } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { cancelSignIn, requestSignIn, useSignInPrompt } from '#web/api/sign-in-prompt.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { AccountPanel } from './account-panel.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import styles from './accounts.module.css';

/**
 * Lies over any screen while a sign-in is needed or asked for; the screen below stays as it is.
 * It closes when the sign-in is confirmed, here or in another tab; closing it by hand gives up what waited.
 */
export function SignInDialog() {
  const { t } = useLingui();
  const { user } = useSession();
  const prompt = useSignInPrompt();
  if (!prompt.isOpen) return null;
  const isSignIn = prompt.form === 'sign-in';
  return (
    <Dialog title={isSignIn ? t`Sign in` : t`Create account`} size="s" isOpen onOpenChange={(isOpen) => { if (!isOpen) cancelSignIn(); }}>
      <div className={styles.panel}>
        {prompt.reason === 'lost' && (
          <Notice tone="info">
            {user
              ? <Trans>Your session has ended. Sign in again and everything goes on where it is.</Trans>
              : <Trans>This needs an account. Sign in and it goes on by itself.</Trans>}
          </Notice>
        )}
        <AccountPanel
          form={prompt.form}
          other={isSignIn
            ? <Button onPress={() => requestSignIn('sign-up')}>{t`Create account`}</Button>
            : <Button onPress={() => requestSignIn('sign-in')}>{t`Sign in`}</Button>}
        >
          {isSignIn ? <SignInForm takesFocus /> : <SignUpForm takesFocus />}
        </AccountPanel>
      </div>
    </Dialog>
  );
}
