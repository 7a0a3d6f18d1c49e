import type { PcmFeed } from '#workers/take/messages.ts';
import type { Microphone } from './microphone.ts';

/** Chromium's API. TypeScript's library has the later version of the specification, which has no audio. */
type AudioTrackProcessor = new (init: { track: MediaStreamTrack; maxBufferSize: number }) => {
  readable: ReadableStream<AudioData>;
};

export interface TrackFeed {
  /** Transferred to the take's worker. */
  pcm: PcmFeed;
  /** The first block, which had to be read to learn the rate. Transferred to the take's worker, too. */
  first: AudioData;
  sampleRateHz: number;
}

/** A track that is being opened. */
export interface OpeningTrackFeed {
  /**
   * Resolves when the first block arrives, however late; with null if the track can't be read, or if its rate must
   * be resampled or is not accepted. The microphone is unchanged then. No block is lost before.
   */
  feed: Promise<TrackFeed | null>;
  /** Stops reading the track. */
  close: () => void;
}

/** Blocks are 10 ms long, so ten seconds of audio are queued for a delayed worker. */
const queuedBlocks = 1000;
/** An audio context resamples all other rates. */
const commonRatesHz = [44_100, 48_000];

const isProcessor = (value: unknown): value is AudioTrackProcessor => typeof value === 'function';

export interface TrackFeedOptions {
  microphone: Pick<Microphone, 'stream'>;
  /** Whether audio of this rate can be encoded. */
  accepts: (sampleRateHz: number) => Promise<boolean>;
}

async function feedOf(
  readable: ReadableStream<AudioData>,
  reader: ReadableStreamDefaultReader<AudioData>,
  accepts: TrackFeedOptions['accepts'],
): Promise<TrackFeed | null> {
  try {
    const { value: first } = await reader.read();
    reader.releaseLock();
    if (first !== undefined && commonRatesHz.includes(first.sampleRate) && (await accepts(first.sampleRate)))
      return { pcm: readable, first, sampleRateHz: first.sampleRate };
    first?.close();
    await readable.cancel();
  } catch {
    // The track can't be read or has ended. The worklet reports that.
  }
  return null;
}

/**
 * Reads audio with its capture time from the track, before an audio context could lose any. Null if the browser
 * does not support this.
 */
export function openTrackFeed({ microphone, accepts }: TrackFeedOptions): OpeningTrackFeed | null {
  const Processor: unknown = Reflect.get(globalThis, 'MediaStreamTrackProcessor');
  const [track] = microphone.stream.getAudioTracks();
  if (!isProcessor(Processor) || track === undefined) return null;
  try {
    const { readable } = new Processor({ track, maxBufferSize: queuedBlocks });
    const reader = readable.getReader();
    const feed = feedOf(readable, reader, accepts);
    const close = () => {
      // Only a stream that nothing reads can be cancelled by itself. A transferred one belongs to the worker.
      void reader
        .cancel()
        .catch(() => readable.cancel())
        .catch(() => undefined);
    };
    return { feed, close };
  } catch {
    return null;
  }
}
