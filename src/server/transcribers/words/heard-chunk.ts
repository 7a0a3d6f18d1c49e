import type { CutChunk } from '#audio/speech/chunk-cutter.ts';
import { quietestSample, samplesPerMs } from '#audio/speech/point-levels.ts';
import { trimWords, type SpokenWord } from '#audio/speech/trim-words.ts';
import type { HeardChunk } from '#server/transcribers/transcriber.ts';
import { doubtOf } from './doubts.ts';
import { placedWords } from './placed-words.ts';
import { spreadWords } from './spread-words.ts';
import { type HeardTokens, wordsOfTokens } from './words-of-tokens.ts';

/** Speech with its place on the recording's timeline. */
export interface Speech {
  fromMs: number;
  toMs: number;
  samples: Float32Array;
  /** Where somebody speaks, from the start of the samples. */
  spans: readonly { fromMs: number; toMs: number }[];
}

/** The speech of a chunk of a segment that starts at `startMs`. */
export const speechOf = (chunk: CutChunk, startMs: number): Speech => ({
  fromMs: startMs + chunk.from / samplesPerMs,
  toMs: startMs + chunk.to / samplesPerMs,
  samples: chunk.samples,
  spans: chunk.speech.map(({ from, to }) => ({
    fromMs: (from - chunk.from) / samplesPerMs,
    toMs: (to - chunk.from) / samplesPerMs,
  })),
});

/** The two halves of a speech, cut at the quietest point of its middle third. */
function halvesOf(speech: Speech): [Speech, Speech] {
  const third = Math.floor(speech.samples.length / 3);
  const at = third + quietestSample(speech.samples.subarray(third, 2 * third));
  const cutMs = Math.round(at / samplesPerMs);
  const spans = (fromMs: number, toMs: number) =>
    speech.spans
      .map((span) => ({
        fromMs: Math.max(span.fromMs, fromMs) - fromMs,
        toMs: Math.min(span.toMs, toMs) - fromMs,
      }))
      .filter((span) => span.toMs > span.fromMs);
  const middleMs = speech.fromMs + cutMs;
  return [
    {
      ...speech,
      toMs: middleMs,
      samples: speech.samples.subarray(0, cutMs * samplesPerMs),
      spans: spans(0, cutMs),
    },
    {
      ...speech,
      fromMs: middleMs,
      samples: speech.samples.subarray(cutMs * samplesPerMs),
      spans: spans(cutMs, Infinity),
    },
  ];
}

/** What an engine says about speech, in words with times if it has them. */
export interface HeardSpeech {
  language: string | null;
  timing: HeardChunk['timing'];
  /** From the start of the samples. */
  words: SpokenWord[];
}

/** Takes the engine's times, moved to the sound of the words. Without times, words are spread over the speech. */
export function timedSpeech(
  { samples, spans }: Speech,
  heard: HeardTokens & { language: string | null },
): HeardSpeech {
  const { language } = heard;
  const words = wordsOfTokens(heard);
  return words === null
    ? { language, timing: 'chunk', words: spreadWords(heard.text, spans) }
    : { language, timing: 'word', words: trimWords(words, samples) };
}

/** The words of one after those of the other. */
function joined(speech: Speech, heard: readonly [HeardSpeech, HeardSpeech], second: Speech): HeardSpeech {
  const shiftMs = second.fromMs - speech.fromMs;
  const shifted = heard[1].words.map((word) => ({
    ...word,
    fromMs: word.fromMs + shiftMs,
    toMs: word.toMs + shiftMs,
  }));
  const timing = heard.every((half) => half.timing === 'word') ? 'word' : 'chunk';
  return { language: heard[0].language, timing, words: [...heard[0].words, ...shifted] };
}

/** Hears the two halves of speech. */
export async function hearHalves(
  speech: Speech,
  hear: (speech: Speech) => Promise<HeardSpeech>,
): Promise<HeardSpeech> {
  const [first, second] = halvesOf(speech);
  return joined(speech, [await hear(first), await hear(second)], second);
}

/** Hears speech. If the engine repeats itself, it hears the halves, which often ends that. */
export async function hearChunk(
  speech: Speech,
  hear: (speech: Speech) => Promise<HeardSpeech>,
): Promise<HeardChunk> {
  const { fromMs, toMs } = speech;
  let heard = await hear(speech);
  if (doubtOf(heard.words, toMs - fromMs) === 'loop') heard = await hearHalves(speech, hear);
  const words = placedWords(heard.words, speech);
  const { language, timing } = heard;
  return { fromMs, toMs, language, timing, words, doubt: doubtOf(words, toMs - fromMs), cause: null };
}
