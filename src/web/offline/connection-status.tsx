import { Trans } from '@lingui/react/macro';
import { CloudOff, LockKeyhole } from 'lucide-react';
import { connection } from '#web/api/connection/connection.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import styles from './offline.module.css';

/**
 * Shows that the server cannot be reached, and whether a gate in front of it is the reason. The element is always
 * in the page, because screen readers announce only changes of an existing live region.
 */
export function ConnectionStatus() {
  const state = useStore(connection);
  return (
    <output className={styles.status}>
      {state === 'gone' && (
        <span className={styles.gone}>
          <CloudOff aria-hidden />
          <span className={styles.goneText}>
            <Trans>Can’t reach the server</Trans>
          </span>
        </span>
      )}
      {state === 'gated' && (
        <span className={styles.gone}>
          <LockKeyhole aria-hidden />
          <span className={styles.goneText}>
            <Trans>Network sign-in needed</Trans>
          </span>
        </span>
      )}
    </output>
  );
}
