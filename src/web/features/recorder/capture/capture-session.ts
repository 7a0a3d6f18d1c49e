import { second } from '#base/duration.ts';
import type { CaptureSource, FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { JournalKind } from '#workers/take/journal/stream-journal.ts';
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
import { keepAwake, warnBeforeLeaving } from './keep-awake.ts';
import { listMicrophones, mayListen, onMicrophoneChange } from './microphone-changes.ts';

/** One take's hold on the machine: microphone, audio graph and worker. */
export interface CaptureSession {
  /** The first source of the take. */
  source: CaptureSource;
  journal: JournalKind;
  post: (message: ToTakeWorker) => void;
  /** Tries the microphone again at once, while it is lost. */
  tryNow: () => void;
  /**
   * Ends the sound in order: sound that is still being delivered is recorded first. The worker stays until
   * the server has everything.
   */
  stop: () => void;
  /** Closes the microphone; called when the worker has stopped the take. */
  endCapture: () => void;
  /** Ends the worker too. */
  end: () => void;
}

/** What an interruption may change of a take. */
export interface TakeSource {
  deviceLabel: string | null;
  sourceKind: CaptureSource['kind'];
}

interface CaptureSessionEvents {
  onMessage: (message: FromTakeWorker) => void;
  onInterrupted: (cause: InterruptionCause) => void;
  onContinued: (source: TakeSource) => void;
  onBroken: (detail: string) => void;
}

export interface StartTake {
  /** Opened during the press, because Safari suspends it otherwise. */
  context: AudioContext;
  /** The first message to the worker, once the microphone is open. */
  firstMessage: (source: CaptureSource) => ToTakeWorker | Promise<ToTakeWorker>;
  events: CaptureSessionEvents;
}

/** What a take needs of the browser. Tests pass fakes. */
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

/** Longest wait at Stop for sound that the pipeline still holds, and for the worker to have received all. */
const longestFinishMs = 2 * second;

/** Things opened one after another, closed in reverse; closing twice does nothing. */
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
  journal: JournalKind;
}

/** Starts the worker and waits until it has opened its journal. */
async function openWorker(
  devices: CaptureDevices,
  firstMessage: ToTakeWorker,
  events: Pick<CaptureSessionEvents, 'onMessage' | 'onBroken'>,
): Promise<OpenedWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<JournalKind>();
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
 * Opens microphone, pipeline and worker, in this order, and replaces a microphone that is lost.
 * @throws CaptureError with everything closed again
 */
export async function startTake(
  { context, firstMessage, events }: StartTake,
  devices = browserDevices,
): Promise<CaptureSession> {
  const capture = createScope();
  try {
    const pipeline = await devices.openPipeline({ context, preferences: devices.preferences.getSnapshot() });
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
        finish(failover.pipeline, () => {
          worker.post({ type: 'stop' });
          setTimeout(capture.close, longestFinishMs);
        });
      },
      endCapture: () => {
        capture.close();
        // What is in this page's memory alone needs the page until the server has it.
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

/** Waits, not for ever, for sound that the pipeline still holds. */
function finish(pipeline: CapturePipeline | null, done: () => void): void {
  const finishing = pipeline?.finish?.();
  if (!finishing) {
    done();
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const tooLate = setTimeout(resolve, longestFinishMs);
  void Promise.race([finishing.catch(() => undefined), promise]).finally(() => {
    clearTimeout(tooLate);
    done();
  });
}

/**
 * Connects worker and failover: a stalled capture makes the failover replace the microphone, and the worker
 * gets each change of source.
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
    this.#failover?.pipeline?.setPaused?.(isPaused);
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
    this.#events.onContinued({ deviceLabel: pipeline.microphone.label, sourceKind: pipeline.source.kind });
  }
}
