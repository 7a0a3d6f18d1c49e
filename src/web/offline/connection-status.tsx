import { Trans } from '@lingui/react/macro';
import { CloudOff, LockKeyhole } from 'lucide-react';
import { connection } from '#web/api/connection/connection.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import styles from './offline.module.css';

/**
 * Says that the server cannot be reached, and whether something in front of it is the reason, for as long as
 * that is so. Its place stands always, so that readers hear what comes into it.
 */
export function ConnectionStatus() {
  const state = useStore(connection);
  return (
    <output className={styles.status}>
      {state === 'gone' && (
        <span className={styles.gone}>
          <CloudOff aria-hidden />
          <span className={styles.goneWords}>
            <Trans>Can’t reach the server</Trans>
          </span>
        </span>
      )}
      {state === 'gated' && (
        <span className={styles.gone}>
          <LockKeyhole aria-hidden />
          <span className={styles.goneWords}>
            <Trans>Network sign-in needed</Trans>
          </span>
        </span>
      )}
    </output>
  );
}
