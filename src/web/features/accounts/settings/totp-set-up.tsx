import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { CodeField } from '#web/features/accounts/parts/code-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { QrCode } from '#web/ui/text/qr-code.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

export type TotpOffer = ReplyOf<Api['startTotp']>;

/** Groups of four characters are easier to type and to compare. */
const inFours = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** Shows the key for the authenticator app, and requires the app's first code as a proof that it has the key. */
export function TotpSetUp({
  offer,
  onConfirmed,
}: {
  offer: TotpOffer;
  onConfirmed: (recoveryCodes: readonly string[]) => Promise<void>;
}) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const submission = useSubmission(
    () => (code.trim() === '' ? { code: fieldMessage({ code: 'required' }) } : {}),
    async () => {
      const { recoveryCodes } = await call('confirmTotp', { body: { flow: offer.flow, code: code.trim() } });
      await onConfirmed(recoveryCodes);
    },
  );
  return (
    <div className={styles.form}>
      <p>
        <Trans>
          Scan this QR code with your authenticator app. On this device you can{' '}
          <a href={offer.otpauthUrl} className={styles.link}>
            open the app
          </a>{' '}
          instead, or enter the key there as a time-based key.
        </Trans>
      </p>
      <QrCode text={offer.otpauthUrl} label={t`QR code with the key for your authenticator app`} />
      <div className={styles.key}>
        <code dir="ltr" className={styles.keyText}>
          {inFours(offer.secret)}
        </code>
        <div>
          <CopyButton text={offer.secret} />
        </div>
      </div>
      <AccountForm submission={submission} submitLabel={t`Turn on`} name="totp" takesFocus={false}>
        <CodeField
          label={t`Code from the app`}
          value={code}
          onChange={(typed) => {
            setCode(typed);
            submission.clearError('code');
          }}
          problem={submission.problems.code}
        />
      </AccountForm>
    </div>
  );
}
