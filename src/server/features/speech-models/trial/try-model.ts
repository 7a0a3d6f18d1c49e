import { readFile } from 'node:fs/promises';
import { second } from '#base/duration.ts';
import {
  type HeardChunk,
  type SpeechModel,
  type Transcriber,
  TranscriberError,
} from '#server/transcribers/transcriber.ts';
import { countWordErrors } from './word-errors.ts';

/** John F. Kennedy on 20 January 1961, in the public domain. */
const recording = new URL('jfk-1961.ogg', import.meta.url);
const recordingMs = 11 * second;
const spokenWords =
  'And so my fellow Americans ask not what your country can do for you ask what you can do for your country';
export const spokenWordCount = spokenWords.split(' ').length;
/** A model that gets more words wrong does not work. */
const maxWrongWords = 11;

export interface Trial {
  wrongWords: number;
  /** How long a second of sound takes. */
  msPerSecond: number;
  gives: 'word' | 'text';
}

/** The model gives no transcript that could be used. */
export class ModelBrokenError extends Error {
  override readonly name = 'ModelBrokenError';
}

async function hear(
  { transcriber, model }: { transcriber: Transcriber; model: SpeechModel },
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<HeardChunk[]> {
  const chunks: HeardChunk[] = [];
  const read = async (startByte: number, endByteExclusive: number) =>
    bytes.subarray(startByte, endByteExclusive);
  await transcriber.transcribe(
    { startMs: 0, fromMs: 0, toMs: recordingMs, audio: { kind: 'ogg', sizeBytes: bytes.byteLength, read } },
    {
      model,
      language: 'en',
      cutsMs: [],
      signal,
      onChunk: async (chunk) => {
        chunks.push(chunk);
      },
    },
  );
  return chunks;
}

/**
 * Transcribes a known recording with a model. It runs twice, because the first run also loads the model.
 * @throws ModelBrokenError if the model does not work, TranscriberError if the engine does not
 */
export async function tryModel(
  parts: { transcriber: Transcriber; model: SpeechModel },
  signal: AbortSignal,
): Promise<Trial> {
  const bytes = await readFile(recording);
  await hear(parts, bytes, signal);
  const startedAtMs = performance.now();
  const chunks = await hear(parts, bytes, signal);
  const tookMs = performance.now() - startedAtMs;
  const cause = chunks.find((chunk) => chunk.cause !== null && chunk.cause !== 'no-speech')?.cause;
  if (cause !== undefined) throw new ModelBrokenError(`the engine reports ${cause}`);
  const words = chunks.flatMap((chunk) => chunk.words);
  const wrongWords = countWordErrors(words.map(({ text }) => text).join(' '), spokenWords);
  if (wrongWords > maxWrongWords) throw new ModelBrokenError(`${wrongWords} words of the test are wrong`);
  return {
    wrongWords,
    msPerSecond: Math.round((tookMs * second) / recordingMs),
    gives: chunks.some(({ timing }) => timing === 'chunk') ? 'text' : 'word',
  };
}

/** Whether an error says that the engine cannot run here, which is not the fault of the model. */
export const isEngineMissing = (error: unknown): boolean =>
  error instanceof TranscriberError && error.problem === 'engine-missing';
