import { Plural } from '@lingui/react/macro';
import { hour } from '#base/duration.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { spaceOf } from '#device/takes/storage-estimate.ts';
import styles from './settings.module.css';
import { useFreeBytes } from '#web/features/recorder/use-free-bytes.ts';

/** How many hours still fit, shown before a take if space is getting short. */
export function SpaceHint() {
  const space = spaceOf(useFreeBytes(), useStore(audioPreferences).quality);
  if (space === null || space.urgency === 'enough') return null;
  const hours = Math.floor(space.leftMs / hour);
  return (
    <p className={styles.note}>
      <Plural
        value={hours}
        _0="This device has space for less than an hour."
        one="This device has space for about # hour."
        other="This device has space for about # hours."
      />
    </p>
  );
}
