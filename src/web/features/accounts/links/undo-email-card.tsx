import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { LinkCard } from './link-card.tsx';
import styles from '#web/features/accounts/accounts.module.css';

/**
 * The page of the link that reverts a change of e-mail address. Nothing happens before a press, because mail
 * programs open links automatically.
 */
export function UndoEmailCard() {
  const { t } = useLingui();
  return (
    <LinkCard title={t`Restore your old address`} open={async () => null}>
      {(token) => <UndoForm token={token} />}
    </LinkCard>
  );
}

function UndoForm({ token }: { token: string }) {
  const { t } = useLingui();
  const [isDone, setDone] = useState(false);
  const submission = useSubmission(
    () => ({}),
    async () => {
      await call('undoEmailChange', { body: { token } });
      setDone(true);
    },
  );
  if (isDone) {
    return (
      <output>
        <Notice
          tone="safe"
          title={<Trans>Your old address is restored</Trans>}
          action={<LinkButton href="/sign-in">{t`Sign in`}</LinkButton>}
        >
          <Trans>
            All devices have been signed out of your account. If someone else may know your password, set a
            new one now.
          </Trans>
        </Notice>
      </output>
    );
  }
  return (
    <>
      <p className={styles.why}>
        <Trans>
          The email address of your account was changed. If it wasn’t you, restore the old one. All devices
          will be signed out.
        </Trans>
      </p>
      <AccountForm
        submission={submission}
        submitLabel={t`Restore your old address`}
        name="undo-email"
        takesFocus={false}
      >
        {null}
      </AccountForm>
    </>
  );
}
