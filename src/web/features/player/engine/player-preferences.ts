import { readText, writeText } from '#device/site-data/text-store.ts';

/**
 * Reads a choice that this browser keeps; storage may be refused (private windows), then it lasts as long as
 * the page.
 */
const read = (key: string): string | null => readText('localStorage', key);
const write = (key: string, value: string): void => {
  writeText('localStorage', key, value);
};

/** How loud the player was last, 0 to 1. */
export const storedVolume = {
  read(): number {
    const stored = Number.parseFloat(read('volume') ?? '');
    return stored >= 0 && stored <= 1 ? stored : 1;
  },
  write: (volume: number): void => write('volume', String(volume)),
};

/** Whether the player jumps over gaps: it does until somebody chose silence. */
export const storedGapChoice = {
  read: (): boolean => read('gaps') !== 'silence',
  write: (skipsGaps: boolean): void => write('gaps', skipsGaps ? 'skip' : 'silence'),
};
