import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { KeyRound } from 'lucide-react';
import type { SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { requestPasskey, hasPasskeys } from './web-authn.ts';
import styles from '#web/features/accounts/accounts.module.css';

/** Signs in with a passkey alone. Rendered only if the browser supports passkeys. */
export function PasskeyButton({
  remember,
  onSignedIn,
}: {
  remember: boolean;
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
}) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  if (!hasPasskeys()) return null;
  const signIn = async () => {
    const { flow, options } = await call('startPasskeySignIn');
    const credential = await requestPasskey(options);
    await onSignedIn(await call('finishPasskeySignIn', { body: { flow, credential, remember } }));
  };
  const handlePress = () => {
    setPending(true);
    setError(null);
    signIn()
      .catch(setError)
      .finally(() => setPending(false));
  };
  return (
    <div className={styles.providers}>
      {error !== null && (
        <Notice tone="warn" role="alert">
          {errorMessage(error)}
        </Notice>
      )}
      <Button
        size="l"
        icon={<KeyRound aria-hidden />}
        isPending={isPending}
        className={styles.submit}
        onPress={handlePress}
      >{t`Sign in with a passkey`}</Button>
    </div>
  );
}
