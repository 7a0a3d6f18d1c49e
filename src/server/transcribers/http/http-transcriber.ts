import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '#base/duration.ts';
import { isEngineInstalled } from '#server/transcribers/listening/engine-package.ts';
import { createListener } from '#server/transcribers/listening/listener.ts';
import type { SpeechSound } from '#server/transcribers/listening/messages.ts';
import {
  type Transcriber,
  TranscriberError,
  type TranscriptionRequest,
} from '#server/transcribers/transcriber.ts';
import {
  hearChunk,
  hearHalves,
  type HeardSpeech,
  type Speech,
} from '#server/transcribers/words/heard-chunk.ts';
import { type Asked, askTranscriptionServer, type TranscriptionServer } from './ask-server.ts';
import { heardInAnswer } from './transcription-answer.ts';
import { samplesOf, wavOf } from './wav.ts';

/** The process that finds speech needs no more. */
const memoryBytes = 1024 * 1024 * 1024;
const maxAttempts = 3;
/** Sound that is too large for the server is halved, but not further than this. */
const minHalvedMs = 5 * second;
/** After so many chunks in a row without an answer, the server itself is the problem. */
const maxHolesInRow = 3;

/** Nothing can be said of some sound. */
class NoAnswer extends Error {}

const speechOf = ({ fromMs, toMs, pcm, speech }: SpeechSound): Speech => ({
  fromMs,
  toMs,
  samples: samplesOf(pcm),
  spans: speech.map((span) => ({ fromMs: span.fromMs - fromMs, toMs: span.toMs - fromMs })),
});

const defaultTimeoutMsOf = (lengthMs: number): number => minute + 4 * lengthMs;

interface AskLimits {
  /** The first pause before a request is repeated. */
  retryMs?: number;
  /** How long an answer may take, by the length of the sound. */
  timeoutMsOf?: (lengthMs: number) => number;
}

/** The chunks of one transcription, heard by a server. */
class ServerHearing {
  readonly #server: TranscriptionServer;
  readonly #request: TranscriptionRequest;
  readonly #limits: Required<AskLimits>;
  #holesInRow = 0;

  constructor(server: TranscriptionServer, request: TranscriptionRequest, limits: Required<AskLimits>) {
    this.#server = server;
    this.#request = request;
    this.#limits = limits;
  }

  /** Hears a chunk and delivers it; without an answer, as a hole. */
  async hear(sound: SpeechSound): Promise<void> {
    const speech = speechOf(sound);
    const { fromMs, toMs } = speech;
    try {
      const chunk = await hearChunk(speech, (part) => this.#hear(part));
      this.#holesInRow = 0;
      await this.#request.onChunk(chunk, toMs);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#holesInRow += 1;
      if (this.#holesInRow >= maxHolesInRow)
        throw new TranscriberError('transcriber-unavailable', error.message);
      const hole = { language: null, timing: 'chunk', words: [], doubt: null, cause: 'no-answer' } as const;
      await this.#request.onChunk({ fromMs, toMs, ...hole }, toMs);
    }
  }

  async #hear(speech: Speech): Promise<HeardSpeech> {
    const asked = await this.#ask(speech);
    if (asked.kind === 'answer') return heardInAnswer(speech, asked.answer, this.#request.language);
    if (asked.kind === 'unreachable') throw new TranscriberError('transcriber-unavailable', asked.reason);
    const isHalvable = speech.toMs - speech.fromMs >= 2 * minHalvedMs;
    if (asked.kind === 'too-large' && isHalvable) return hearHalves(speech, (half) => this.#hear(half));
    throw new NoAnswer(asked.kind === 'too-large' ? 'the sound is too large' : asked.reason);
  }

  /** Asks until there is an answer, but not too often. */
  async #ask(speech: Speech): Promise<Asked> {
    const { language, signal } = this.#request;
    const timeoutMs = this.#limits.timeoutMsOf(speech.toMs - speech.fromMs);
    const sound = { wav: wavOf(speech.samples), language };
    for (let attempt = 1; ; attempt++) {
      const asked = await askTranscriptionServer(this.#server, sound, {
        signal,
        timeoutMs,
      });
      const mayPass = asked.kind === 'no-answer' || asked.kind === 'unreachable';
      if (!mayPass || attempt >= maxAttempts) return asked;
      await delay(attempt * this.#limits.retryMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

/**
 * Transcribes with a server that has OpenAI's interface. A child process of this server finds the speech, and only that
 * is sent.
 */
export function createHttpTranscriber(
  server: TranscriptionServer & { isElsewhere: boolean },
  { retryMs = second, timeoutMsOf = defaultTimeoutMsOf }: AskLimits = {},
): Transcriber {
  const listener = createListener();
  return {
    isInstalled: isEngineInstalled,
    address: server.isElsewhere ? new URL(server.url).origin : null,
    hasOwnModel: true,
    transcribe(sound, request) {
      const hearing = new ServerHearing(server, request, { retryMs, timeoutMsOf });
      return listener.listen(sound, request, {
        engine: { task: { model: null, threads: 1 }, memoryBytes },
        hearElsewhere: (speech) => hearing.hear(speech),
      });
    },
    close: () => listener.close(),
  };
}
