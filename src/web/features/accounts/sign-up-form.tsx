import { useState } from 'react';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { AccountForm } from './form/account-form.tsx';
import { checkSignUp } from './form/check-typed.ts';
import { EmailField } from './form/email-field.tsx';
import { PasswordLength } from './form/password-length.tsx';
import { useWelcome } from './use-welcome.ts';
import { useSubmission } from './form/use-submission.ts';

export interface SignUpFormProps {
  /** Called once the session is confirmed. */
  onDone?: () => void;
  /** Set where the form has just opened over something: typing may begin at once. */
  takesFocus?: boolean;
}

export function SignUpForm({ onDone, takesFocus = false }: SignUpFormProps) {
  const { t, i18n } = useLingui();
  const welcome = useWelcome();
  const { signUp } = useSession();
  const [typed, setTyped] = useState({ email: '', password: '', displayName: '' });
  const submission = useSubmission(
    () => checkSignUp(typed),
    async () => {
      const displayName = typed.displayName.trim();
      const signedIn = await call('signUp', {
        body: { email: typed.email.trim(), password: typed.password, locale: i18n.locale, ...(displayName === '' ? {} : { displayName }) },
      });
      await welcome(signedIn.user);
      onDone?.();
    },
  );
  const { problems, forget } = submission;
  const change = (field: keyof typeof typed) => (value: string) => {
    setTyped((before) => ({ ...before, [field]: value }));
    forget(field);
  };
  const shortest = limits.password.shortest;
  if (signUp === 'closed') return <Notice tone="info"><Trans>New accounts cannot be created on this server. Ask the person who runs it.</Trans></Notice>;
  return (
    <AccountForm submission={submission} submitLabel={t`Create account`} name="sign-up" takesFocus={takesFocus}>
      <EmailField value={typed.email} onChange={change('email')} problem={problems.email} />
      <div>
        <TextField
          label={t`Password`} name="password" type="password" autoComplete="new-password" isRequired
          description={t`${plural(shortest, { one: 'At least # character.', other: 'At least # characters.' })} A few words that do not belong together are easy to keep in mind and hard to guess.`}
          value={typed.password} onChange={change('password')} errorMessage={problems.password && i18n._(problems.password)}
        />
        <PasswordLength length={codePointLength(typed.password)} />
      </div>
      <TextField
        label={t`Name`} name="displayName" autoComplete="name" maxLength={limits.displayNameLength}
        description={t`What you are called here. You can leave it empty.`}
        value={typed.displayName} onChange={change('displayName')} errorMessage={problems.displayName && i18n._(problems.displayName)}
      />
    </AccountForm>
  );
}
