import type { SpokenWord } from '#audio/speech/trim-words.ts';

const maxLoopWords = 8;
const maxWordsPerSecond = 8;

/** Whether the same one to eight words follow each other three times. */
function isLoop(words: readonly SpokenWord[]): boolean {
  const letters = words.map(({ text }) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const isSame = (from: number, to: number, size: number): boolean =>
    letters.slice(from, from + size).every((word, index) => word !== '' && word === letters[to + index]);
  for (let size = 1; size <= maxLoopWords; size++)
    for (let at = 0; at + 3 * size <= letters.length; at++)
      if (isSame(at, at + size, size) && isSame(at, at + 2 * size, size)) return true;
  return false;
}

/** Why words may be wrong. */
export function doubtOf(words: readonly SpokenWord[], lengthMs: number): 'loop' | 'doubtful' | null {
  if (isLoop(words)) return 'loop';
  return words.length > 2 && words.length > (lengthMs / 1000) * maxWordsPerSecond ? 'doubtful' : null;
}
