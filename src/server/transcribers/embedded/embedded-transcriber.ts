import { type Transcriber, TranscriberError } from '#server/transcribers/transcriber.ts';
import { isEngineInstalled } from './engine-package.ts';

/** Transcribes in a child process on this machine. */
export const createEmbeddedTranscriber = (): Transcriber => ({
  isInstalled: isEngineInstalled,
  address: null,
  transcribe: () => Promise.reject(new TranscriberError('engine-missing', 'the engine is not built yet')),
  close: async () => undefined,
});
