import { useEffect, useState } from 'react';
import { second } from '#base/duration.ts';
import { readFreeBytes } from '#device/takes/storage-estimate.ts';

const measureEveryMs = 30 * second;

/**
 * How many bytes the browser would still store for this site, updated twice a minute; null if the browser doesn't
 * report it.
 */
export function useFreeBytes(): number | null {
  const [freeBytes, setFreeBytes] = useState<number | null>(null);
  useEffect(() => {
    const measure = () => {
      void readFreeBytes().then(setFreeBytes);
    };
    measure();
    const measuring = setInterval(measure, measureEveryMs);
    return () => {
      clearInterval(measuring);
    };
  }, []);
  return freeBytes;
}
