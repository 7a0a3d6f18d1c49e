import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { RefreshCw } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { newVersionStore, openNewVersion, type NewVersion } from './shell-worker.ts';
import { hasUnfinishedTake } from './unfinished-takes.ts';
import { useUnfinishedTakes } from './use-unfinished-takes.ts';
import styles from './offline.module.css';

function Offer({ version, onDismiss }: { version: NewVersion; onDismiss: () => void }) {
  const { t } = useLingui();
  const mustWait = useUnfinishedTakes();
  const handleReload = async () => {
    // Checked again, because a tab may have started recording since.
    if (!(await hasUnfinishedTake())) openNewVersion(version);
  };
  return (
    <section className={styles.offer} aria-label={t`New version`}>
      <RefreshCw aria-hidden className={styles.offerIcon} />
      <output className={styles.offerText}>
        <strong>
          <Trans>A new version is ready</Trans>
        </strong>
        {mustWait && (
          <span>
            <Trans>You can switch to it once all recordings in this browser are complete.</Trans>
          </span>
        )}
      </output>
      <div className={styles.offerActions}>
        <Button variant="plain" onPress={onDismiss}>
          <Trans>Later</Trans>
        </Button>
        <Button
          variant="primary"
          isDisabled={mustWait}
          onPress={() => {
            void handleReload();
          }}
        >
          <Trans>Reload</Trans>
        </Button>
      </div>
    </section>
  );
}

/** Offers a newer build at the edge of the screen, but never while this page records or uploads. */
export function NewVersionNotice({ isBusy }: { isBusy: boolean }) {
  const version = useStore(newVersionStore);
  const [declined, setDeclined] = useState<NewVersion | null>(null);
  if (version === null || version === declined || isBusy) return null;
  return <Offer version={version} onDismiss={() => setDeclined(version)} />;
}
