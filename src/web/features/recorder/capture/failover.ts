import { second } from '#base/duration.ts';
import type { GapCause } from '#contract/recordings.ts';
import type { Store } from '#base/store.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import type { ListedMicrophone } from './microphone-changes.ts';
import { rejectionReasonOf } from './capture-error.ts';
import { gapCauseOf } from './interruption.ts';
import type { InterruptionCause } from './interruption.ts';

/**
 * Waits between tries; the last one for as long as it takes. The default microphone is tried within the first
 * try already.
 */
const backOffMs = [second, 2 * second, 3 * second, 5 * second] as const;
/** A new line from which no sound came for so long is none. */
const longestSilentStartMs = 3 * second;

export interface FailoverDeps {
  /** Opens a line with an audio context of its own. Throws `CaptureError`. */
  openLine: (preferences: AudioPreferences) => Promise<CapturePipeline>;
  preferences: Store<AudioPreferences>;
  listMicrophones: () => Promise<readonly ListedMicrophone[]>;
  mayListen: () => Promise<boolean>;
  onMicrophoneChange: (tell: () => void) => () => void;
}

export interface FailoverEvents {
  /** No sound comes any more; told again when another reason is found out. */
  onInterrupted: (cause: InterruptionCause) => void;
  /** Sound comes from this line now; the one before, if it still runs, is closed when `confirm` is called. */
  onLine: (line: CapturePipeline, cause: GapCause) => void;
}

/**
 * Keeps a line to a microphone open while a take runs: when it is lost, the chosen microphone is opened
 * again, else the default one, until it works; when the chosen one comes back, or another is chosen, it is
 * switched to without an interruption.
 */
