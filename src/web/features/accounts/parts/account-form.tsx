import { useCallback, type ReactNode } from 'react';
import { useLingui } from '@lingui/react';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { SlowResponse } from '#web/request-states/slow-response.tsx';
import { useIsSlow } from '#web/request-states/use-is-slow.ts';
import type { Submission } from './use-submission.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface AccountFormProps {
  submission: Submission;
  submitLabel: string;
  /** Lets password managers distinguish the forms. */
  name: string;
  takesFocus: boolean;
  children: ReactNode;
}

/**
 * Fields in a column, with errors of the whole form above the button. The button is never disabled, so that Enter
 * always has an effect.
 */
export function AccountForm({ submission, submitLabel, name, takesFocus, children }: AccountFormProps) {
  const { i18n } = useLingui();
  const { formRef, problems, isPending, handleSubmit } = submission;
  const isSlow = useIsSlow(isPending);
  const arrive = useCallback(
    (form: HTMLFormElement | null) => {
      formRef.current = form;
      if (form && takesFocus) firstEmptyField(form)?.focus();
    },
    [formRef, takesFocus],
  );
  return (
    <form ref={arrive} name={name} method="post" noValidate onSubmit={handleSubmit} className={styles.form}>
      {children}
      <div role="alert" className={styles.alert}>
        {problems.form && <Notice tone="danger">{i18n._(problems.form)}</Notice>}
        {isSlow && <SlowResponse />}
      </div>
      <Button type="submit" variant="primary" size="l" isPending={isPending} className={styles.submit}>
        {submitLabel}
      </Button>
    </form>
  );
}

const firstEmptyField = (form: HTMLFormElement) =>
  Array.from(form.elements).find(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && element.value === '',
  );
