import type { CaptureSource, ToTakeWorker } from '#workers/take/messages.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { InterruptionCause } from './interruption.ts';
import { openCaptureGraph } from './capture-graph.ts';
import { closeMicrophone, openMicrophone, type Microphone } from './microphone.ts';
import { CaptureError } from './capture-error.ts';
import { openTrackFeed, type TrackFeed } from './track-feed.ts';
import { watchPipeline } from './watch-pipeline.ts';
import { openRecorderPipeline } from './media-recorder-pipeline.ts';
import { recorderFormatHere } from './media-recorder-source.ts';
import { qualities, type Quality } from '#contract/limits.ts';

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
 * Opens the microphone and leads it to a port for the worker. Throws `CaptureError` with everything closed
 * again.
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

/**
 * Whether WebCodecs, the same here as in the worker, encodes Opus: else the browser's own recorder has to.
 */
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
