import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Switch } from '#web/ui/controls/switch.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { newPasswordErrors } from '#web/features/accounts/parts/check-typed.ts';
import { NewPasswordField } from '#web/features/accounts/parts/new-password-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { FinishTakes, useFinishTakes } from '#web/features/accounts/parts/finish-takes.tsx';
import { LinkCard } from './link-card.tsx';
import styles from '#web/features/accounts/accounts.module.css';

type Found = ReplyOf<Api['checkPasswordReset']>;

/** The page of a password reset link: sets a new password and selects which other sign-in methods to retain. */
export function ResetPasswordCard({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  return (
    <LinkCard
      title={t`Set a new password`}
      open={(token, signal) => call('checkPasswordReset', { body: { token }, signal })}
    >
      {(token, found) => <ResetForm token={token} found={found} onDone={onDone} />}
    </LinkCard>
  );
}

function ResetForm({ token, found, onDone }: { token: string; found: Found; onDone: () => void }) {
  const { t } = useLingui();
  const { date } = useFormat();
  const [password, setPassword] = useState('');
  const [retained, setRetained] = useState<ReadonlySet<string>>(new Set());
  const takes = useFinishTakes(found.takes);
  const submission = useSubmission(
    () => newPasswordErrors(password),
    async () => {
      const selectedIds = (items: readonly { id: string }[]) =>
        items.map(({ id }) => id).filter((id) => retained.has(id));
      await call('resetPassword', {
        body: {
          token,
          newPassword: password,
          keepIdentities: selectedIds(found.identities),
          keepPasskeys: selectedIds(found.passkeys),
          finishTakesOf: takes.finishTakesOf,
        },
      });
      onDone();
    },
  );
  const others = [...found.identities, ...found.passkeys];
  const setItem = (id: string, isRetained: boolean) =>
    setRetained(
      (before) => new Set(isRetained ? [...before, id] : [...before].filter((other) => other !== id)),
    );
  return (
    <>
      <p className={styles.why}>
        <Trans>You’ll be signed out everywhere. Sign in again with the new password.</Trans>{' '}
        {found.hasTotp && <Trans>Two-step sign-in stays on.</Trans>}
      </p>
      <AccountForm submission={submission} submitLabel={t`Set password`} name="reset-password" takesFocus>
        <input type="text" name="email" autoComplete="username" value={found.email ?? ''} readOnly hidden />
        <NewPasswordField
          label={t`New password`}
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            submission.clearError('password');
          }}
          problem={submission.problems.password}
        />
        {others.length > 0 && (
          <fieldset className={styles.retained}>
            <legend>
              <Trans>Other ways into your account. Keep only the ones you recognise:</Trans>
            </legend>
            {others.map(({ id, label, addedAt }) => {
              const added = date(addedAt);
              return (
                <Switch
                  key={id}
                  isSelected={retained.has(id)}
                  onChange={(isRetained) => setItem(id, isRetained)}
                  description={t`added ${added}`}
                >
                  <bdi translate="no">{label}</bdi>
                </Switch>
              );
            })}
          </fieldset>
        )}
        <FinishTakes {...takes} />
      </AccountForm>
    </>
  );
}
