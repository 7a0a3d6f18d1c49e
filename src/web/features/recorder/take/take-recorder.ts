import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { Rejection, TakeRecord } from '#device/records/take-record.ts';
import { createStore, type Store } from '#base/store.ts';
import { AlarmFilter } from './alarm-filter.ts';
import { CaptureError, rejectionReasonOf } from '#web/features/recorder/capture/capture-error.ts';
import type { StartTake, CaptureSession } from '#web/features/recorder/capture/capture-session.ts';
import { createLivePeaks } from '#web/features/recorder/live/live-peaks.ts';
import { createAttachment, type Attachment, type TakeRegistry } from './attachment.ts';
import type { Quality } from '#contract/limits.ts';
import { continuedTake, startedTake, type TakeOrigin } from './started-take.ts';
import { isOpen, noTake, takeOf, type Ending, type Take, type TakeState } from './take.ts';
import { type TakeEvent, nextTakeState } from './take-reducer.ts';
import { isTooLong } from './take-length.ts';

export interface RecorderDeps {
  quality: () => Quality;
  registry: TakeRegistry;
  nowMs: () => number;
  newId: () => string;
  timeZone: () => string;
  /** Ends the recovery of a take and returns its record. Rejects if this device no longer has the take. */
  revive: (takeId: string) => Promise<TakeRecord>;
  /**
   * Opens microphone and worker. Called during the press, or with the audio context that was opened during it.
   * @throws CaptureError
   */
  startTake: (
    options: Omit<StartTake, 'context'> & { context: AudioContext | undefined },
  ) => Promise<CaptureSession>;
  /** The owner of a take that is started now; null if it has none yet. */
  ownerOfNewTake: () => string | null;
  /** Whether the viewer of this page may change a take. Asked at each change, except Stop. */
  mayChange: (take: Pick<Take, 'id' | 'ownerId'>) => boolean;
  /** How long before the press a marker is set, in ms. */
  markerBackMs: () => number;
  /** A take started here belongs to the user of this page. */
  onStarted: (takeId: string) => void;
  /** The takes on this device changed. */
  onTakesChanged: () => void;
  onReceipt: (takeId: string) => void;
  /** A marker that the server may already have was renamed, or removed if `label` is null. */
  onMarkerChanged: (takeId: string, markerId: string, label: string | null) => void;
  /** A stopped take was renamed. */
  onRenamedLater: (takeId: string, title: string) => void;
  /** The server has this title of a take. */
  onTitleThere: (takeId: string, title: string) => void;
  /** A worker failed before its take was safe, or did not start. The take must be recovered. */
  onOrphan: (takeId: string) => void;
  /** The server will never take a take. */
  onRejected: (takeId: string, rejection: Rejection) => void;
  /** A discarded take has been closed. */
  onDiscarded: (take: Take) => void;
}

interface LiveTake {
  session: CaptureSession;
  attachment: Attachment;
  alarms: AlarmFilter;
}

export type LabelCommand = Extract<ToTakeWorker, { noteId: string } | { passageId: string }>;

/** How a take starts once its microphone is open. */
interface TakePlan {
  id: string;
  firstMessage: StartTake['firstMessage'];
  /** The take as it starts; called when the worker runs. */
  take: (origin: TakeOrigin) => Take;
}

type Messages = { [Message in FromTakeWorker as Message['type']]: Message };
type Handlers = { [Type in keyof Messages]: (takeId: string, message: Messages[Type]) => void };

/** For messages that the capture session handles. */
const ignore = (): void => undefined;

/** Records one take at a time, independently of React, from the press to the receipt. Loads after the first screen. */
export class TakeRecorder implements Store<TakeState> {
  readonly livePeaks = createLivePeaks();
  readonly #deps: RecorderDeps;
  readonly #store = createStore<TakeState>(noTake);
  /** By take id. Earlier takes may still be uploading while the next is recorded. */
  readonly #liveTakes = new Map<string, LiveTake>();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  readonly getSnapshot = (): TakeState => this.#store.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /**
   * Starts a take. Does nothing while one runs. An empty title becomes the default one.
   * @param context the audio context, if the press was earlier
   */
  readonly start = (title: string | null = null, context?: AudioContext): Promise<void> =>
    this.#start(() => this.#planNew(title), { context });

