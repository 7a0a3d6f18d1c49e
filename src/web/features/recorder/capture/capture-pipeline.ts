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

/** A connection from one microphone to the take's worker, until it is closed. */
export interface CapturePipeline {
  microphone: Pick<Microphone, 'label' | 'deviceId' | 'groupId'>;
  /** Posted to the worker once. */
  source: CaptureSource;
  /**
   * Calls `onLost` once, with the cause, when the pipeline stops delivering audio. Returns a function that stops
   * watching.
   */
  watch: (onLost: (cause: InterruptionCause) => void) => () => void;
  /** Called once the worker has the source. For pipelines that send audio through the page. */
  start?: (post: (message: ToTakeWorker) => void) => void;
  /** Stops recording while paused. For pipelines that bypass the worker's own gate. */
  setPaused?: (isPaused: boolean) => void;
  /** Sends the audio that is still buffered. Missing if the pipeline never buffers. */
  finish?: () => Promise<void>;
  close: () => void;
}

export interface CapturePipelineOptions {
  preferences: AudioPreferences;
  /** Created during the press, if there was one. Closed with the pipeline, or if that can't be opened. */
  context: AudioContext;
}

/**
 * Opens the microphone and connects it to a stream or port for the worker.
 * @throws CaptureError after closing everything
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
      // Closing a context that the system has broken may reject.
      void close().catch(() => undefined);
      closeMicrophone(microphone);
    },
  };
}

/** Whether WebCodecs can encode Opus in this browser. If not, MediaRecorder has to. */
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

/** Chromium's API. TypeScript's library has the later version of the specification, which has no audio. */
type AudioTrackProcessor = new (init: { track: MediaStreamTrack; maxBufferSize: number }) => {
  readable: ReadableStream<AudioData>;
};

export interface TrackFeed {
  /** Transferred to the take's worker. */
  pcm: PcmFeed;
  sampleRateHz: number;
}

/** Blocks are 10 ms long, so ten seconds of audio are queued for a delayed worker. */
const queuedBlocks = 1000;
/** After this, the worklet is used instead. */
const longestStartMs = second;
/** An audio context resamples all other rates. */
const usualRatesHz = [44_100, 48_000];

const isProcessor = (value: unknown): value is AudioTrackProcessor => typeof value === 'function';

/**
 * The rate of the first block, which is discarded; 0 if none arrives in time. The stream can still be read
 * afterwards.
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
  /** Whether audio of this rate can be encoded. */
  accepts: (sampleRateHz: number) => Promise<boolean>;
}

/**
 * Reads audio with its capture time from the track, before an audio context could lose any. Null if the browser
 * does not support this, or if the rate must be resampled or is not accepted; the microphone is unchanged then.
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
    // The track can't be read or has ended. The worklet reports that.
  }
  return null;
}
