import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { fieldMessage } from '#web/api/field-message.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { CodeField } from '#web/features/accounts/parts/code-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import type { Proof } from './prove.ts';

export interface ProofFormProps {
  method: Proof['method'];
  /** Lets a password manager find the right entry. */
  email: string | null;
  onProof: (proof: Proof) => Promise<void>;
}

/** The form for one method of confirming the user's identity. */
export function ProofForm({ method, email, onProof }: ProofFormProps) {
  const { t, i18n } = useLingui();
  const [typed, setTyped] = useState('');
  const field = method === 'password' ? 'password' : 'code';
  const submission = useSubmission(
    () =>
      method !== 'passkey' && typed.trim() === '' ? { [field]: fieldMessage({ code: 'required' }) } : {},
    () =>
      onProof(
        method === 'password'
          ? { method, password: typed }
          : method === 'totp'
            ? { method, code: typed.trim() }
            : { method },
      ),
  );
  const { problems, clearError } = submission;
  const handleChange = (value: string) => {
    setTyped(value);
    clearError(field);
  };
  return (
    <AccountForm
      submission={submission}
      submitLabel={method === 'passkey' ? t`Use a passkey` : t`Confirm`}
      name="confirm"
      takesFocus
    >
      {method === 'password' && (
        <>
          <input type="text" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
          <TextField
            label={t`Password`}
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
            value={typed}
            onChange={handleChange}
            errorMessage={problems.password && i18n._(problems.password)}
          />
        </>
      )}
      {method === 'totp' && (
        <CodeField
          label={t`Code from your authenticator app`}
          value={typed}
          onChange={handleChange}
          problem={problems.code}
        />
      )}
    </AccountForm>
  );
}
