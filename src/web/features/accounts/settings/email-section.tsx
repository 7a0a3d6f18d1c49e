import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CodeSent, User } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session, useSession } from '#web/api/session.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { AccountForm } from '../form/account-form.tsx';
import { EmailField } from '../form/email-field.tsx';
import { useSubmission } from '../form/use-submission.ts';
import { CodeForm } from '../sign-in/code-form.tsx';
import { Section } from '../parts/section.tsx';

/** The address one signs in with, and how it is changed. */
export function EmailSection({ user }: { user: User }) {
  const { t } = useLingui();
  const { hasMail } = useSession();
  const [isChanging, setChanging] = useState(false);
  const hint = hasMail
    ? <Trans>You sign in with it, and notices about your account go there.</Trans>
    : <Trans>You sign in with it. This server sends no e-mail.</Trans>;
  const handleDone = async () => {
    await session.refresh();
    setChanging(false);
    showToast({ message: t`Your e-mail address is changed.`, tone: 'success' });
  };
  return (
    <Section title={<Trans>E-mail</Trans>} hint={hint}>
      <p>{user.email === null ? <Trans>There is no address yet.</Trans> : <UserText>{user.email}</UserText>}</p>
      <Button onPress={() => setChanging(true)}>{user.email === null ? t`Add an address` : t`Change the address`}</Button>
      {isChanging && (
        <Dialog title={<Trans>New e-mail address</Trans>} size="s" isOpen onOpenChange={setChanging}>
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
    return <CodeForm email={email.trim()} sent={sent} submitLabel={t`Change the address`} onCode={async (flow, code) => { await call('verifyEmail', { body: { flow, code } }); await onDone(); }} />;
  }
  return (
    <AccountForm submission={submission} submitLabel={t`Go on`} name="email" takesFocus>
      <EmailField value={email} onChange={(typed) => { setEmail(typed); submission.forget('email'); }} problem={submission.problems.email} />
    </AccountForm>
  );
}
