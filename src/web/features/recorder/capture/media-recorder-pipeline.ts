import type { Quality } from '#contract/limits.ts';
import type { CaptureSource, RecorderReason, ToTakeWorker } from '#workers/take/messages.ts';
import type { CaptureGraph } from './capture-graph.ts';
import type { Microphone } from './microphone.ts';
import { watchPipeline } from './watch-pipeline.ts';
import type { InterruptionCause } from './interruption.ts';
import { openMediaRecorderSource } from './media-recorder-source.ts';

interface RecorderPipelineOptions {
  /** For meter, peaks and an exact length; null if no PCM arrives. */
  graph: CaptureGraph | null;
  reason: RecorderReason;
  /** Called once, when the pipeline is closed. The last pieces of the file are still on their way. */
  onClose: () => void;
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

/** A MediaRecorder that runs. Its pieces wait until it becomes a pipeline, or are dropped with it. */
export interface StartedRecorder {
  pipeline: (options: RecorderPipelineOptions) => RecorderPipeline;
  /** Ends the recorder and drops everything it recorded, because the take starts with PCM. */
  discard: () => void;
}

/** The rate at which Opus is decoded, used if the actual rate is unknown. */
const defaultSampleRateHz = 48_000;

let lastRecorderId = 0;

/**
 * Starts to record a microphone with MediaRecorder. It needs no audio context, so it loses no words while one
 * starts. Null if MediaRecorder is missing or supports none of our formats.
 */
export function startRecorder(microphone: Microphone, quality: Quality): StartedRecorder | null {
  let post: ((message: ToTakeWorker) => void) | null = null;
  let lose: () => void = () => {};
  let hasFailed = false;
  let isDiscarded = false;
  const recorderId = ++lastRecorderId;
  /** Pieces recorded before the worker had the source. */
  let early: ToTakeWorker[] = [];
  const source = openMediaRecorderSource(microphone, {
    quality,
    nowMs: () => performance.now(),
    onChunk: (bytes, isLast, atMs) => {
      if (isDiscarded) return;
      const chunk: ToTakeWorker = {
        type: 'chunk',
        recorderId,
        bytes,
        isLast,
        atMs: performance.timeOrigin + atMs,
      };
      if (post === null) early.push(chunk);
      else post(chunk);
    },
    onError: () => {
      hasFailed = true;
      lose();
    },
  });
  if (source === null) return null;
  const pipeline = ({ graph, reason, onClose }: RecorderPipelineOptions): RecorderPipeline => {
    let isClosed = false;
    return {
      microphone,
      source: {
        kind: 'media-recorder',
        container: source.container,
        recorderId,
        startedAtMs: performance.timeOrigin + source.startedAtMs,
        reason,
        pcm: graph?.pcm ?? null,
        sampleRateHz: graph?.sampleRateHz ?? defaultSampleRateHz,
        channels: microphone.channels,
        deviceLabel: microphone.label,
      },
      watch: (onLost) => {
        lose = () => {
          onLost('interrupted');
        };
        // It may have failed while nothing watched it.
        if (hasFailed) queueMicrotask(() => lose());
        // Without a graph the context never ran, so its state says nothing about the recorder.
        const stop = watchPipeline({ microphone, graph }, onLost);
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
        graph?.close();
        // The microphone is closed after the recorder, which would otherwise end by itself.
        void source.stop();
        onClose();
      },
    };
  };
  return {
    pipeline,
    discard: () => {
      isDiscarded = true;
      early = [];
      void source.stop();
    },
  };
}
