import { useEffect, useState } from 'react';
import { second } from '#base/duration.ts';
import { readFreeBytes } from '#device/takes/storage-estimate.ts';

const lookEveryMs = 30 * second;

/**
 * What the browser would still store for this site, in bytes, looked at again twice a minute; null where it
 * does not say.
 */
export function useFreeBytes(): number | null {
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  useEffect(() => {
    const look = () => {
      void readFreeBytes().then(setFreeBytes);
    };
    look();
    const looking = setInterval(look, lookEveryMs);
    return () => {
      clearInterval(looking);
    };
  }, []);
  return freeBytes;
}
