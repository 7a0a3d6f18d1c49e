import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CodeSent, SignedIn } from '#contract/accounts-api.ts';
import { useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { checkSignUp } from '#web/features/accounts/parts/check-typed.ts';
import { EmailField } from '#web/features/accounts/parts/email-field.tsx';
import { NewPasswordField } from '#web/features/accounts/parts/new-password-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { hasPasskeys, createPasskey } from '#web/features/accounts/passkeys/web-authn.ts';
import { call } from '#web/api/call.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface SignUpFormProps {
  /** Set if the form has just opened over another screen, so that the user can type immediately. */
  takesFocus: boolean;
  /** The typed set-up code for the first account. Signing up with a provider needs it, too. */
  setUpCode: string;
  onSetUpCode: (code: string) => void;
  onAnswer: (reply: SignedIn | CodeSent, email: string) => Promise<void>;
}

export function SignUpForm({ takesFocus, setUpCode, onSetUpCode, onAnswer }: SignUpFormProps) {
  const { t, i18n } = useLingui();
  const { signUp, needsSetUpCode } = useSession();
  const [typed, setTyped] = useState<Omit<NewAccountFields, 'setUpCode'>>({ email: '', password: '' });
  const [byPasskey, setByPasskey] = useState(false);
  const submission = useSubmission(
    () =>
      checkSignUp(typed, {
        hasPassword: !byPasskey,
        lacksSetUpCode: needsSetUpCode && setUpCode.trim() === '',
      }),
    async () =>
      onAnswer(
        await submitNewAccount({ ...typed, setUpCode: setUpCode.trim() }, { byPasskey, locale: i18n.locale }),
        typed.email.trim(),
      ),
  );
  const { problems, clearError } = submission;
  const change = (field: keyof typeof typed) => (value: string) => {
    setTyped((before) => ({ ...before, [field]: value }));
    clearError(field);
  };
  if (signUp === 'closed')
    return (
      <Notice tone="info">
        <Trans>This server doesn’t accept new accounts. Ask the person who runs it.</Trans>
      </Notice>
    );
  return (
    <>
      <AccountForm
        submission={submission}
        submitLabel={byPasskey ? t`Create an account with a passkey` : t`Create account`}
        name="sign-up"
        takesFocus={takesFocus}
      >
        {needsSetUpCode && (
          <TextField
            label={t`Set-up code`}
            name="setUpCode"
            autoComplete="off"
            isRequired
            description={t`This server has no accounts yet. To create the first one, enter the set-up code that was printed where Earshot was started.`}
            value={setUpCode}
            onChange={(code) => {
              onSetUpCode(code);
              clearError('setUpCode');
            }}
            errorMessage={problems.setUpCode && i18n._(problems.setUpCode)}
          />
        )}
        <EmailField value={typed.email} onChange={change('email')} problem={problems.email} />
        {!byPasskey && (
          <NewPasswordField
            label={t`Password`}
            value={typed.password}
            onChange={change('password')}
            problem={problems.password}
          />
        )}
      </AccountForm>
      {hasPasskeys() && (
        <div className={styles.ways}>
          <Button variant="plain" onPress={() => setByPasskey(!byPasskey)}>
            {byPasskey ? t`Use a password instead` : t`Use a passkey instead of a password`}
          </Button>
        </div>
      )}
    </>
  );
}

interface NewAccountFields {
  email: string;
  password: string;
  setUpCode: string;
}

/**
 * Creates the account, with a passkey or a password.
 * @throws ApiError
 */
async function submitNewAccount(
  { email, password, setUpCode }: NewAccountFields,
  how: { byPasskey: boolean; locale: string },
): Promise<SignedIn | CodeSent> {
  const account = { email: email.trim(), locale: how.locale, ...(setUpCode === '' ? {} : { setUpCode }) };
  if (!how.byPasskey) return call('signUp', { body: { ...account, password } });
  const { flow, options } = await call('startPasskeySignUp', { body: account });
  return call('finishPasskeySignUp', { body: { flow, credential: await createPasskey(options) } });
}
