import { Plural, Trans } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import styles from '#web/features/accounts/accounts.module.css';

/** How far a new password is from long enough; seen, not announced at every key. */
export function PasswordLength({ length }: { length: number }) {
  const { shortest } = limits.password;
  const missing = shortest - length;
  return (
    <div className={styles.length}>
      <div aria-hidden className={styles.meter} style={{ '--share': Math.min(length / shortest, 1) }}>
        <div className={styles.meterFill} />
      </div>
      <span className={styles.lengthWords}>
        {missing > 0 ? (
          <Plural value={missing} one="# character to go" other="# characters to go" />
        ) : (
          <>
            <Check aria-hidden />
            <Trans>Long enough</Trans>
          </>
        )}
      </span>
    </div>
  );
}
