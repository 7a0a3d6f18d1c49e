import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { SecondFactorWanted, SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { checkSignIn } from '#web/features/accounts/parts/check-typed.ts';
import { EmailField } from '#web/features/accounts/parts/email-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { usePasskeysInField } from '#web/features/accounts/passkeys/use-passkeys-in-field.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface SignInFormProps {
  /** Set if the form has just opened over another screen, so that the user can type immediately. */
  takesFocus: boolean;
  isShared: boolean;
  onAnswer: (reply: SignedIn | SecondFactorWanted) => Promise<void>;
  onForgot: (email: string) => void;
}

export function SignInForm({ takesFocus, isShared, onAnswer, onForgot }: SignInFormProps) {
  const { t, i18n } = useLingui();
  const { user } = useSession();
  const [email, setEmail] = useState(user?.email ?? '');
  const [password, setPassword] = useState('');
  const submission = useSubmission(
    () => checkSignIn({ email, password }),
    async () =>
      onAnswer(await call('logIn', { body: { email: email.trim(), password, remember: !isShared } })),
  );
  usePasskeysInField(!isShared, onAnswer);
  const { problems, clearError } = submission;
  return (
    <AccountForm submission={submission} submitLabel={t`Sign in`} name="sign-in" takesFocus={takesFocus}>
      <EmailField
        offersPasskeys
        value={email}
        onChange={(typed) => {
          setEmail(typed);
          clearError('email');
        }}
        problem={problems.email}
      />
      <div>
        <TextField
          label={t`Password`}
          name="password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            clearError('password');
          }}
          errorMessage={problems.password && i18n._(problems.password)}
        />
        <Button
          variant="plain"
          className={styles.beside}
          onPress={() => onForgot(email)}
        >{t`Forgot your password?`}</Button>
      </div>
    </AccountForm>
  );
}