  /** Continues a take, after a gap, that was stopped or whose page died. Does nothing while one runs. */
  readonly continueTake = (takeId: string, context?: AudioContext): Promise<void> =>
    this.#start(() => this.#planContinued(takeId), { continues: takeId, context });

  readonly pause = (): void => {
    const { status } = this.getSnapshot();
    if ((status !== 'recording' && status !== 'interrupted') || !this.#mayChange()) return;
    this.#dispatch({ type: 'paused' });
    this.#post({ type: 'pause' });
  };

  readonly resume = (): void => {
    if (this.getSnapshot().status !== 'paused' || !this.#mayChange()) return;
    this.#dispatch({ type: 'resumed' });
    this.#post({ type: 'resume' });
  };

  /** Stops the take. Anyone at this page may: its owner gets it as it is. */
  readonly stop = (): void => {
    this.#end('asked');
  };

  /** Stops the take and moves it to the trash. */
  readonly discard = (): void => {
    if (this.#mayChange()) this.#end('discarded');
  };

  /** Retries a lost microphone now. */
  readonly tryMicrophone = (): void => {
    if (this.#mayChange()) this.#present()?.session.tryNow();
  };

  /** Call it when our own signal is played. The microphone picks it up, but it must not end the silence alarm. */
  readonly signalled = (): void => {
    this.#present()?.alarms.signalled();
  };

  /** Closes the result or the error, ready for the next take. */
  readonly dismiss = (): void => {
    this.livePeaks.start(0);
    this.#dispatch({ type: 'dismissed' });
  };

  readonly rename = (title: string): void => {
    const take = takeOf(this.getSnapshot());
    if (!take || take.title === title || !this.#mayChange()) return;
    this.#dispatch({ type: 'renamed', takeId: take.id, title });
    const live = this.#liveTakes.get(take.id);
    if (!live || !isOpen(this.getSnapshot())) {
      this.#deps.onRenamedLater(take.id, title);
      return;
    }
    live.session.post({ type: 'rename', title });
    live.attachment.renamed();
    this.#deps.onTakesChanged();
  };

  /**
   * Adds a marker at the current moment or, if the user chose so, before it. Returns the marker's id, or null if
   * no take is open. Only the worker knows the exact time.
   */
  readonly addMarker = (label = ''): string | null => {
    if (!isOpen(this.getSnapshot()) || !this.#mayChange()) return null;
    const markerId = this.#deps.newId();
    this.#post({ type: 'add-marker', markerId, label, backMs: this.#deps.markerBackMs() });
    return markerId;
  };

  readonly renameMarker = (markerId: string, label: string): void => {
    if (!this.#mayChange()) return;
    this.#post({ type: 'rename-marker', markerId, label });
    this.#notifyMarkerChanged(markerId, label);
  };

  readonly removeMarker = (markerId: string): void => {
    if (!this.#mayChange()) return;
    this.#notifyMarkerChanged(markerId, null);
    this.#post({ type: 'remove-marker', markerId });
  };

  /**
   * Starts, writes or removes a note; starts or ends a passage off the record. Only the worker knows the exact time.
   */
  readonly changeLabel = (command: LabelCommand): void => {
    if (this.#mayChange()) this.#post(command);
  };

  #dispatch(event: TakeEvent): void {
    this.#store.set(nextTakeState(this.getSnapshot(), event));
  }

  #mayChange(): boolean {
    const take = takeOf(this.getSnapshot());
    return take === null || this.#deps.mayChange(take);
  }

  #present(): LiveTake | undefined {
    return this.#liveTakes.get(takeOf(this.getSnapshot())?.id ?? '');
  }

  #post(message: ToTakeWorker): void {
    this.#present()?.session.post(message);
  }

  #notifyMarkerChanged(markerId: string, label: string | null): void {
    const take = takeOf(this.getSnapshot());
    if (take) this.#deps.onMarkerChanged(take.id, markerId, label);
  }

  #isCurrent(takeId: string): boolean {
    return takeOf(this.getSnapshot())?.id === takeId;
  }

  /** Plans a new take with an id created on this device. */
  #planNew(title: string | null): TakePlan {
    const { ownerOfNewTake, nowMs, newId, timeZone, quality } = this.#deps;
    const fixed = {
      id: newId(),
      title: title ?? '',
      timeZone: timeZone(),
      quality: quality(),
      ownerId: ownerOfNewTake(),
    };
    let startedAtMs = nowMs();
    const takeFrom = ({ deviceLabel, sampleRateHz, channels }: TakeOrigin['source']) => ({
      ...fixed,
      startedAtMs,
      deviceLabel,
      sampleRateHz,
      channels,
    });
    return {
      id: fixed.id,
      firstMessage: (source) => {
        // The browser's prompt for the microphone may have been open for minutes.
        startedAtMs = nowMs();
        return { type: 'start', take: takeFrom(source), source };
      },
      take: (origin) => startedTake(takeFrom(origin.source), origin),
    };
  }

  /**
   * Plans the continuation of a take after a gap. If it is still being uploaded, its worker in this page is ended
   * first, and the new one sends the rest.
   */
  #planContinued(takeId: string): TakePlan {
    let record: TakeRecord | null = null;
    return {
      id: takeId,
      firstMessage: async (source) => {
        this.#forget(takeId);
        record = await this.#deps.revive(takeId);
        if (!this.#deps.mayChange(record)) throw new CaptureError('not-yours');
        return { type: 'recover', takeId, source };
      },
      take: (origin) => {
        if (record === null) throw new TypeError(`take ${takeId} was continued before its record was loaded`);
        return continuedTake(record, origin);
      },
    };
  }

  async #start(
    plan: () => TakePlan,
    { continues, context }: { continues?: string; context: AudioContext | undefined },
  ): Promise<void> {
    const before = this.getSnapshot();
    this.#dispatch({ type: 'start-pressed', continues });
    if (this.getSnapshot() === before) return;
    const planned = plan();
    try {
      await this.#open(planned, context);
    } catch (error) {
      this.#dispatch({ type: 'rejected', reason: rejectionReasonOf(error) });
      this.#deps.onOrphan(planned.id);
    }
  }

  async #open(
    { id, firstMessage, take: started }: TakePlan,
    context: AudioContext | undefined,
  ): Promise<void> {
    const session = await this.#deps.startTake({
      context,
      firstMessage,
      events: {
        onMessage: (message) => {
          this.#handleMessage(id, message.type, message);
        },
        onMicrophoneOpen: () => {
          this.#dispatch({ type: 'microphone-opened' });
        },
        onInterrupted: (cause) => {
          if (this.#isCurrent(id)) this.#dispatch({ type: 'interrupted', cause });
        },
        onContinued: (from) => {
          if (this.#isCurrent(id)) this.#dispatch({ type: 'continued', from });
        },
        onBroken: () => {
          this.#abandon(id);
        },
      },
    });
    const take = started(session);
    const attachment = this.#attachmentOf(take, session);
    const alarms = new AlarmFilter((shown) => {
      this.#dispatch({ type: 'alarms', takeId: id, alarms: shown });
    }, this.#deps.nowMs);
    this.#liveTakes.set(id, { session, attachment, alarms });
    this.livePeaks.start(take.progress.capturedMs);
    this.#deps.onStarted(id);
    this.#dispatch({ type: 'started', take });
    if (take.safety === 'device') attachment.need();
    this.#deps.onTakesChanged();
  }

  #attachmentOf(take: Take, session: CaptureSession): Attachment {
    const { id } = take;
    let known = take;
    return createAttachment(
      {
        take: () => {
          const shown = takeOf(this.getSnapshot());
          if (shown?.id === id) known = { ...known, title: shown.title };
          return known;
        },
        onAttached: (ownerId, upload) => {
          known = { ...known, ownerId };
          this.#dispatch({ type: 'attached', takeId: id, ownerId });
          session.post({ type: 'attach', ownerId, upload });
          this.#deps.onTakesChanged();
        },
        onStored: (ownerId, stored) => {
          session.post({ type: 'stored', ownerId, ...stored });
        },
        onRejected: (rejection) => {
          this.#reject(id, rejection);
        },
        onTitleThere: (title) => {
          this.#deps.onTitleThere(id, title);
        },
      },
      this.#deps.registry,
    );
  }

