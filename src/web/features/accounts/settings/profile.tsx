import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { User } from '#contract/accounts-api.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { session } from '#web/api/session.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import styles from '#web/features/accounts/accounts.module.css';

async function rename(displayName: string): Promise<void> {
  session.updateUser(await call('changeProfile', { body: { displayName } }));
}

/** The user's name and facts about the account. */
export function Profile({ user }: { user: User }) {
  const { t, i18n } = useLingui();
  const { date } = useFormat();
  const errorMessage = useErrorMessage();
  const [name, setName] = useState(user.displayName);

  const undo = (before: string) => {
    setName(before);
    rename(before).catch((error: unknown) => showFailure(() => errorMessage(error)));
  };
  const submission = useSubmission(
    () => (name.trim() === '' ? { displayName: fieldMessage({ code: 'required' }) } : {}),
    async () => {
      const before = user.displayName;
      const next = name.trim();
      if (next === before) return;
      await rename(next);
      setName(next);
      showToast({
        message: () => t`Name changed.`,
        tone: 'success',
        action: { label: () => t`Undo`, onAction: () => undo(before) },
      });
    },
  );
  const { formRef, problems, isPending, handleSubmit, clearError } = submission;
  return (
    <div className={styles.profile}>
      <form ref={formRef} noValidate onSubmit={handleSubmit} className={styles.section}>
        <TextField
          label={t`Name`}
          name="displayName"
          autoComplete="name"
          isRequired
          maxLength={limits.displayNameLength}
          description={t`Your name in Earshot.`}
          value={name}
          onChange={(typed) => {
            setName(typed);
            clearError('displayName');
          }}
          errorMessage={problems.displayName && i18n._(problems.displayName)}
        />
        <div role="alert" className={styles.alert}>
          {problems.form && <Notice tone="danger">{i18n._(problems.form)}</Notice>}
        </div>
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          className={styles.save}
        >{t`Save`}</Button>
      </form>
      <dl className={`${styles.section} ${styles.facts}`}>
        <dt>
          <Trans>Member since</Trans>
        </dt>
        <dd>{date(user.createdAt)}</dd>
      </dl>
    </div>
  );
}
