import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { AccountForm } from '../form/account-form.tsx';
import { useSubmission } from '../form/use-submission.ts';
import { LinkCard } from './link-card.tsx';
import styles from '../accounts.module.css';

/** The far end of the link that takes a change of address back. Nothing happens before a press: mail programs open links by themselves. */
export function UndoEmailCard() {
  const { t } = useLingui();
  return (
    <LinkCard title={t`Put the old address back`} open={async () => null}>
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
        <Notice tone="safe" title={<Trans>The old address is back</Trans>} action={<LinkButton href="/sign-in">{t`Sign in`}</LinkButton>}>
          <Trans>Everybody who was signed in to your account is signed out. Set a new password now, if somebody else may know yours.</Trans>
        </Notice>
      </output>
    );
  }
  return (
    <>
      <p className={styles.why}><Trans>The e-mail address of your account was changed. If that was not you, put the old one back; everybody is signed out of the account then.</Trans></p>
      <AccountForm submission={submission} submitLabel={t`Put the old address back`} name="undo-email" takesFocus={false}>{null}</AccountForm>
    </>
  );
}
