import { Trans } from '@lingui/react/macro';
import { CloudOff } from 'lucide-react';
import { connection } from '#web/api/reach/connection.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import styles from './offline.module.css';

/** Says that the server cannot be reached, for as long as that is so. Its place stands always, so that readers hear what comes into it. */
export function ConnectionStatus() {
  const isGone = useStore(connection) === 'gone';
  return (
    <output className={styles.status}>
      {isGone && <span className={styles.gone}><CloudOff aria-hidden /><span className={styles.goneWords}><Trans>No connection to the server</Trans></span></span>}
    </output>
  );
}
