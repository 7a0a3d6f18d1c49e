import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { AccountForm } from '../form/account-form.tsx';
import { EmailField } from '../form/email-field.tsx';
import { useSubmission } from '../form/use-submission.ts';
import styles from '../accounts.module.css';

/** The way back in without the password: by mail, or, where the server sends none, by the person who runs it. */
export function ForgotForm({ email: typedBefore }: { email: string }) {
  const { t } = useLingui();
  const { hasMail } = useSession();
  const [email, setEmail] = useState(typedBefore);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const submission = useSubmission(
    () => (email.trim() === '' ? { email: fieldMessage({ code: 'required' }) } : {}),
    async () => {
      await call('forgotPassword', { body: { email: email.trim() } });
      setSentTo(email.trim());
    },
  );
  if (!hasMail) return <Notice tone="info"><Trans>This server sends no e-mail. Ask the person who runs it for a link to set a new password. A passkey or another way you have linked still signs you in.</Trans></Notice>;
  if (sentTo !== null) {
    return (
      <output><Notice tone="safe" title={<Trans>Look into your mail</Trans>}>
        <Trans>If <UserText>{sentTo}</UserText> belongs to an account, a link to set a new password is on its way there. It works once, for half an hour.</Trans>
      </Notice></output>
    );
  }
  return (
    <>
      <p className={styles.why}><Trans>Type the address of your account. A link to set a new password is sent there.</Trans></p>
      <AccountForm submission={submission} submitLabel={t`Send the link`} name="forgot-password" takesFocus>
        <EmailField value={email} onChange={(typed) => { setEmail(typed); submission.forget('email'); }} problem={submission.problems.email} />
      </AccountForm>
    </>
  );
}
