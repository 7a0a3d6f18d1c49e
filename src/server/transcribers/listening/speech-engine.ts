import { speechRateHz } from '#audio/speech/point-levels.ts';
import type { HeardTokens } from '#server/transcribers/words/words-of-tokens.ts';
import { textsOfLetters } from '#server/transcribers/words/byte-tokens.ts';
import type { EngineTask } from './messages.ts';
import type { Sherpa, SherpaRecognizer } from './sherpa.ts';

type Model = NonNullable<EngineTask['model']>;

export interface EngineResult extends HeardTokens {
  /** The language that the engine heard; null if it doesn't say. */
  language: string | null;
}

function modelConfig({ kind, files }: Model, language: string): Record<string, unknown> {
  const { encoder, decoder, joiner, tokens } = files;
  if (kind === 'transducer')
    return { transducer: { encoder, decoder, joiner }, modelType: 'nemo_transducer', tokens };
  return {
    whisper: {
      encoder,
      decoder,
      language,
      task: 'transcribe',
      tailPaddings: -1,
      // `true` is ignored.
      enableTokenTimestamps: 1,
    },
    tokens,
  };
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? each : '')) : [];
const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.map((each) => (typeof each === 'number' ? each : 0)) : [];

/** A loaded speech model. Its faults end the process. */
export class SpeechEngine {
  readonly #recognizer: SherpaRecognizer;
  readonly #configOf: (language: string) => unknown;
  readonly #isWhisper: boolean;
  readonly #hasLetters: boolean;
  #language = '';

  constructor(sherpa: Sherpa, model: Model, { threads, hasLetters }: Omit<EngineTask, 'model'>) {
    this.#isWhisper = model.kind === 'whisper';
    this.#hasLetters = hasLetters;
    this.#configOf = (language) => ({
      featConfig: { sampleRate: speechRateHz, featureDim: 80 },
      modelConfig: { ...modelConfig(model, language), numThreads: threads, provider: 'cpu', debug: 0 },
    });
    this.#recognizer = new sherpa.OfflineRecognizer(this.#configOf(''));
  }

  /** Hears at most 28 s. */
  hear(samples: Float32Array, language: string | null): EngineResult {
    if (this.#isWhisper && this.#language !== (language ?? '')) {
      this.#language = language ?? '';
      this.#recognizer.setConfig(this.#configOf(this.#language));
    }
    const stream = this.#recognizer.createStream();
    stream.acceptWaveform({ sampleRate: speechRateHz, samples });
    this.#recognizer.decode(stream);
    const result = this.#recognizer.getResult(stream) as Record<string, unknown>;
    const heardLanguage = result['lang'];
    return {
      language: typeof heardLanguage === 'string' && heardLanguage !== '' ? heardLanguage : language,
      text: this.#read(texts([result['text']])).join(''),
      tokens: this.#read(texts(result['tokens'])),
      timestamps: numbers(result['timestamps']),
      durations: numbers(result['durations']),
    };
  }

  #read(tokens: string[]): string[] {
    return this.#hasLetters ? textsOfLetters(tokens) : tokens;
  }
}
