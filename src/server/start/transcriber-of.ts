import type { Config } from '#server/config.ts';
import { isLoopback } from '#server/http/edge/loopback.ts';
import { createEmbeddedTranscriber } from '#server/transcribers/embedded/embedded-transcriber.ts';
import { createHttpTranscriber } from '#server/transcribers/http/http-transcriber.ts';
import type { Transcriber } from '#server/transcribers/transcriber.ts';

type Settings = Pick<
  Config,
  'transcribes' | 'transcriberThreads' | 'transcriberUrl' | 'transcriberKey' | 'transcriberModel'
>;

/** Returns what transcribes recordings; null if the operator switched transcripts off. */
export function transcriberOf(config: Settings): Transcriber | null {
  if (!config.transcribes) return null;
  const url = config.transcriberUrl;
  if (url === '') return createEmbeddedTranscriber({ threads: config.transcriberThreads });
  return createHttpTranscriber({
    url,
    key: config.transcriberKey,
    model: config.transcriberModel,
    isElsewhere: !isLoopback(new URL(url)),
  });
}
