import { boxesOf, TooManyBoxesError, type PieceFile } from './mp4-boxes.ts';

/**
 * Sample entries of protected audio and video: Common Encryption (ISO/IEC 14496-12 §8.12), and earlier schemes of
 * music and audio book stores.
 */
const protectedEntries: ReadonlySet<string> = new Set(['enca', 'encv', 'drms', 'drmi', 'aavd']);

/**
 * Whether the audio or video of an MP4 file is encrypted, by its sample entries. False for every other file, and
 * for one with too many boxes, which `isEndlessMp4` reports as damaged. Rejects if the file cannot be read.
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