export class Failover {
  readonly #deps: FailoverDeps;
  readonly #events: FailoverEvents;
  readonly #stopListening: () => void;
  /** The microphone of the beginning: where nothing is chosen, the take goes back to it. */
  readonly #preferredMicrophone: CapturePipeline['microphone'];
  #line: CapturePipeline | null = null;
  #unwatch: () => void = () => {};
  /** Runs until the first sound of the line that takes its place. */
  #former: CapturePipeline | null = null;
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
    this.#preferredMicrophone = first.microphone;
    this.#use(first);
    let chosen = deps.preferences.getSnapshot().deviceId;
    const stopChanges = deps.onMicrophoneChange(() => {
      this.#look();
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

  /** The line in use; null while none is. */
  get line(): CapturePipeline | null {
    return this.#line;
  }

  /** The line gives no sound any more, as its events or the worker's watchdog say. */
  lose(cause: InterruptionCause): void {
    if (this.#isClosed || this.#line === null) return;
    // A line that is lost before its first sound is a try that failed.
    if (this.#cause !== null) this.#failures += 1;
    this.#drop();
    this.#tell(cause);
    void this.#search();
  }

  /** The first sound of the newest line has come. */
  confirm(): void {
    clearTimeout(this.#unconfirmed);
    this.#former?.close();
    this.#former = null;
    this.#cause = null;
    this.#failures = 0;
    if (this.#isOtherChosen) void this.#switch('interrupted');
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

  #use(line: CapturePipeline): void {
    this.#line = line;
    this.#unwatch = line.watch((cause) => {
      this.lose(cause);
    });
  }

  #drop(): void {
    clearTimeout(this.#unconfirmed);
    this.#unwatch();
    this.#line?.close();
    this.#former?.close();
    this.#line = null;
    this.#former = null;
  }

  #tell(cause: InterruptionCause): void {
    if (this.#cause === cause) return;
    this.#cause = cause;
    this.#events.onInterrupted(cause);
  }

  async #search(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    while (this.#line === null && !this.#isClosed) {
      if (this.#failures > 0) await this.#rest();
      if (this.#isClosed) break;
      await this.#tryOnce();
    }
    this.#isOpening = false;
  }

  async #tryOnce(): Promise<void> {
    const preferences = this.#deps.preferences.getSnapshot();
    if (!(await this.#deps.mayListen())) this.#tell('permission-withdrawn');
    try {
      const line = await this.#openAny(preferences);
      if (this.#isClosed) line.close();
      else this.#handOver(line, gapCauseOf(this.#cause ?? 'microphone-lost'));
    } catch (error) {
      this.#failures += 1;
      if (rejectionReasonOf(error) === 'microphone-refused') this.#tell('permission-withdrawn');
    }
  }

  /** The chosen microphone; whatever the system has where that one is there but does not open. */
  async #openAny(preferences: AudioPreferences): Promise<CapturePipeline> {
    try {
      return await this.#deps.openLine(preferences);
    } catch (error) {
      if (preferences.deviceId === null || rejectionReasonOf(error) === 'microphone-refused') throw error;
      return this.#deps.openLine({ ...preferences, deviceId: null });
    }
  }

  #handOver(line: CapturePipeline, cause: GapCause): void {
    this.#use(line);
    this.#events.onLine(line, cause);
    this.#unconfirmed = setTimeout(() => {
      this.#giveUpOn(line);
    }, longestSilentStartMs);
  }

  /** A line that never spoke: back to the one before where that still runs, else on with the search. */
  #giveUpOn(line: CapturePipeline): void {
    if (this.#line !== line) return;
    const former = this.#former;
    this.#former = null;
    this.#failures += 1;
    this.#drop();
    if (former) this.#use(former);
    else void this.#search();
  }

  /** A refused permission is not asked for again and again: only news, or the person, can change it. */
  #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const delayMs = backOffMs[Math.min(this.#failures, backOffMs.length) - 1];
    const timer = this.#cause === 'permission-withdrawn' ? undefined : setTimeout(resolve, delayMs);
    this.#wake = resolve;
    return promise.finally(() => {
      clearTimeout(timer);
    });
  }

  #look(): void {
    this.#wake();
    if (this.#line !== null) void this.#returnHome();
  }

  /** Another microphone was chosen: it is tried at once, whatever stood in the way before. */
  #choose(): void {
    this.#wake();
    if (this.#line !== null) void this.#switch('interrupted');
  }

  async #returnHome(): Promise<void> {
    const listed = await this.#deps.listMicrophones();
    if (this.#line !== null && this.#isHomeBack(this.#line.microphone, listed))
      await this.#switch('microphone-lost');
  }

  #isHomeBack(used: CapturePipeline['microphone'], listed: readonly ListedMicrophone[]): boolean {
    const { deviceId: chosen } = this.#deps.preferences.getSnapshot();
    if (chosen !== null)
      return used.deviceId !== chosen && listed.some(({ deviceId }) => deviceId === chosen);
    const { groupId: home } = this.#preferredMicrophone;
    return (
      home !== null &&
      used.groupId !== home &&
      listed.find(({ deviceId }) => deviceId === 'default')?.groupId === home
    );
  }

  /**
   * Opens the wanted microphone beside the present line, which goes on until the first sound of the other.
   */
  async #switch(cause: GapCause): Promise<void> {
    this.#isOtherChosen = this.#isOpening || this.#former !== null;
    if (this.#isOtherChosen) return;
    this.#isOpening = true;
    const preferences = this.#deps.preferences.getSnapshot();
    const line = await this.#deps.openLine(preferences).catch(() => null);
    this.#isOpening = false;
    this.#settleSwitch(line, preferences.deviceId, cause);
    if (this.#line === null && !this.#isClosed) void this.#search();
  }

  #settleSwitch(line: CapturePipeline | null, wanted: string | null, cause: GapCause): void {
    if (line === null) return;
    const isOther = wanted !== null && line.microphone.deviceId !== wanted;
    if (this.#isClosed || (isOther && this.#line !== null)) {
      line.close();
      return;
    }
    this.#unwatch();
    this.#former = this.#line;
    this.#handOver(line, this.#cause === null ? cause : gapCauseOf(this.#cause));
  }
}
