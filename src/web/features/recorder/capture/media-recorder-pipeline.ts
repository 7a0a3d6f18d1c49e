import type { Quality } from '#contract/limits.ts';
import type { CaptureSource, ToTakeWorker } from '#workers/take/messages.ts';
import type { CaptureGraph } from './capture-graph.ts';
import { closeMicrophone, type Microphone } from './microphone.ts';
import { watchPipeline } from './watch-pipeline.ts';
import type { InterruptionCause } from './interruption.ts';
import { openMediaRecorderSource } from './media-recorder-source.ts';

export interface MediaRecorderPipelineOptions {
  microphone: Microphone;
  context: AudioContext;
  /** For meter, peaks and an exact length; null if the context does not start. */
  graph: CaptureGraph | null;
  quality: Quality;
}

/** A `CapturePipeline`, declared here because importing that type would be a cycle. */
interface RecorderPipeline {
  microphone: Microphone;
  source: CaptureSource;
  watch: (onLost: (cause: InterruptionCause) => void) => () => void;
  start: (post: (message: ToTakeWorker) => void) => void;
  setPaused: (isPaused: boolean) => void;
  finish: () => Promise<void>;
  close: () => void;
}

/** The rate at which Opus is decoded, used if the actual rate is unknown. */
const usualSampleRateHz = 48_000;

/**
 * A pipeline that records with MediaRecorder and posts chunks through the page, for browsers that can't encode
 * Opus themselves or deliver no PCM. Null if MediaRecorder is missing or supports none of our formats.
 */
export function openRecorderPipeline({
  microphone,
  context,
  graph,
  quality,
}: MediaRecorderPipelineOptions): RecorderPipeline | null {
  let post: ((message: ToTakeWorker) => void) | null = null;
  let lose: () => void = () => {};
  let isClosed = false;
  /** Chunks recorded before the worker had the source. */
  let early: ToTakeWorker[] = [];
  const source = openMediaRecorderSource(microphone, {
    quality,
    nowMs: () => performance.now(),
    onChunk: (bytes, isLast) => {
      if (isClosed) return;
      const chunk: ToTakeWorker = { type: 'chunk', bytes, isLast };
      if (post === null) early.push(chunk);
      else post(chunk);
    },
    onError: () => {
      lose();
    },
  });
  if (source === null) return null;
  return {
    microphone,
    source: {
      kind: 'media-recorder',
      container: source.container,
      pcm: graph?.pcm ?? null,
      sampleRateHz: graph?.sampleRateHz ?? usualSampleRateHz,
      channels: microphone.channels,
      deviceLabel: microphone.label,
    },
    watch: (onLost) => {
      lose = () => {
        onLost('interrupted');
      };
      // Without a graph the context never ran, so its state says nothing about the recorder.
      const stop = watchPipeline({ microphone, context: graph === null ? null : context }, onLost);
      return () => {
        lose = () => {};
        stop();
      };
    },
    start: (toWorker) => {
      post = toWorker;
      for (const chunk of early) toWorker(chunk);
      early = [];
    },
    setPaused: (isPaused) => {
      if (isPaused) source.pause();
      else source.resume();
    },
    finish: () => source.stop(),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      void source.stop();
      void graph?.close().catch(() => undefined);
      if (graph === null && context.state !== 'closed') void context.close().catch(() => undefined);
      closeMicrophone(microphone);
    },
  };
}
