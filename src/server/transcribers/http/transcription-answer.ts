import { z } from 'zod';
import { trimWords, type SpokenWord } from '#audio/speech/trim-words.ts';
import type { HeardSpeech, Speech } from '#server/transcribers/words/heard-chunk.ts';
import { spreadWords } from '#server/transcribers/words/spread-words.ts';
import { languageNamed } from '#server/transcribers/words/whisper-languages.ts';
import { splitWords } from '#server/transcribers/words/words-of-tokens.ts';

const maxWords = 2000;
const maxTextLength = 20_000;

const wordSchema = z.object({ word: z.string(), start: z.number(), end: z.number() });

/** What servers with OpenAI's interface answer. Many leave out words, and some everything but the text. */
const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(wordSchema).nullish(),
});

export type TranscriptionAnswer = z.output<typeof answerSchema>;

/** Reads an answer; null if it is none. */
export const parseAnswer = (value: unknown): TranscriptionAnswer | null =>
  answerSchema.safeParse(value).data ?? null;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** OpenAI's words have no punctuation, but its text has. Takes the text's words if they are the same. */
function withPunctuation(words: SpokenWord[], text: string): SpokenWord[] {
  const written = splitWords(text);
  const isSame =
    written.length === words.length &&
    written.every((word, index) => lettersOf(word.text) === lettersOf(words[index]?.text ?? ''));
  return isSame ? words.map((word, index) => ({ ...word, text: written[index]?.text ?? word.text })) : words;
}

/** The words of an answer, with its times or, without any, spread over the speech. */
export function heardInAnswer(
  { samples, spans }: Speech,
  answer: TranscriptionAnswer,
  language: string | null,
): HeardSpeech {
  const text = answer.text.slice(0, maxTextLength);
  const named = languageNamed(answer.language ?? '') ?? language;
  const words = (answer.words ?? [])
    .slice(0, maxWords)
    .map(({ word, start, end }) => ({ text: word.trim(), fromMs: start * 1000, toMs: end * 1000 }))
    .filter((word) => word.text !== '');
  return words.length === 0
    ? { language: named, timing: 'chunk', words: spreadWords(text, spans) }
    : { language: named, timing: 'word', words: trimWords(withPunctuation(words, text), samples) };
}
