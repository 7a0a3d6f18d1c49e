import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { Switch } from '#web/ui/controls/switch.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { AccountForm } from './form/account-form.tsx';
import { checkSignIn } from './form/check-typed.ts';
import { EmailField } from './form/email-field.tsx';
import { useWelcome } from './use-welcome.ts';
import { useSubmission } from './form/use-submission.ts';

export interface SignInFormProps {
  /** Called once the session is confirmed. */
  onDone?: () => void;
  /** Set where the form has just opened over something: typing may begin at once. */
  takesFocus?: boolean;
}

export function SignInForm({ onDone, takesFocus = false }: SignInFormProps) {
  const { t, i18n } = useLingui();
  const welcome = useWelcome();
  const { user } = useSession();
  const [email, setEmail] = useState(user?.email ?? '');
  const [password, setPassword] = useState('');
  const [isShared, setShared] = useState(false);
  const submission = useSubmission(
    () => checkSignIn({ email, password, displayName: '' }),
    async () => {
      const signedIn = await call('logIn', { body: { email: email.trim(), password, remember: !isShared } });
      await welcome(signedIn.user);
      onDone?.();
    },
  );
  const { problems, forget } = submission;
  return (
    <AccountForm submission={submission} submitLabel={t`Sign in`} name="sign-in" takesFocus={takesFocus}>
      <EmailField value={email} onChange={(typed) => { setEmail(typed); forget('email'); }} problem={problems.email} />
      <TextField
        label={t`Password`} name="password" type="password" autoComplete="current-password" isRequired
        value={password} onChange={(typed) => { setPassword(typed); forget('password'); }}
        errorMessage={problems.password && i18n._(problems.password)}
      />
      <Switch isSelected={isShared} onChange={setShared} description={t`You are signed out after 30 minutes without use, and in any case after 12 hours.`}>
        {t`This is a shared computer`}
      </Switch>
    </AccountForm>
  );
}
