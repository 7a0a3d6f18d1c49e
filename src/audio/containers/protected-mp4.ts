import { boxesOf, TooManyBoxesError, type PieceFile } from './mp4-boxes.ts';

/**
 * Sample entries of protected sound and pictures: Common Encryption (ISO/IEC 14496-12 §8.12), and what came
 * before it in shops for music and for audio books.
 */
const protectedEntries: ReadonlySet<string> = new Set(['enca', 'encv', 'drms', 'drmi', 'aavd']);

/**
 * Whether the sound or the pictures of an MP4 file are under a key, by its tables of sample entries; false
 * for every other file, and for one with more boxes than can be walked, which `isEndlessMp4` calls damaged.
 * Rejects where it cannot be read.
 */
export async function isProtectedMp4(file: PieceFile): Promise<boolean> {
  try {
    for await (const { type, isSampleEntry } of boxesOf(file)) {
      if (isSampleEntry && protectedEntries.has(type)) return true;
    }
  } catch (error) {
    if (!(error instanceof TooManyBoxesError)) throw error;
  }
  return false;
}
