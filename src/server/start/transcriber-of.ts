import type { Config } from '#server/config.ts';
import { createEmbeddedTranscriber } from '#server/transcribers/embedded/embedded-transcriber.ts';
import type { Transcriber } from '#server/transcribers/transcriber.ts';

/** Returns what transcribes recordings; null if the operator switched transcripts off. */
export const transcriberOf = ({
  transcribes,
  transcriberThreads,
}: Pick<Config, 'transcribes' | 'transcriberThreads'>): Transcriber | null =>
  transcribes ? createEmbeddedTranscriber({ threads: transcriberThreads }) : null;
