import type { CaptureSource, RecorderReason, ToTakeWorker } from '#workers/take/messages.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { InterruptionCause } from './interruption.ts';
import { canEncodeOpus } from './can-encode-opus.ts';
import { fillsLossWithZeros } from './fills-loss-with-zeros.ts';
import { type CaptureGraph, closeContext } from './capture-graph.ts';
import { closeMicrophone, openMicrophone, type Microphone } from './microphone.ts';
import { CaptureError } from './capture-error.ts';
import { openAudioContext } from './open-audio-context.ts';
import { watchPipeline } from './watch-pipeline.ts';
import { type StartedRecorder, startRecorder } from './media-recorder-pipeline.ts';
import { openTrackFeed, type TrackFeed } from './track-feed.ts';
import {
  closePcm,
  firstOf,
  pendingGraph,
  pendingTrack,
  within,
  withoutOldBlocks,
  type Pcm,
  type PendingPcm,
} from './pending-pcm.ts';
import type { Quality } from '#contract/limits.ts';
import { minute, second } from '#base/duration.ts';

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
  /** A better pipeline of the same microphone that starts later. Missing if none ever does. */
  better?: BetterPipeline;
  /** True if the pipeline was lost, but its microphone works. */
  isMicrophoneWorking?: () => boolean;
  /** Starts the browser's recorder on the same microphone at once. Null if there is none. */
  fallBack?: () => CapturePipeline | null;
  close: () => void;
}

interface BetterPipeline {
  /** The pipeline, once: from then on the caller closes it. Null while there is none. */
  take: () => CapturePipeline | null;
  /** Calls `listener` whenever a pipeline can be taken. Returns a function that stops this. */
  onReady: (listener: () => void) => () => void;
}

export interface CapturePipelineOptions {
  preferences: AudioPreferences;
  /** Created during the press, if there was one. Closed with the pipeline, or if that can't be opened. */
  context: AudioContext;
  /** Whether only PCM is useful, to measure a level. Nothing is recorded meanwhile. */
  isForLevel?: boolean;
  /** Called when the browser has handed over the microphone. Its sound is awaited from then on. */
  onMicrophoneOpen?: () => void;
}

/** A take starts in PCM only if that arrives this soon, because the recorder's words before would be dropped. */
const quickStartMs = second / 4;
/**
 * A track loses nothing while its first block is awaited. After this, the recorder's file is used, and the audio
 * context is started as well.
 */
const trackTimeoutMs = second;
/** The wait for PCM where it only measures the recorder's file, where it is the purpose, and where nothing else is. */
const measureTimeoutMs = second;
const levelTimeoutMs = 3 * second;
const pcmTimeoutMs = 10 * second;
const maxRetryMs = minute;

/**
 * Opens the microphone and connects it to a stream or port for the worker. Recording starts with the browser's
 * recorder as soon as the microphone is open. PCM replaces it when it arrives: within a quarter of a second unheard,
 * later as the pipeline's `better`.
 * @throws CaptureError after closing everything
 */
export async function openCapturePipeline({
  preferences,
  context,
  isForLevel = false,
  onMicrophoneOpen,
}: CapturePipelineOptions): Promise<CapturePipeline> {
  let microphone: Microphone;
  try {
    microphone = await openMicrophone(preferences);
  } catch (error) {
    closeContext(context);
    throw error;
  }
  onMicrophoneOpen?.();
  const capture = new MicrophoneCapture(microphone, preferences.quality);
  const release = capture.hold();
  try {
    return await capture.open(context, isForLevel);
  } catch (error) {
    closeContext(context);
    throw error;
  } finally {
    release();
  }
}

/** What can record until PCM arrives, and whether PCM can be encoded. */
interface Means {
  recorder: StartedRecorder | null;
  canEncode: boolean;
  isForLevel: boolean;
}

function pcmTimeoutOf({ recorder, canEncode, isForLevel }: Means): number {
  if (recorder === null) return pcmTimeoutMs;
  if (isForLevel) return levelTimeoutMs;
  return canEncode ? quickStartMs : measureTimeoutMs;
}

/** An open microphone and the pipelines that read it. It is closed with the last of them. */
class MicrophoneCapture {
  readonly #microphone: Microphone;
  readonly #quality: Quality;
  #holders = 0;
  /** How often PCM stopped or did not arrive; the next attempt waits longer each time. */
  #losses = 0;

