import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import styles from './accounts.module.css';

export interface AccountPanelProps {
  form: 'sign-in' | 'sign-up';
  children: ReactNode;
  /** The way to the other form: a button in the dialog, a link on a page. */
  other: ReactNode;
}

/** A form, and below it the way to the other one. */
export function AccountPanel({ form, children, other }: AccountPanelProps) {
  return (
    <div className={styles.panel}>
      {children}
      <div className={styles.other}>
        <span>{form === 'sign-in' ? <Trans>No account yet?</Trans> : <Trans>Already have an account?</Trans>}</span>
        {other}
      </div>
    </div>
  );
}
