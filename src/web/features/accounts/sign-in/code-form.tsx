import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { CodeSent } from '#contract/accounts-api.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { CodeField } from '#web/features/accounts/parts/code-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface CodeFormProps {
  email: string;
  sent: CodeSent;
  submitLabel: string;
  onCode: (flow: string, code: string) => Promise<void>;
  /** Requests another code; missing if that is not possible. */
  onResend?: (flow: string) => Promise<CodeSent>;
}

/** The form for the code that was sent to an e-mail address. */
export function CodeForm({ email, sent: sentFirst, submitLabel, onCode, onResend }: CodeFormProps) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const [sent, setSent] = useState(sentFirst);
  const [code, setCode] = useState('');
  const submission = useSubmission(
    () => (code.trim() === '' ? { code: fieldMessage({ code: 'required' }) } : {}),
    () => onCode(sent.flow, code.trim()),
  );
  const resend = async (requestCode: NonNullable<CodeFormProps['onResend']>) => {
    try {
      setSent(await requestCode(sent.flow));
      showToast({ message: () => t`We’ve sent another code. The previous one no longer works.` });
    } catch (error) {
      showFailure(() => errorMessage(error));
    }
  };
  return (
    <>
      <p className={styles.why}>
        <Trans>
          We’ve sent an 8-digit code to <UserText>{email}</UserText>. It can take a minute. Check your spam
          folder too.
        </Trans>
      </p>
      <AccountForm submission={submission} submitLabel={submitLabel} name="code" takesFocus>
        <CodeField
          label={t`Code from the email`}
          value={code}
          onChange={(typed) => {
            setCode(typed);
            submission.clearError('code');
          }}
          problem={submission.problems.code}
        />
      </AccountForm>
      {onResend && (
        <div className={styles.ways}>
          <Button
            variant="plain"
            onPress={() => {
              void resend(onResend);
            }}
          >{t`Send a new code`}</Button>
        </div>
      )}
    </>
  );
}
