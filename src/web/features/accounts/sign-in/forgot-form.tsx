import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { EmailField } from '#web/features/accounts/parts/email-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import styles from '#web/features/accounts/accounts.module.css';

/** Resets the password by e-mail. If the server doesn't send e-mail, refers to the person who runs it. */
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
  if (!hasMail)
    return (
      <Notice tone="info">
        <Trans>
          This server doesn’t send email. Ask the person who runs it for a password reset link. You can still
          sign in with a passkey or a linked account.
        </Trans>
      </Notice>
    );
  if (sentTo !== null) {
    return (
      <output>
        <Notice tone="safe" title={<Trans>Check your email</Trans>}>
          <Trans>
            If <UserText>{sentTo}</UserText> belongs to an account, we’ve sent a password reset link to it. It
            works once, within 30 minutes.
          </Trans>
        </Notice>
      </output>
    );
  }
  return (
    <>
      <p className={styles.why}>
        <Trans>Enter your account’s email address and we’ll send you a password reset link.</Trans>
      </p>
      <AccountForm submission={submission} submitLabel={t`Send link`} name="forgot-password" takesFocus>
        <EmailField
          value={email}
          onChange={(typed) => {
            setEmail(typed);
            submission.clearError('email');
          }}
          problem={submission.problems.email}
        />
      </AccountForm>
    </>
  );
}
