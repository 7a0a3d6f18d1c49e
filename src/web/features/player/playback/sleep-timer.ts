import { minute, second } from '#base/duration.ts';
import { createStore, type Store } from '#base/store.ts';

/** Minutes, or `end` for the end of the recording. */
export type SleepChoice = 'off' | 'end' | 5 | 15 | 30 | 60;

export const sleepChoices: readonly SleepChoice[] = ['off', 5, 15, 30, 60, 'end'];

/** `leftMs`: time until playback stops; null for the end of the recording and for `off`. */
export interface SleepSnapshot {
  choice: SleepChoice;
  leftMs: number | null;
}

/** The part of the player that the timer controls. */
export interface Sleeper {
  subscribe(listener: () => void): () => void;
  getSnapshot(): { status: string; positionMs: number; durationMs: number; rate: number };
  setFade(share: number): void;
  pause(): void;
}

export interface SleepClock {
  nowMs(): number;
  every(ms: number, action: () => void): () => void;
}

const fadeMs = 5 * second;
const updateIntervalMs = 100;

/** Stops playback after a while, fading out over the last five seconds. */
export class SleepTimer implements Store<SleepSnapshot> {
  readonly #sleeper: Sleeper;
  readonly #clock: SleepClock;
  readonly #state = createStore<SleepSnapshot>({ choice: 'off', leftMs: null });
  readonly subscribe = this.#state.subscribe;
  readonly getSnapshot = this.#state.getSnapshot;
  #untilMs = 0;
  #stop: (() => void) | null = null;

  constructor(sleeper: Sleeper, clock: SleepClock) {
    this.#sleeper = sleeper;
    this.#clock = clock;
  }

  set(choice: SleepChoice): void {
    this.#stop?.();
    this.#stop = null;
    this.#sleeper.setFade(1);
    if (typeof choice === 'number') this.#untilMs = this.#clock.nowMs() + choice * minute;
    this.#state.set({ choice, leftMs: typeof choice === 'number' ? choice * minute : null });
    if (choice === 'off') return;
    const stops = [
      this.#clock.every(updateIntervalMs, () => this.#update()),
      this.#sleeper.subscribe(() => this.#update()),
    ];
    this.#stop = () => {
      for (const stop of stops) stop();
    };
  }

  #update(): void {
    const { choice, leftMs: shownBeforeMs } = this.getSnapshot();
    const { status, positionMs, durationMs, rate } = this.#sleeper.getSnapshot();
    if (choice === 'off') return;
    const leftMs = choice === 'end' ? (durationMs - positionMs) / rate : this.#untilMs - this.#clock.nowMs();
    const isOver = choice === 'end' ? status === 'ended' : leftMs <= 0;
    if (isOver) {
      // Pausing notifies subscribers. Unsubscribe first, so that this timer does not run again.
      this.#stop?.();
      this.#sleeper.pause();
      this.set('off');
      return;
    }
    this.#sleeper.setFade(Math.min(1, Math.max(0, leftMs / fadeMs)));
    const shownMs = choice === 'end' ? null : Math.ceil(leftMs / second) * second;
    if (shownMs !== shownBeforeMs) this.#state.set({ choice, leftMs: shownMs });
  }
}
