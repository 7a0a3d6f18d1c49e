import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { hoursThatFit, type StorageEstimate } from '#device/takes/storage-estimate.ts';
import { requestPersistence } from '#web/features/recorder/take/persist-storage.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { refreshUsage } from './usage-store.ts';
import styles from './device-storage.module.css';

/** Used and free space, how many hours fit, and whether the browser has promised not to delete anything. */
export function SpaceLines({
  estimate: { freeBytes, isPersisted },
  usedBytes,
}: {
  estimate: StorageEstimate;
  usedBytes: number;
}) {
  const format = useFormat();
  const { quality } = useStore(audioPreferences);
  const used = format.fileSize(usedBytes);
  const free = freeBytes === null ? null : format.fileSize(freeBytes);
  return (
    <div className={styles.space}>
      {free !== null && (
        <>
          <p>
            <Trans>
              {used} used, {free} free
            </Trans>
          </p>
          <p>
            <Plural
              value={hoursThatFit(freeBytes ?? 0, quality)}
              _0="Space for less than an hour at the chosen quality"
              one="Space for about # hour at the chosen quality"
              other="Space for about # hours at the chosen quality"
            />
          </p>
        </>
      )}
      {isPersisted === true && (
        <p>
          <Trans>Your browser will keep everything until you remove it.</Trans>
        </p>
      )}
      {isPersisted === false && <NotPersisted />}
    </div>
  );
}

function NotPersisted() {
  const { t } = useLingui();
  const ask = async () => {
    const isPersisted = await requestPersistence();
    await refreshUsage();
    if (!isPersisted)
      showToast({
        message: () =>
          t`Your browser didn’t agree to that. It often does after you install or bookmark Earshot.`,
      });
  };
  return (
    <div className={styles.promise}>
      <p>
        <Trans>Your browser may delete recordings if this device runs out of space.</Trans>
      </p>
      <Button onPress={() => void ask()}>
        <Trans>Ask the browser to keep them</Trans>
      </Button>
    </div>
  );
}
