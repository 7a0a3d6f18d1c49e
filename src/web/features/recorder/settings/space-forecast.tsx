import { useEffect, useState } from 'react';
import { Plural } from '@lingui/react/macro';
import type { Quality } from '#contract/limits.ts';
import { readFreeBytes, hoursThatFit } from '#device/takes/storage-estimate.ts';
import styles from './settings.module.css';

/**
 * How many hours of the chosen quality this device still has room for; nothing where the browser does not
 * say.
 */
export function SpaceForecast({ quality }: { quality: Quality }) {
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  useEffect(() => {
    void readFreeBytes().then(setFreeBytes);
  }, []);
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
