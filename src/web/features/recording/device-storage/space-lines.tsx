import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { hoursThatFit } from '#web/features/recorder/storage-estimate.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { lookAgain } from './kept-store.ts';
import { askToKeep, type RoomHere } from './space-here.ts';
import styles from './kept.module.css';

/**
 * How much room is taken and free, how many hours fit, and whether the browser has promised to keep it all.
 */
export function SpaceLines({
  room: { freeBytes, isPromised },
  usedBytes,
}: {
  room: RoomHere;
  usedBytes: number;
}) {
  const format = useFormat();
  const { quality } = useStore(audioPreferences);
  const used = format.fileSize(usedBytes);
  const free = freeBytes === null ? null : format.fileSize(freeBytes);
  return (
    <div className={styles.room}>
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
      {isPromised === true && (
        <p>
          <Trans>Your browser will keep everything until you remove it.</Trans>
        </p>
      )}
      {isPromised === false && <NotPromised />}
    </div>
  );
}

function NotPromised() {
  const { t } = useLingui();
  const ask = async () => {
    const isPromised = await askToKeep();
    await lookAgain();
    if (!isPromised)
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
