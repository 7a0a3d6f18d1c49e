import type { Quality } from '#contract/limits.ts';
import type { CaptureSource, ToTakeWorker } from '#workers/take/messages.ts';
import type { CaptureGraph } from './capture-graph.ts';
import { closeMicrophone, type Microphone } from './microphone.ts';
import { watchPipeline } from './watch-pipeline.ts';
import type { InterruptionCause } from './interruption.ts';
import { openMediaRecorderSource } from './media-recorder-source.ts';

export interface RecorderLineParts {
  microphone: Microphone;
  context: AudioContext;
  /** For meter, peaks and an exact length; null where the context does not start. */
  graph: CaptureGraph | null;
  quality: Quality;
}

/** A line as `CaptureLine` describes it. */
interface RecorderPipeline {
  microphone: Microphone;
  source: CaptureSource;
  watch: (tell: (cause: InterruptionCause) => void) => () => void;
  start: (post: (message: ToTakeWorker) => void) => void;
  setPaused: (isPaused: boolean) => void;
  finish: () => Promise<void>;
  close: () => void;
}

/** What Opus is decoded at, for lines of which nobody knows more. */
const usualSampleRateHz = 48_000;

/**
 * A line on which the browser's own recorder writes the file, piece by piece through the page, for browsers
 * that cannot encode Opus themselves or give no PCM. Null where there is no such recorder.
 */
export function openRecorderPipeline({
  microphone,
  context,
  graph,
  quality,
}: RecorderLineParts): RecorderPipeline | null {
  let post: ((message: ToTakeWorker) => void) | null = null;
  let lose: () => void = () => {};
  let isClosed = false;
  /** Pieces from before the worker knew of this line. */
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
    watch: (tell) => {
      lose = () => {
        tell('interrupted');
      };
      // A context that never ran tells nothing of the recorder beside it.
      const stop = watchPipeline({ microphone, context: graph === null ? null : context }, tell);
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
