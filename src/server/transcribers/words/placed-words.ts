import type { SpokenWord } from '#audio/speech/trim-words.ts';
import type { HeardWord } from '#server/transcribers/transcriber.ts';

/** Nobody says more in a chunk. */
const maxCharacters = 2000;
// Characters that are no text: controls, and halves of a pair.
const notText = /[\p{Cc}\p{Cs}]/gu;

/**
 * Puts words of a chunk on the recording's timeline: whole milliseconds, in order, inside the chunk, and not more
 * text than anybody can say.
 */
export function placedWords(
  words: readonly SpokenWord[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): HeardWord[] {
  const placed: HeardWord[] = [];
  let earliestMs = fromMs;
  let characters = 0;
  const within = (ms: number): number =>
    Math.min(toMs, Math.max(earliestMs, Math.round(fromMs + (Number.isFinite(ms) ? ms : 0))));
  for (const word of words) {
    const text = word.text.replaceAll(notText, '').trim();
    if (text === '') continue;
    characters += text.length + 1;
    if (characters > maxCharacters) break;
    const wordFromMs = within(word.fromMs);
    earliestMs = wordFromMs;
    const wordToMs = within(word.toMs);
    earliestMs = wordToMs;
    placed.push({ fromMs: wordFromMs, toMs: wordToMs, text });
  }
  return placed;
}
