import { second } from '#base/duration.ts';
import type { GapCause } from '#contract/recordings.ts';
import type { Store } from '#base/store.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import type { ListedMicrophone } from './microphone-changes.ts';
import { rejectionReasonOf } from './capture-error.ts';
import { gapCauseOf, type InterruptionCause } from './interruption.ts';

/**
 * The waits between attempts; the last one repeats. The first attempt already tries both the chosen and the
 * default microphone.
 */
const attemptDelaysMs = [second, 2 * second, 3 * second, 5 * second] as const;
/** A new pipeline that delivers no audio for this long has failed. */
const maxSilentStartMs = 3 * second;

export interface FailoverDeps {
  /**
   * Opens a pipeline with its own audio context.
   * @throws CaptureError
   */
  openPipeline: (preferences: AudioPreferences) => Promise<CapturePipeline>;
  preferences: Store<AudioPreferences>;
  listMicrophones: () => Promise<readonly ListedMicrophone[]>;
  mayListen: () => Promise<boolean>;
  onMicrophoneChange: (listener: () => void) => () => void;
}

export interface FailoverEvents {
  /** Audio has stopped. Called again if another cause is found. */
  onInterrupted: (cause: InterruptionCause) => void;
  /** A new pipeline was opened. The previous one, if it still runs, is closed when `confirm` is called. */
  onPipeline: (pipeline: CapturePipeline, cause: GapCause) => void;
}

/**
 * Maintains a pipeline while a take runs. If the pipeline is lost, it opens the chosen microphone or else the
 * default one, until one works. It switches without an interruption when the chosen microphone returns or another
 * is chosen, when a better pipeline of the same microphone is ready, and to the browser's recorder when only the
 * audio context is lost.
 */
export class Failover {
  readonly #quality: AudioPreferences['quality'];
  readonly #deps: FailoverDeps;
  readonly #events: FailoverEvents;
  readonly #stopListening: () => void;
  /** The first microphone of the take, to which the take returns unless another is chosen. */
  readonly #preferredMicrophone: CapturePipeline['microphone'];
  #pipeline: CapturePipeline | null = null;
  #unwatch: () => void = () => {};
  /** The previous pipeline, which runs until its replacement delivers audio. */
  #former: CapturePipeline | null = null;
  /** The previous pipeline, closed, which may still send its last pieces. */
  #closed: CapturePipeline | null = null;
  #isConfirmed = true;
  /** Whether the worker may still change to a pipeline that was given up. */
  #hasGivenUp = false;
  #cause: InterruptionCause | null = null;
  #unconfirmed: ReturnType<typeof setTimeout> | undefined;
  #wake: () => void = () => {};
  #failures = 0;
  #isOpening = false;
  #isOtherChosen = false;
  #isClosed = false;