  constructor(microphone: Microphone, quality: Quality) {
    this.#microphone = microphone;
    this.#quality = quality;
  }

  /** Holds the microphone open until the returned function is called. */
  hold(): () => void {
    let isHeld = true;
    this.#holders += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) closeMicrophone(this.#microphone);
    };
  }

  async open(context: AudioContext, isForLevel: boolean): Promise<CapturePipeline> {
    const recorder = lazily(() => startRecorder(this.#microphone, this.#quality));
    try {
      const track = openTrackFeed({
        microphone: this.#microphone,
        accepts: (rateHz) => canEncodeOpus(this.#quality, rateHz),
      });
      const feed = track === null ? null : await this.#awaitTrack(track.feed, recorder);
      if (feed !== null && feed !== undefined) {
        recorder.value?.discard();
        closeContext(context);
        return this.#trackPipeline(feed);
      }
      recorder.start();
      const graph = pendingGraph(context, this.#microphone);
      return await this.#fromPending(
        track === null || feed === null ? graph : firstOf(graph, pendingTrack(track)),
        {
          recorder: recorder.value,
          canEncode: await canEncodeOpus(this.#quality, context.sampleRate),
          isForLevel,
        },
      );
    } catch (error) {
      recorder.value?.discard();
      throw error;
    }
  }

  /** Undefined if the track has delivered nothing in time. Nothing of it is lost meanwhile. */
  async #awaitTrack(
    feed: Promise<TrackFeed | null>,
    recorder: { start: () => void },
  ): Promise<TrackFeed | null | undefined> {
    const isSlow = setTimeout(recorder.start, quickStartMs);
    const opened = await within(trackTimeoutMs, feed);
    clearTimeout(isSlow);
    return opened;
  }

  async #fromPending(pending: PendingPcm, means: Means): Promise<CapturePipeline> {
    const pcm = await within(pcmTimeoutOf(means), pending.pcm);
    if (pcm && (means.canEncode || means.isForLevel)) {
      means.recorder?.discard();
      return this.#pcmPipeline(pcm);
    }
    const { recorder, canEncode } = means;
    if (recorder !== null && canEncode && pcm === undefined)
      return this.#recorderPipeline(recorder, { reason: 'output-pending', pending });
    if (pcm?.kind !== 'graph') pending.close();
    return this.#withoutPcm(pcm?.kind === 'graph' ? pcm.graph : null, means);
  }

  /** Records with the recorder for good. PCM, if any, measures it. */
  #withoutPcm(graph: CaptureGraph | null, { recorder, canEncode }: Means): CapturePipeline {
    if (recorder !== null) return this.#recorderPipeline(recorder, { reason: 'unsupported', graph });
    graph?.close();
    throw canEncode
      ? new CaptureError('internal', 'the audio context did not start')
      : new CaptureError('encoder-missing');
  }

  #pcmPipeline(pcm: Pcm): CapturePipeline {
    return pcm.kind === 'track' ? this.#trackPipeline(pcm.feed) : this.#graphPipeline(pcm.graph);
  }

  #trackPipeline({ pcm, first, sampleRateHz }: TrackFeed): CapturePipeline {
    const microphone = this.#microphone;
    const release = this.hold();
    return {
      microphone,
      source: { kind: 'pcm', pcm, first, ...this.#format(sampleRateHz) },
      watch: (onLost) => watchPipeline({ microphone, graph: null }, onLost),
      close: () => {
        // Without effect once the worker has it.
        first.close();
        release();
      },
    };
  }

  #graphPipeline(graph: CaptureGraph): CapturePipeline {
    const microphone = this.#microphone;
    const release = this.hold();
    return {
      microphone,
      source: {
        kind: 'pcm',
        pcm: graph.pcm,
        fillsLossWithZeros: fillsLossWithZeros(),
        ...this.#format(graph.sampleRateHz),
      },
      watch: (onLost) => watchPipeline({ microphone, graph }, onLost),
      ...this.#contextLoss(graph, () => this.#fallBack('output-pending')),
      close: () => {
        graph.close();
        release();
      },
    };
  }

  #format(sampleRateHz: number) {
    const { channels, label } = this.#microphone;
    return { sampleRateHz, channels, deviceLabel: label };
  }

  /** What to do when the audio context stops. A system that interrupts it (a call) mutes the microphone, too. */
  #contextLoss(
    { context, worklet }: CaptureGraph,
    fallBack: () => CapturePipeline | null,
  ): Pick<CapturePipeline, 'isMicrophoneWorking' | 'fallBack'> {
    let hasFailed = false;
    const fail = () => {
      hasFailed = true;
    };
    context.addEventListener('error', fail);
    worklet.addEventListener('processorerror', fail);
    return {
      isMicrophoneWorking: () =>
        (hasFailed || context.state === 'suspended' || context.state === 'closed') &&
        this.#microphone.stream
          .getAudioTracks()
          .every(({ readyState, muted }) => readyState === 'live' && !muted),
      fallBack,
    };
  }

  /** Continues with the recorder at once, and starts another audio context where PCM can be encoded. */
  #fallBack(reason: RecorderReason): CapturePipeline | null {
    const recorder = startRecorder(this.#microphone, this.#quality);
    if (recorder === null) return null;
    return this.#recorderPipeline(recorder, {
      reason,
      pending: reason === 'unsupported' ? null : this.#retry(),
    });
  }

  /** PCM of a new audio context: at once after the first loss, then after a growing wait. */
  #retry(): PendingPcm {
    const waitMs = this.#losses === 0 ? 0 : Math.min(maxRetryMs, second * 2 ** this.#losses);
    this.#losses += 1;
    let graph: PendingPcm | null = null;
    const { promise, resolve } = Promise.withResolvers<Pcm | null>();
    const timer = setTimeout(() => {
      graph = pendingGraph(openAudioContext(), this.#microphone);
      resolve(graph.pcm);
    }, waitMs);
    return {
      pcm: promise,
      close: () => {
        clearTimeout(timer);
        graph?.close();
      },
    };
  }

  #recorderPipeline(
    recorder: StartedRecorder,
    {
      reason,
      graph = null,
      pending = null,
    }: { reason: RecorderReason; graph?: CaptureGraph | null; pending?: PendingPcm | null },
  ): CapturePipeline {
    const release = this.hold();
    const later = pending === null ? null : new LaterPcm(pending, this.#laterDeps);
    return {
      ...recorder.pipeline({
        graph,
        reason,
        onClose: () => {
          later?.close();
          release();
        },
      }),
      ...(later === null ? {} : { better: later }),
      ...(graph === null ? {} : this.#contextLoss(graph, () => this.#fallBack('unsupported'))),
    };
  }

  get #laterDeps(): LaterPcmDeps {
    return { open: (pcm) => this.#pcmPipeline(pcm), retry: () => this.#retry() };
  }
}

interface LaterPcmDeps {
  open: (pcm: Pcm) => CapturePipeline;
  retry: () => PendingPcm;
}

/** PCM that arrives while the recorder runs. If it is taken and then given up, another attempt follows. */
class LaterPcm implements BetterPipeline {
  readonly #deps: LaterPcmDeps;
  readonly #listeners = new Set<() => void>();
  #pending: PendingPcm | null = null;
  #ready: Pcm | null = null;
  #isClosed = false;

  constructor(pending: PendingPcm, deps: LaterPcmDeps) {
    this.#deps = deps;
    void this.#await(pending);
  }

  readonly take = (): CapturePipeline | null => {
    const pcm = this.#ready;
    this.#ready = null;
    if (pcm === null) return null;
    const pipeline = this.#deps.open(withoutOldBlocks(pcm));
    return {
      ...pipeline,
      close: () => {
        pipeline.close();
        // Closed before the recorder: it delivered nothing.
        if (!this.#isClosed && this.#pending === null) void this.#await(this.#deps.retry());
      },
    };
  };

  readonly onReady = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  close(): void {
    this.#isClosed = true;
    this.#pending?.close();
    if (this.#ready !== null) closePcm(this.#ready);
    this.#ready = null;
  }

  async #await(pending: PendingPcm): Promise<void> {
    this.#pending = pending;
    const pcm = await pending.pcm;
    this.#pending = null;
    if (pcm === null) return;
    if (this.#isClosed) {
      closePcm(pcm);
      return;
    }
    this.#ready = pcm;
    for (const listener of this.#listeners) listener();
  }
}

/** A value that is created with the first call of `start`. */
function lazily<T>(create: () => T): { readonly value: T | null; start: () => void } {
  let value: { of: T } | null = null;
  return {
    get value() {
      return value === null ? null : value.of;
    },
    start: () => {
      value ??= { of: create() };
    },
  };
}
