import { Plural } from '@lingui/react/macro';
import type { Quality } from '#contract/limits.ts';
import { hoursThatFit } from '#device/takes/storage-estimate.ts';
import { useFreeBytes } from '#web/features/recorder/use-free-bytes.ts';
import styles from './settings.module.css';

/**
 * How many hours of the chosen quality fit on this device. Renders nothing if the browser does not report free
 * space.
 */
export function SpaceForecast({ quality }: { quality: Quality }) {
  const freeBytes = useFreeBytes();
  if (freeBytes === null) return null;
  const hours = hoursThatFit(freeBytes, quality);
  return (
    <p className={styles.note}>
      <Plural
        value={hours}
        _0="This device has space for less than an hour at this quality."
        one="This device has space for about # hour at this quality."
        other="This device has space for about # hours at this quality."
      />
    </p>
  );
}
