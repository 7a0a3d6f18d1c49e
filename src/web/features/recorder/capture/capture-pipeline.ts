import type { CaptureSource, ToTakeWorker, PcmFeed } from '#workers/take/messages.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { InterruptionCause } from './interruption.ts';
import { openCaptureGraph } from './capture-graph.ts';
import { closeMicrophone, openMicrophone, type Microphone } from './microphone.ts';
import { CaptureError } from './capture-error.ts';
import { watchPipeline } from './watch-pipeline.ts';
import { openRecorderPipeline } from './media-recorder-pipeline.ts';
import { recorderFormatHere } from './media-recorder-source.ts';
import { qualities, type Quality } from '#contract/limits.ts';
import { second } from '#base/duration.ts';

/** A connection from one microphone to the take worker, open until it is closed. */
export interface CapturePipeline {
  microphone: Pick<Microphone, 'label' | 'deviceId' | 'groupId'>;
  /** To be handed to the worker, once. */
  source: CaptureSource;
  /** Calls once when no sound comes from here any more, and why. Returns a function that stops watching. */
  watch: (onLost: (cause: InterruptionCause) => void) => () => void;
  /** Called once the worker knows the source; for pipelines that send through the page. */
  start?: (post: (message: ToTakeWorker) => void) => void;
  /** Nothing is to be recorded while paused; for those that do not go through the worker's own gate. */
  setPaused?: (isPaused: boolean) => void;
  /** Sends what is still held back; null where nothing ever is. */
  finish?: () => Promise<void>;
  close: () => void;
}

export interface CapturePipelineOptions {
  preferences: AudioPreferences;
  /** Opened in the press if there was one; closed with the pipeline, and if that cannot be opened. */
  context: AudioContext;
}

/**
 * Opens the microphone and connects it to a stream or port for the worker.
 * @throws CaptureError with everything closed again
 */
export async function openCapturePipeline({
  preferences,
  context,
}: CapturePipelineOptions): Promise<CapturePipeline> {
  const closeContext = () => {
    if (context.state !== 'closed') void context.close();
  };
  let microphone: Microphone | null = null;
  try {
    microphone = await openMicrophone(preferences);
    const feed = await openTrackFeed({
      microphone,
      accepts: (rateHz) => canEncodeOpus(preferences.quality, rateHz),
    });
    if (feed !== null) {
      closeContext();
      return trackPipeline(microphone, feed);
    }
    const graph = await openCaptureGraph(context, microphone).catch((error: unknown) => {
      if (recorderFormatHere() === null) throw error;
      return null;
    });
    if (graph !== null && (await canEncodeOpus(preferences.quality, graph.sampleRateHz)))
      return pcmPipeline(context, microphone, graph);
    const pipeline = openRecorderPipeline({ microphone, context, graph, quality: preferences.quality });
    if (pipeline === null) throw new CaptureError('encoder-missing');
    return pipeline;
  } catch (error) {
    if (microphone) closeMicrophone(microphone);
    closeContext();
    throw error;
  }
}

function trackPipeline(microphone: Microphone, { pcm, sampleRateHz }: TrackFeed): CapturePipeline {
  return {
    microphone,
    source: { kind: 'pcm', pcm, sampleRateHz, channels: microphone.channels, deviceLabel: microphone.label },
    watch: (onLost) => watchPipeline({ microphone, context: null }, onLost),
    close: () => {
      closeMicrophone(microphone);
    },
  };
}

function pcmPipeline(
  context: AudioContext,
  microphone: Microphone,
  { sampleRateHz, pcm, close }: Awaited<ReturnType<typeof openCaptureGraph>>,
): CapturePipeline {
  return {
    microphone,
    source: { kind: 'pcm', pcm, sampleRateHz, channels: microphone.channels, deviceLabel: microphone.label },
    watch: (onLost) => watchPipeline({ microphone, context }, onLost),
    close: () => {
      // A context that the system has broken may refuse to be closed again.
      void close().catch(() => undefined);
      closeMicrophone(microphone);
    },
  };
}

/** Whether WebCodecs encodes Opus here, as in the worker. Otherwise the browser's own recorder has to. */
async function canEncodeOpus(quality: Quality, sampleRateHz: number): Promise<boolean> {
  if (globalThis.AudioEncoder === undefined) return false;
  const { bitrateBps, channels } = qualities[quality];
  try {
    const { supported } = await AudioEncoder.isConfigSupported({
      codec: 'opus',
      sampleRate: sampleRateHz,
      numberOfChannels: channels,
      bitrate: bitrateBps,
    });
    return supported === true;
  } catch {
    return false;
  }
}

/** Chromium's API. TypeScript's library has the later standard, which has no audio. */
type AudioTrackProcessor = new (init: { track: MediaStreamTrack; maxBufferSize: number }) => {
  readable: ReadableStream<AudioData>;
};

export interface TrackFeed {
  /** To be transferred to the take worker. */
  pcm: PcmFeed;
  sampleRateHz: number;
}

/** A track delivers blocks of 10 ms: ten seconds may wait for a worker that is delayed. */
const queuedBlocks = 1000;
/** From then on the worklet takes over. */
const longestStartMs = second;
/** An audio context resamples all other rates. */
const usualRatesHz = [44_100, 48_000];

const isProcessor = (value: unknown): value is AudioTrackProcessor => typeof value === 'function';

/** The rate of the first block, which is discarded; 0 if none arrives in time. The stream can be read further. */
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
 * Reads the sound from the track, with the time of its capture, before an audio context can lose some of it. Null
 * if the browser cannot do this, or if the rate has to be resampled or is not accepted; the microphone is unchanged
 * then.
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
    // It reads no sound, or the track is gone: the worklet reports that.
  }
  return null;
}
