import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { SignInMethods, User } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { AccountForm } from '../form/account-form.tsx';
import { checkNewPassword } from '../form/check-typed.ts';
import { NewPasswordField } from '../form/new-password-field.tsx';
import { useSubmission } from '../form/use-submission.ts';
import { Section } from '../parts/section.tsx';

/** Setting or changing the password. */
export function PasswordSection({ user, methods }: { user: User; methods: SignInMethods }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { hasPassword } = methods;
  const handleDone = () => {
    setOpen(false);
    showToast({ message: t`Your password is changed.`, tone: 'success' });
  };
  return (
    <Section title={<Trans>Password</Trans>} hint={hasPassword ? undefined : <Trans>Your account has no password. You can add one as another way in.</Trans>}>
      <Button onPress={() => setOpen(true)}>{hasPassword ? t`Change the password` : t`Add a password`}</Button>
      {isOpen && (
        <Dialog title={hasPassword ? t`Change the password` : t`Add a password`} size="s" isOpen onOpenChange={setOpen}>
          <PasswordForm user={user} hasPassword={hasPassword} onDone={handleDone} />
        </Dialog>
      )}
    </Section>
  );
}

function PasswordForm({ user, hasPassword, onDone }: { user: User; hasPassword: boolean; onDone: () => void }) {
  const { t, i18n } = useLingui();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [keepOtherSessions, setKeep] = useState(false);
  const submission = useSubmission(
    () => ({ ...(hasPassword && current === '' && { currentPassword: fieldMessage({ code: 'required' }) }), ...checkNewPassword(next) }),
    async () => {
      await call('changePassword', { body: { ...(hasPassword && { currentPassword: current }), newPassword: next, keepOtherSessions } });
      await session.refresh();
      onDone();
    },
    { 'invalid-credentials': 'currentPassword', 'password-locked': 'currentPassword' },
  );
  const { problems, forget } = submission;
  return (
    <AccountForm submission={submission} submitLabel={t`Save`} name="password" takesFocus>
      <input type="text" name="email" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      {hasPassword && (
        <TextField
          label={t`Present password`} name="currentPassword" type="password" autoComplete="current-password" isRequired
          value={current} onChange={(typed) => { setCurrent(typed); forget('currentPassword'); }} errorMessage={problems.currentPassword && i18n._(problems.currentPassword)}
        />
      )}
      <NewPasswordField label={t`New password`} value={next} onChange={(typed) => { setNext(typed); forget('password'); }} problem={problems.password} />
      <Switch isSelected={keepOtherSessions} onChange={setKeep} description={t`Otherwise everybody who is signed in to your account elsewhere is signed out.`}>{t`Stay signed in on other devices`}</Switch>
    </AccountForm>
  );
}
