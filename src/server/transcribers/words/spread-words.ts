import type { SpokenWord } from '#audio/speech/trim-words.ts';
import { splitWords } from './words-of-tokens.ts';

interface SpanMs {
  fromMs: number;
  toMs: number;
}

/** The moment after some milliseconds of speech. */
function momentAfter(speech: readonly SpanMs[], spokenMs: number): number {
  let leftMs = spokenMs;
  for (const { fromMs, toMs } of speech) {
    if (leftMs <= toMs - fromMs) return fromMs + leftMs;
    leftMs -= toMs - fromMs;
  }
  return speech.at(-1)?.toMs ?? 0;
}

/** Spreads the words of a text over speech, by their letters. */
export function spreadWords(text: string, speech: readonly SpanMs[]): SpokenWord[] {
  const words = splitWords(text);
  const letters = words.reduce((sum, word) => sum + word.text.length, 0);
  const speechMs = speech.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  let before = 0;
  return words.map((word) => {
    const fromMs = momentAfter(speech, (before / letters) * speechMs);
    before += word.text.length;
    return { text: word.text, fromMs, toMs: momentAfter(speech, (before / letters) * speechMs) };
  });
}
