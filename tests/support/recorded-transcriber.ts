import type { TimedWord } from '#base/transcripts/line.ts';
import type { SegmentSound, Transcriber, TranscriptionRequest } from '#server/transcribers/transcriber.ts';

/** What was asked of an engine. */
interface AskedFor {
  fromMs: number;
  toMs: number;
  language: string | null;
  cutsMs: readonly number[];
  hearsAll: boolean;
}

const chunkMs = 500;

/** An engine that says given words at their moments, in chunks of half a second. */
export class RecordedTranscriber implements Transcriber {
  address: string | null = 'https://stt.example';
  language: string | null = 'en';
  hasOwnModel?: boolean;
  words: readonly TimedWord[];
  readonly asked: AskedFor[] = [];
  /** Called before each chunk is delivered. */
  beforeChunk: (fromMs: number) => Promise<void> | void = () => undefined;

  constructor(words: readonly TimedWord[]) {
    this.words = words;
  }

  isInstalled(): boolean {
    return true;
  }

  async transcribe(sound: SegmentSound, request: TranscriptionRequest): Promise<void> {
    const { language, cutsMs, hearsAll = false, signal } = request;
    this.asked.push({ fromMs: sound.fromMs, toMs: sound.toMs, language, cutsMs, hearsAll });
    for (let fromMs = sound.fromMs; fromMs < sound.toMs; fromMs += chunkMs) {
      const toMs = Math.min(sound.toMs, fromMs + chunkMs);
      await this.beforeChunk(fromMs);
      signal.throwIfAborted();
      const words = this.words.filter((word) => word.fromMs >= fromMs && word.fromMs < toMs);
      await request.onChunk(
        {
          fromMs,
          toMs,
          language: this.language,
          timing: 'word',
          words,
          doubt: null,
          cause: words.length > 0 ? null : 'no-speech',
        },
        toMs,
      );
      signal.throwIfAborted();
    }
  }

  async close(): Promise<void> {}
}
