import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CodeSent, User } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session, useSession } from '#web/api/session.ts';
import { reloadHistory } from '#web/features/accounts/reload-history.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { EmailField } from '#web/features/accounts/parts/email-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { CodeForm } from '#web/features/accounts/sign-in/code-form.tsx';
import { Section } from '#web/features/accounts/parts/section.tsx';

/** The user's e-mail address, and a dialog to change it. */
export function EmailSection({ user }: { user: User }) {
  const { t } = useLingui();
  const { hasMail } = useSession();
  const [isChanging, setChanging] = useState(false);
  const hint = hasMail ? (
    <Trans>You sign in with this address, and account notices go there.</Trans>
  ) : (
    <Trans>You sign in with this address. This server doesn’t send email.</Trans>
  );
  const handleDone = async () => {
    await Promise.all([session.refresh(), reloadHistory()]);
    setChanging(false);
    showToast({ message: () => t`Email address changed.`, tone: 'success' });
  };
  return (
    <Section title={<Trans>Email</Trans>} hint={hint}>
      <p>{user.email === null ? <Trans>No email address yet.</Trans> : <UserText>{user.email}</UserText>}</p>
      <Button onPress={() => setChanging(true)}>
        {user.email === null ? t`Add email address` : t`Change email address`}
      </Button>
      {isChanging && (
        <Dialog title={<Trans>New email address</Trans>} size="s" isOpen onOpenChange={setChanging}>
          <NewAddress onDone={handleDone} />
        </Dialog>
      )}
    </Section>
  );
}

function NewAddress({ onDone }: { onDone: () => Promise<void> }) {
  const { t } = useLingui();
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<CodeSent | null>(null);
  const submission = useSubmission(
    () => (email.trim() === '' ? { email: fieldMessage({ code: 'required' }) } : {}),
    async () => {
      const reply = await call('changeEmail', { body: { email: email.trim() } });
      if ('next' in reply) setSent(reply);
      else await onDone();
    },
  );
  if (sent) {
    return (
      <CodeForm
        email={email.trim()}
        sent={sent}
        submitLabel={t`Change email address`}
        onCode={async (flow, code) => {
          await call('verifyEmail', { body: { flow, code } });
          await onDone();
        }}
      />
    );
  }
  return (
    <AccountForm submission={submission} submitLabel={t`Continue`} name="email" takesFocus>
      <EmailField
        value={email}
        onChange={(typed) => {
          setEmail(typed);
          submission.clearError('email');
        }}
        problem={submission.problems.email}
      />
    </AccountForm>
  );
}