  constructor(first: CapturePipeline, deps: FailoverDeps, events: FailoverEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#quality = deps.preferences.getSnapshot().quality;
    this.#preferredMicrophone = first.microphone;
    this.#use(first);
    let chosen = deps.preferences.getSnapshot().deviceId;
    const stopChanges = deps.onMicrophoneChange(() => {
      this.#check();
    });
    const stopChoice = deps.preferences.subscribe(() => {
      const { deviceId } = deps.preferences.getSnapshot();
      if (deviceId === chosen) return;
      chosen = deviceId;
      this.#choose();
    });
    this.#stopListening = () => {
      stopChanges();
      stopChoice();
    };
  }

  /** The current preferences; a change of the quality, and with it of the processing, applies from the next take. */
  #preferences(): AudioPreferences {
    return { ...this.#deps.preferences.getSnapshot(), quality: this.#quality };
  }

  /** The pipeline in use; null while no microphone is open. */
  get pipeline(): CapturePipeline | null {
    return this.#pipeline;
  }

  /** Call it when the pipeline stops delivering audio, according to its events or the worker's watchdog. */
  lose(cause: InterruptionCause): void {
    if (this.#isClosed || this.#pipeline === null) return;
    if (cause === 'interrupted' && this.#pipeline.isMicrophoneWorking?.() === true && this.#fallBack())
      return;
    // A pipeline that is lost before it delivered audio counts as a failed attempt.
    if (this.#cause !== null) this.#failures += 1;
    this.#drop();
    this.#interrupt(cause);
    void this.#search();
  }

  /** Call it when the newest pipeline has delivered audio. */
  confirm(): void {
    if (this.#hasGivenUp) {
      // The worker has changed to the pipeline that was given up, and no longer records the former one.
      this.#hasGivenUp = false;
      this.lose('interrupted');
      return;
    }
    clearTimeout(this.#unconfirmed);
    this.#isConfirmed = true;
    this.#closeFormer();
    this.#cause = null;
    this.#failures = 0;
    if (this.#isOtherChosen) void this.#switch('interrupted');
    else this.#improve();
  }

  /** Stops recording, or continues, in all pipelines that run. */
  setPaused(isPaused: boolean): void {
    this.#pipeline?.setPaused?.(isPaused);
    this.#former?.setPaused?.(isPaused);
  }

  /** Sends the audio that pipelines still buffer. Null if none does. */
  finish(): Promise<unknown> | null {
    const finishing = [this.#pipeline, this.#former, this.#closed]
      .map((pipeline) => pipeline?.finish?.())
      .filter((promise) => promise !== undefined);
    return finishing.length === 0 ? null : Promise.allSettled(finishing);
  }

  /** Tries again now instead of after the back-off. */
  tryNow(): void {
    this.#wake();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    this.#drop();
    this.#wake();
  }

  #use(pipeline: CapturePipeline): void {
    this.#pipeline = pipeline;
    const stopWatching = pipeline.watch((cause) => {
      this.lose(cause);
    });
    const stopListening = pipeline.better?.onReady(() => {
      this.#improve();
    });
    this.#unwatch = () => {
      stopWatching();
      stopListening?.();
    };
  }

  /** Changes to a better pipeline of the same microphone, unless another change is in progress. */
  #improve(): void {
    const former = this.#pipeline;
    if (this.#isClosed || former === null || this.#former !== null || this.#isOpening || !this.#isConfirmed)
      return;
    const better = former.better?.take() ?? null;
    if (better === null) return;
    this.#unwatch();
    this.#former = former;
    this.#handOver(better, 'interrupted');
  }

  /**
   * Continues with the same microphone after its audio context was lost: with the former pipeline if that still
   * runs, otherwise with the browser's recorder. Returns whether there is one.
   */
  #fallBack(): boolean {
    const lost = this.#pipeline;
    if (lost === null) return false;
    if (this.#former !== null) {
      this.#giveUpOn(lost);
      return true;
    }
    const next = lost.fallBack?.() ?? null;
    if (next === null) return false;
    this.#unwatch();
    this.#closeLater(lost);
    this.#handOver(next, 'interrupted');
    return true;
  }

  #closeFormer(): void {
    const former = this.#former;
    this.#former = null;
    if (former !== null) this.#closeLater(former);
  }

  #closeLater(pipeline: CapturePipeline): void {
    this.#closed = pipeline;
    pipeline.close();
  }

  #drop(): void {
    clearTimeout(this.#unconfirmed);
    this.#unwatch();
    if (this.#pipeline !== null) this.#closeLater(this.#pipeline);
    this.#pipeline = null;
    this.#closeFormer();
  }

  #interrupt(cause: InterruptionCause): void {
    if (this.#cause === cause) return;
    this.#cause = cause;
    this.#events.onInterrupted(cause);
  }

  async #search(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    while (this.#pipeline === null && !this.#isClosed) {
      if (this.#failures > 0) await this.#rest();
      if (this.#isClosed) break;
      await this.#tryOnce();
    }
    this.#isOpening = false;
  }

  async #tryOnce(): Promise<void> {
    const preferences = this.#preferences();
    if (!(await this.#deps.mayListen())) this.#interrupt('permission-withdrawn');
    try {
      const pipeline = await this.#openAny(preferences);
      if (this.#isClosed) pipeline.close();
      else this.#handOver(pipeline, gapCauseOf(this.#cause ?? 'microphone-lost'));
    } catch (error) {
      this.#failures += 1;
      if (rejectionReasonOf(error) === 'microphone-refused') this.#interrupt('permission-withdrawn');
    }
  }

  /** The chosen microphone, or the system's default if the chosen one does not open. */
  async #openAny(preferences: AudioPreferences): Promise<CapturePipeline> {
    try {
      return await this.#deps.openPipeline(preferences);
    } catch (error) {
      if (preferences.deviceId === null || rejectionReasonOf(error) === 'microphone-refused') throw error;
      return this.#deps.openPipeline({ ...preferences, deviceId: null });
    }
  }

  #handOver(pipeline: CapturePipeline, cause: GapCause): void {
    clearTimeout(this.#unconfirmed);
    this.#isConfirmed = false;
    this.#hasGivenUp = false;
    this.#use(pipeline);
    this.#events.onPipeline(pipeline, cause);
    this.#unconfirmed = setTimeout(() => {
      this.#giveUpOn(pipeline);
    }, maxSilentStartMs);
  }

  /**
   * The pipeline never delivered audio. Returns to the previous pipeline if it still runs, otherwise searches
   * again.
   */
  #giveUpOn(pipeline: CapturePipeline): void {
    if (this.#pipeline !== pipeline) return;
    const former = this.#former;
    this.#former = null;
    this.#drop();
    if (former) {
      this.#hasGivenUp = true;
      this.#isConfirmed = true;
      this.#use(former);
    } else {
      this.#failures += 1;
      this.#interrupt(this.#cause ?? 'interrupted');
      void this.#search();
    }
  }

  /**
   * Waits before the next attempt. Without permission there is no timeout, so that the permission is not requested
   * repeatedly: only a change of devices, or the user, can change it.
   */
  #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const delayMs = attemptDelaysMs[Math.min(this.#failures, attemptDelaysMs.length) - 1];
    const timer = this.#cause === 'permission-withdrawn' ? undefined : setTimeout(resolve, delayMs);
    this.#wake = resolve;
    return promise.finally(() => {
      clearTimeout(timer);
    });
  }

  #check(): void {
    this.#wake();
    if (this.#pipeline !== null) void this.#returnToPreferred();
  }

  /** Another microphone was chosen: tries it immediately. */
  #choose(): void {
    this.#wake();
    if (this.#pipeline !== null) void this.#switch('interrupted');
  }

  async #returnToPreferred(): Promise<void> {
    const listed = await this.#deps.listMicrophones();
    if (this.#pipeline !== null && this.#isPreferredBack(this.#pipeline.microphone, listed))
      await this.#switch('microphone-lost');
  }

  #isPreferredBack(used: CapturePipeline['microphone'], listed: readonly ListedMicrophone[]): boolean {
    const { deviceId: chosen } = this.#deps.preferences.getSnapshot();
    if (chosen !== null)
      return used.deviceId !== chosen && listed.some(({ deviceId }) => deviceId === chosen);
    const { groupId: preferred } = this.#preferredMicrophone;
    return (
      preferred !== null &&
      used.groupId !== preferred &&
      listed.find(({ deviceId }) => deviceId === 'default')?.groupId === preferred
    );
  }

  /** Opens the chosen microphone while the current pipeline continues until the new one delivers audio. */
  async #switch(cause: GapCause): Promise<void> {
    this.#isOtherChosen = this.#isOpening || this.#former !== null;
    if (this.#isOtherChosen) return;
    this.#isOpening = true;
    const preferences = this.#preferences();
    const pipeline = await this.#deps.openPipeline(preferences).catch(() => null);
    this.#isOpening = false;
    this.#settleSwitch(pipeline, preferences.deviceId, cause);
    this.#improve();
    if (this.#pipeline === null && !this.#isClosed) void this.#search();
  }

  #settleSwitch(pipeline: CapturePipeline | null, wanted: string | null, cause: GapCause): void {
    if (pipeline === null) return;
    const isOther = wanted !== null && pipeline.microphone.deviceId !== wanted;
    if (this.#isClosed || (isOther && this.#pipeline !== null)) {
      pipeline.close();
      return;
    }
    this.#unwatch();
    this.#former = this.#pipeline;
    this.#handOver(pipeline, this.#cause === null ? cause : gapCauseOf(this.#cause));
  }
}
