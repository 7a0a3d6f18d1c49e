import { second } from '#base/duration.ts';
import type { PcmFeed } from '#workers/take/messages.ts';
import type { Microphone } from './microphone.ts';

/** Chromium's: TypeScript's library knows the later agreement, which leaves sound out. */
type AudioTrackProcessor = new (init: { track: MediaStreamTrack; maxBufferSize: number }) => {
  readable: ReadableStream<AudioData>;
};

export interface TrackFeed {
  /** To be transferred to the take worker. */
  pcm: PcmFeed;
  sampleRateHz: number;
}

/** A track gives blocks of 10 ms: ten seconds may wait for a worker that is held up. */
const queuedBlocks = 1000;
/** From then on the worklet takes over. */
const longestStartMs = second;
/** What all else here is made for; an audio context resamples the rest. */
const usualRatesHz = [44_100, 48_000];

const isProcessor = (value: unknown): value is AudioTrackProcessor => typeof value === 'function';

/**
 * The rate of the first block, which is let go; 0 when none comes in time. The stream can be read on by
 * somebody else.
 */
async function firstRateHz(readable: ReadableStream<AudioData>): Promise<number> {
  const reader = readable.getReader();
  const { promise, resolve } = Promise.withResolvers<null>();
  const tooLate = setTimeout(() => {
    resolve(null);
  }, longestStartMs);
  try {
    const data = (await Promise.race([reader.read(), promise]))?.value;
    const rateHz = data?.sampleRate ?? 0;
    data?.close();
    return rateHz;
  } finally {
    clearTimeout(tooLate);
    reader.releaseLock();
  }
}

export interface TrackFeedOptions {
  microphone: Pick<Microphone, 'stream'>;
  /** Whether sound of this rate can be used. */
  accepts: (sampleRateHz: number) => Promise<boolean>;
}

/**
 * Takes the sound where the browser delivers it, with the time at which it was taken, before any audio
 * context can lose some of it. Null where a browser has no such way, or at a rate that has to be resampled or
 * is not accepted: then the microphone is as it was.
 */
export async function openTrackFeed({ microphone, accepts }: TrackFeedOptions): Promise<TrackFeed | null> {
  const Processor: unknown = Reflect.get(globalThis, 'MediaStreamTrackProcessor');
  const [track] = microphone.stream.getAudioTracks();
  if (!isProcessor(Processor) || track === undefined) return null;
  try {
    const { readable } = new Processor({ track, maxBufferSize: queuedBlocks });
    const sampleRateHz = await firstRateHz(readable);
    if (usualRatesHz.includes(sampleRateHz) && (await accepts(sampleRateHz)))
      return { pcm: readable, sampleRateHz };
    await readable.cancel();
  } catch {
    /* it reads no sound, or the track is gone: the worklet will tell */
  }
  return null;
}
