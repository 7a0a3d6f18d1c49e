import { second } from '#base/duration.ts';
import type { CaptureSource, FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { JournalKind } from '#workers/take/journal/stream-journal.ts';
import { Failover } from './failover.ts';
import { gapCauseOf } from './interruption.ts';
import type { InterruptionCause } from './interruption.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import { CaptureError, rejectionReasonOfFailure } from './capture-error.ts';
import type { TakeDevices } from './capture-devices.ts';
import type { TakeWorker } from './take-worker.ts';

/** One take's hold on the machine: microphone, audio graph and worker. */
export interface CaptureSession {
  /** What the take began with. */
  source: CaptureSource;
  journal: JournalKind;
  post: (message: ToTakeWorker) => void;
  /** Tries the microphone again at once, while it is lost. */
  tryNow: () => void;
  /**
   * Ends the sound in order: what was said before and is still on its way is heard first. The worker stays
   * until the server has everything.
   */
  stop: () => void;
  /** Lets the microphone go; to be called when the worker says that the take has stopped. */
  endCapture: () => void;
  /** Ends the worker too. */
  end: () => void;
}

/** What of a take may change with an interruption. */
export interface TakeSource {
  deviceLabel: string | null;
  sourceKind: CaptureSource['kind'];
}

interface TakeSessionEvents {
  onMessage: (message: FromTakeWorker) => void;
  onInterrupted: (cause: InterruptionCause) => void;
  onContinued: (source: TakeSource) => void;
  onBroken: (detail: string) => void;
}

export interface StartTake {
  /** Opened inside the press itself: elsewhere Safari leaves it suspended. */
  context: AudioContext;
  /** What the worker is told first, once the microphone is open. */
  firstMessage: (source: CaptureSource) => ToTakeWorker | Promise<ToTakeWorker>;
  events: TakeSessionEvents;
}

/** Longest wait at Stop for what a line still holds back, and for the worker to say that it has heard all. */
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
  devices: TakeDevices,
  firstMessage: ToTakeWorker,
  events: Pick<TakeSessionEvents, 'onMessage' | 'onBroken'>,
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
 * Opens microphone, graph and worker, in this order, and keeps sound coming. Throws `CaptureError` with
 * everything closed again.
 */
export async function startTake(
  devices: TakeDevices,
  { context, firstMessage, events }: StartTake,
): Promise<CaptureSession> {
  const capture = createScope();
  try {
    const line = await devices.openLine({ context, preferences: devices.preferences.getSnapshot() });
    capture.add(line.close);
    let isInMemory = false;
    const supervisor = new CaptureSupervisor({
      ...events,
      onMessage: (message) => {
        if (message.type === 'progress') isInMemory = message.keeping !== 'disk';
        events.onMessage(message);
      },
    });
    const { worker, journal } = await openWorker(devices, await firstMessage(line.source), {
      onMessage: supervisor.handle,
      onBroken: events.onBroken,
    });
    const failover = supervisor.keepOpen(line, devices, worker);
    capture.add(() => {
      failover.close();
    });
    capture.add(devices.keepAwake());
    const leaving = createScope();
    leaving.add(devices.warnBeforeLeaving());
    return {
      source: line.source,
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
        finish(failover.line, () => {
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

/** Waits, not for ever, for what the line still holds back. */
function finish(line: CapturePipeline | null, done: () => void): void {
  const finishing = line?.finish?.();
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
 * is told what happened to it.
 */
class CaptureSupervisor {
  readonly #events: TakeSessionEvents;
  #failover: Failover | null = null;
  #isInterrupted = false;
  #isPaused = false;
  #isEnding = false;

  constructor(events: TakeSessionEvents) {
    this.#events = events;
  }

  readonly handle = (message: FromTakeWorker): void => {
    if (message.type === 'capture-stalled') this.#failover?.lose('interrupted');
    else if (message.type === 'continued') this.#confirm();
    else this.#events.onMessage(message);
  };

  /** Nothing that happens to the line matters any more. */
  end(): void {
    this.#isEnding = true;
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#failover?.line?.setPaused?.(isPaused);
  }

  keepOpen(line: CapturePipeline, devices: TakeDevices, worker: TakeWorker): Failover {
    line.start?.(worker.post);
    this.#failover = new Failover(
      line,
      {
        ...devices,
        openLine: (preferences) => devices.openLine({ preferences, context: devices.openAudioContext() }),
      },
      {
        onInterrupted: (cause) => {
          if (this.#isEnding) return;
          if (!this.#isInterrupted) worker.post({ type: 'interrupt', cause: gapCauseOf(cause) });
          this.#isInterrupted = true;
          this.#events.onInterrupted(cause);
        },
        onLine: (next, cause) => {
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
    const line = this.#failover?.line;
    if (!line) return;
    this.#isInterrupted = false;
    this.#failover?.confirm();
    this.#events.onContinued({ deviceLabel: line.microphone.label, sourceKind: line.source.kind });
  }
}
