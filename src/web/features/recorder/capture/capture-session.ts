import { second } from '#base/duration.ts';
import type { CaptureSource, FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { TakeJournal } from '#workers/take/journal/stream-journal.ts';
import { Failover, type FailoverDeps } from './failover.ts';
import { gapCauseOf, type InterruptionCause } from './interruption.ts';
import {
  type CapturePipeline,
  openCapturePipeline,
  type CapturePipelineOptions,
} from './capture-pipeline.ts';
import { CaptureError, rejectionReasonOfFailure } from './capture-error.ts';
import { type TakeWorker, startTakeWorker, type TakeWorkerEvents } from './take-worker.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { openAudioContext } from './open-audio-context.ts';
import { takeSourceOf, type TakeSource } from './take-source.ts';
import { keepAwake, warnBeforeLeaving } from './keep-awake.ts';
import { listMicrophones, mayListen, onMicrophoneChange } from './microphone-changes.ts';

/** The resources of one take: microphone, audio graph and worker. */
export interface CaptureSession {
  /** The first source of the take. */
  source: CaptureSource;
  journal: TakeJournal;
  post: (message: ToTakeWorker) => void;
  /** Retries a lost microphone immediately. */
  tryNow: () => void;
  /**
   * Stops capturing after recording the audio that is still being delivered. The worker runs until the server has
   * everything.
   */
  stop: () => void;
  /** Closes the microphone. Call it when the worker has stopped the take. */
  endCapture: () => void;
  /** Closes everything, including the worker. */
  end: () => void;
}

interface CaptureSessionEvents {
  /** The browser has handed over the first microphone. The take starts when its worker has opened its journal. */
  onMicrophoneOpen: () => void;
  onMessage: (message: FromTakeWorker) => void;
  onInterrupted: (cause: InterruptionCause) => void;
  onContinued: (source: TakeSource) => void;
  onBroken: (detail: string) => void;
}

export interface StartTake {
  /** Opened during the press, because Safari suspends it otherwise. */
  context: AudioContext;
  /** Returns the first message to the worker, once the microphone is open. */
  firstMessage: (source: CaptureSource) => ToTakeWorker | Promise<ToTakeWorker>;
  events: CaptureSessionEvents;
}

/** The browser APIs that a take needs. Tests pass fakes. */
export interface CaptureDevices extends Omit<FailoverDeps, 'openPipeline'> {
  openAudioContext: () => AudioContext;
  openPipeline: (options: CapturePipelineOptions) => Promise<CapturePipeline>;
  startTakeWorker: (events: TakeWorkerEvents) => TakeWorker;
  keepAwake: () => () => void;
  warnBeforeLeaving: () => () => void;
}

const browserDevices: CaptureDevices = {
  openAudioContext,
  openPipeline: openCapturePipeline,
  startTakeWorker,
  keepAwake,
  warnBeforeLeaving,
  preferences: audioPreferences,
  listMicrophones,
  mayListen,
  onMicrophoneChange,
};

/**
 * The longest wait at Stop for each of two steps: the pipeline delivers its buffered audio, and the worker
 * receives it.
 */
const maxFinishMs = 2 * second;

/** Collects functions that close resources, and calls them in reverse order. Closing twice has no effect. */
function createScope() {
  const closers: (() => void)[] = [];
  return {
    add: (closer: () => void) => {
      closers.push(closer);
    },
    close: () => {
      for (let closer = closers.pop(); closer; closer = closers.pop()) closer();
    },
  };
}

interface OpenedWorker {
  worker: TakeWorker;
  journal: TakeJournal;
}

/** Starts the worker and waits until it has opened its journal. */
async function openWorker(
  devices: CaptureDevices,
  firstMessage: ToTakeWorker,
  events: Pick<CaptureSessionEvents, 'onMessage' | 'onBroken'>,
): Promise<OpenedWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<TakeJournal>();
  let hasStarted = false;
  const worker = devices.startTakeWorker({
    onMessage: (message) => {
      if (hasStarted) events.onMessage(message);
      else if (message.type === 'started') {
        hasStarted = true;
        resolve(message.journal);
      } else if (message.type === 'failed')
        reject(new CaptureError(rejectionReasonOfFailure(message.code), message.detail));
    },
    onBroken: (detail) => {
      if (hasStarted) events.onBroken(detail);
      else reject(new CaptureError('internal', detail));
    },
  });
  worker.post(firstMessage);
  try {
    return { worker, journal: await promise };
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/**
 * Opens microphone, pipeline and worker, in this order, and replaces the microphone if it is lost.
 * @throws CaptureError after closing everything
 */
export async function startTake(
  { context, firstMessage, events }: StartTake,
  devices = browserDevices,
): Promise<CaptureSession> {
  const capture = createScope();
  try {
    const pipeline = await devices.openPipeline({
      context,
      preferences: devices.preferences.getSnapshot(),
      onMicrophoneOpen: events.onMicrophoneOpen,
    });
    capture.add(pipeline.close);
    let isInMemory = false;
    const supervisor = new CaptureSupervisor({
      ...events,
      onMessage: (message) => {
        if (message.type === 'progress') isInMemory = message.storageTarget !== 'disk';
        events.onMessage(message);
      },
    });
    const { worker, journal } = await openWorker(devices, await firstMessage(pipeline.source), {
      onMessage: supervisor.handle,
      onBroken: events.onBroken,
    });
    const failover = supervisor.keepOpen(pipeline, devices, worker);
    capture.add(() => {
      failover.close();
    });
    capture.add(devices.keepAwake());
    const leaving = createScope();
    leaving.add(devices.warnBeforeLeaving());
    return {
      source: pipeline.source,
      journal,
      post: (message) => {
        if (message.type === 'pause' || message.type === 'resume')
          supervisor.setPaused(message.type === 'pause');
        worker.post(message);
      },
      tryNow: () => {
        failover.tryNow();
      },
      stop: () => {
        supervisor.end();
        finish(failover.finish(), () => {
          worker.post({ type: 'stop' });
          setTimeout(capture.close, maxFinishMs);
        });
      },
      endCapture: () => {
        capture.close();
        // Audio that is only in this page's memory is lost with the page, so keep the warning until the server has
        // it.
        if (journal !== 'memory' && !isInMemory) leaving.close();
      },
      end: () => {
        capture.close();
        leaving.close();
        worker.terminate();
      },
    };
  } catch (error) {
    capture.close();
    throw error;
  }
}

/** Waits, for a limited time, for audio that pipelines have buffered. */
function finish(finishing: Promise<unknown> | null, done: () => void): void {
  if (finishing === null) {
    done();
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const tooLate = setTimeout(resolve, maxFinishMs);
  void Promise.race([finishing.catch(() => undefined), promise]).finally(() => {
    clearTimeout(tooLate);
    done();
  });
}

/**
 * Connects worker and failover: when capture stalls, the failover replaces the microphone, and every change of
 * source is posted to the worker.
 */
class CaptureSupervisor {
  readonly #events: CaptureSessionEvents;
  #failover: Failover | null = null;
  #isInterrupted = false;
  #isPaused = false;
  #isEnding = false;

  constructor(events: CaptureSessionEvents) {
    this.#events = events;
  }

  readonly handle = (message: FromTakeWorker): void => {
    if (message.type === 'capture-stalled') this.#failover?.lose('interrupted');
    else if (message.type === 'continued') this.#confirm();
    else this.#events.onMessage(message);
  };

  /** Ignores all later events of the pipeline. */
  end(): void {
    this.#isEnding = true;
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#failover?.setPaused(isPaused);
  }

  keepOpen(pipeline: CapturePipeline, devices: CaptureDevices, worker: TakeWorker): Failover {
    pipeline.start?.(worker.post);
    this.#failover = new Failover(
      pipeline,
      {
        ...devices,
        openPipeline: (preferences) =>
          devices.openPipeline({ preferences, context: devices.openAudioContext() }),
      },
      {
        onInterrupted: (cause) => {
          if (this.#isEnding) return;
          if (!this.#isInterrupted) worker.post({ type: 'interrupt', cause: gapCauseOf(cause) });
          this.#isInterrupted = true;
          this.#events.onInterrupted(cause);
        },
        onPipeline: (next, cause) => {
          if (this.#isEnding) return;
          worker.post({ type: 'continue', source: next.source, cause });
          next.start?.(worker.post);
          next.setPaused?.(this.#isPaused);
        },
      },
    );
    return this.#failover;
  }

  #confirm(): void {
    const pipeline = this.#failover?.pipeline;
    if (!pipeline) return;
    this.#isInterrupted = false;
    this.#failover?.confirm();
    this.#events.onContinued({
      deviceLabel: pipeline.microphone.label,
      ...takeSourceOf(pipeline.source),
    });
  }
}