  #handleMessage<Type extends keyof Messages>(takeId: string, type: Type, message: Messages[Type]): void {
    this.#handlers[type](takeId, message);
  }

  readonly #handlers: Handlers = {
    started: ignore,
    continued: ignore,
    'capture-stalled': ignore,
    unsendable: ignore,
    level: (takeId, message) => this.#handleLevel(takeId, message),
    progress: (takeId, message) => this.#handleProgress(takeId, message),
    gaps: (takeId, message) => this.#handleGaps(takeId, message),
    markers: (takeId, message) => this.#handleLabels(takeId, message),
    notes: (takeId, message) => this.#handleLabels(takeId, message),
    passages: (takeId, message) => this.#handleLabels(takeId, message),
    alarm: (takeId, { alarm, isOn }) => this.#liveTakes.get(takeId)?.alarms.handle(alarm, isOn),
    rejected: (takeId, { rejection }) => this.#reject(takeId, rejection),
    'attach-needed': (takeId, message) => this.#liveTakes.get(takeId)?.attachment.need(message),
    stopped: (takeId, { durationMs }) => this.#close(takeId, durationMs),
    receipt: (takeId) => this.#finish(takeId),
    failed: (takeId, { code }) => this.#fail(takeId, code),
  };

  #handleLevel(takeId: string, message: Messages['level']): void {
    if (!this.#isCurrent(takeId)) return;
    this.livePeaks.push(message.points);
    if (message.level === null) return;
    this.livePeaks.setLevel(message.level, this.#deps.nowMs());
    this.#liveTakes.get(takeId)?.alarms.handleLevel(message.level.peak);
  }

  #handleProgress(takeId: string, { progress, condition, storageTarget }: Messages['progress']): void {
    this.#dispatch({ type: 'progress', takeId, progress, condition, storageTarget });
    if (this.#isCurrent(takeId) && isTooLong(progress.capturedMs)) this.#end('longest-take');
  }

  #reject(takeId: string, rejection: Rejection): void {
    this.#dispatch({ type: 'server-rejected', takeId, rejection });
    this.#deps.onRejected(takeId, rejection);
  }

  #handleLabels(takeId: string, message: Messages['markers' | 'notes' | 'passages' | 'gaps']): void {
    this.#dispatch({ ...message, takeId });
  }

  #handleGaps(takeId: string, message: Messages['gaps']): void {
    this.#handleLabels(takeId, message);
    if (this.#isCurrent(takeId)) this.livePeaks.markGaps(message.gaps);
  }

  #end(ending: Ending): void {
    if (!isOpen(this.getSnapshot())) return;
    this.#dispatch({ type: 'ending', ending });
    this.#present()?.session.stop();
  }

  /** The journal is closed; the worker continues until the server has everything. */
  #close(takeId: string, durationMs: number | null): void {
    this.#liveTakes.get(takeId)?.session.endCapture();
    if (this.#isCurrent(takeId)) this.#dispatch({ type: 'ending', ending: 'internal' });
    this.#dispatch({ type: 'closed', takeId, durationMs });
    const state = this.getSnapshot();
    if (state.status === 'stopped' && state.take.id === takeId && state.ending === 'discarded') {
      this.dismiss();
      this.#deps.onDiscarded(state.take);
    }
    this.#deps.onTakesChanged();
  }

  #finish(takeId: string): void {
    this.#dispatch({ type: 'receipt', takeId });
    this.#forget(takeId);
    this.#deps.onReceipt(takeId);
    this.#deps.onTakesChanged();
  }

  /** A full disk stops the take normally. Any other failure leaves a journal that must be recovered. */
  #fail(takeId: string, code: Messages['failed']['code']): void {
    if (code !== 'storage-full') this.#abandon(takeId);
    else if (this.#isCurrent(takeId)) this.#end('storage-full');
  }

  #abandon(takeId: string): void {
    const take = takeOf(this.getSnapshot());
    if (take?.id === takeId) this.#close(takeId, take.progress.deviceMs);
    this.#forget(takeId);
    this.#deps.onOrphan(takeId);
  }

  #forget(takeId: string): void {
    const live = this.#liveTakes.get(takeId);
    live?.attachment.close();
    live?.session.end();
    this.#liveTakes.delete(takeId);
  }
}
