import type { SpokenWord } from '#audio/speech/trim-words.ts';

/** What an engine heard: parts of words, each with its start and, from some engines, its length in seconds. */
export interface HeardTokens {
  text: string;
  tokens: readonly string[];
  timestamps: readonly number[];
  durations: readonly number[];
}

/** A token without a length lasts until the next one, but not longer. */
const maxTokenMs = 500;
const isMark = (text: string): boolean => /^[\p{P}\p{S}]+$/u.test(text);
/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Splits a text at its spaces, and where a script has none, at its words. Marks belong to the word before. */
export function splitWords(text: string): { text: string; at: number }[] {
  const words: { text: string; at: number }[] = [];
  for (const { 0: spaced, index: at } of text.matchAll(/\S+/gu)) {
    const parts = unspaced.test(spaced)
      ? [...segmenter.segment(spaced)].map(({ segment, index }) => ({ text: segment, at: at + index }))
      : [{ text: spaced, at }];
    for (const part of parts) {
      const last = words.at(-1);
      if (last !== undefined && isMark(part.text)) last.text += part.text;
      else words.push(part);
    }
  }
  return words;
}

interface TimedToken {
  /** Its place in the joined text. */
  at: number;
  fromMs: number;
  toMs: number;
  isMark: boolean;
}

function timedTokens({ tokens, timestamps, durations }: HeardTokens): TimedToken[] {
  let at = 0;
  return tokens.map((token, index) => {
    const fromMs = (timestamps[index] ?? 0) * 1000;
    const next = timestamps[index + 1];
    const lengthMs = (durations[index] ?? 0) * 1000;
    const untilNext =
      next === undefined ? maxTokenMs : Math.min(maxTokenMs, Math.max(0, next * 1000 - fromMs));
    const timed = {
      at,
      fromMs,
      toMs: fromMs + (lengthMs > 0 ? lengthMs : untilNext),
      isMark: isMark(token.trim()),
    };
    at += token.length;
    return timed;
  });
}

/**
 * Joins tokens to words with their times. A mark is not spoken: what the engine says of its time is silence. Null if
 * the engine gives no times.
 */
export function wordsOfTokens(heard: HeardTokens): SpokenWord[] | null {
  if (heard.timestamps.length === 0 || heard.timestamps.length !== heard.tokens.length) return null;
  const tokens = heard.tokens.map((token) => token.replaceAll('▁', ' '));
  const timed = timedTokens({ ...heard, tokens });
  const tokenAt = (place: number): number =>
    Math.max(
      0,
      timed.findLastIndex(({ at }) => at <= place),
    );
  return splitWords(tokens.join('')).map((word) => {
    const first = tokenAt(word.at);
    const last = Math.max(first, tokenAt(word.at + word.text.length - 1));
    const spoken = timed.slice(first, last + 1);
    const end = spoken.findLast((token) => !token.isMark) ?? spoken.at(-1);
    return { text: word.text, fromMs: timed[first]?.fromMs ?? 0, toMs: end?.toMs ?? 0 };
  });
}
