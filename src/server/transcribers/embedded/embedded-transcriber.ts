import { availableParallelism } from 'node:os';
import { isEngineInstalled } from '#server/transcribers/listening/engine-package.ts';
import { createListener } from '#server/transcribers/listening/listener.ts';
import {
  type SpeechModel,
  type Transcriber,
  TranscriberError,
  type TranscriptionRequest,
} from '#server/transcribers/transcriber.ts';
import { whisperLanguage } from '#server/transcribers/words/whisper-languages.ts';

const maxThreads = 4;
/** The rest of the server needs a processor. */
const defaultThreads = (): number => Math.min(maxThreads, Math.max(1, availableParallelism() - 1));

/** @throws TranscriberError if the model does not know the language */
function languageOf(model: SpeechModel, { language }: TranscriptionRequest): string | null {
  if (language === null || model.kind !== 'whisper') return language;
  const known = whisperLanguage(language);
  if (known === null)
    throw new TranscriberError(
      'language-unsupported',
      `${model.name} does not know the language ${language}`,
    );
  return known;
}

/**
 * Transcribes in a child process on this machine.
 * @param options.threads null for the default
 * @param options.restMs how long the process stays without work
 */
export function createEmbeddedTranscriber({
  threads = null,
  restMs,
}: { threads?: number | null; restMs?: number } = {}): Transcriber {
  const listener = createListener(restMs === undefined ? {} : { restMs });
  return {
    isInstalled: isEngineInstalled,
    address: null,
    async transcribe(sound, request) {
      const { model } = request;
      if (model === null) throw new TranscriberError('model-broken', 'no speech model was chosen');
      const language = languageOf(model, request);
      const task = { model: { kind: model.kind, files: model.files }, threads: threads ?? defaultThreads() };
      await listener.listen(
        sound,
        { ...request, language },
        { engine: { task, memoryBytes: model.memoryBytes } },
      );
    },
    close: () => listener.close(),
  };
}
