import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { SecondFactorWanted, SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { CodeField } from '#web/features/accounts/parts/code-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { requestPasskey } from '#web/features/accounts/passkeys/web-authn.ts';
import type { SecondFactorQuestion } from './sign-in-step.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface SecondFactorFormProps {
  wanted: SecondFactorQuestion;
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
}

type Method = SecondFactorWanted['methods'][number];

/** The second step of a sign-in: a code from the app, a recovery code, or a passkey. */
export function SecondFactorForm({ wanted, onSignedIn }: SecondFactorFormProps) {
  const { t } = useLingui();
  const [method, setMethod] = useState<Method>(
    wanted.methods.find((offered) => offered !== 'recovery-code') ?? 'recovery-code',
  );
  const [code, setCode] = useState('');
  const { flow } = wanted;
  const send = async (): Promise<SignedIn> => {
    if (method !== 'passkey') return call('logInMfa', { body: { flow, method, code: code.trim() } });
    if (!wanted.passkey) throw new TypeError('the server offered a passkey without a challenge');
    return call('logInMfa', { body: { flow, method, credential: await requestPasskey(wanted.passkey) } });
  };
  const submission = useSubmission(
    () => (method !== 'passkey' && code.trim() === '' ? { code: fieldMessage({ code: 'required' }) } : {}),
    async () => onSignedIn(await send()),
  );
  const choose = (chosen: Method) => {
    setMethod(chosen);
    setCode('');
    submission.clearError('code');
    submission.clearError('form');
  };
  const others: Record<Method, string> = {
    totp: t`Use a code from your app`,
    'recovery-code': t`Use a recovery code`,
    passkey: t`Use a passkey`,
  };
  return (
    <>
      <p className={styles.why}>
        {method === 'totp' && (
          <Trans>Open your authenticator app and enter the 6-digit code for Earshot.</Trans>
        )}
        {method === 'recovery-code' && (
          <Trans>
            Enter one of the recovery codes you saved when you turned on two-step sign-in. Each code works
            once.
          </Trans>
        )}
        {method === 'passkey' && <Trans>Your browser will ask you to use a passkey.</Trans>}
      </p>
      <AccountForm
        key={method}
        submission={submission}
        submitLabel={method === 'passkey' ? t`Use a passkey` : t`Confirm`}
        name="second-step"
        takesFocus
      >
        {method !== 'passkey' && (
          <CodeField
            label={method === 'totp' ? t`Code` : t`Recovery code`}
            isNumeric={method === 'totp'}
            value={code}
            onChange={(typed) => {
              setCode(typed);
              submission.clearError('code');
            }}
            problem={submission.problems.code}
          />
        )}
      </AccountForm>
      <div className={styles.ways}>
        {wanted.methods
          .filter((offered) => offered !== method)
          .map((offered) => (
            <Button key={offered} variant="plain" onPress={() => choose(offered)}>
              {others[offered]}
            </Button>
          ))}
      </div>
    </>
  );
}
