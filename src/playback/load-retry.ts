import { BackOff } from '#base/back-off.ts';

/** Attempts again and again, with growing delays, to load audio that could not be loaded. */
export class LoadRetry {
  readonly #attempt: () => void;
  readonly #backOff = new BackOff();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(attempt: () => void) {
    this.#attempt = attempt;
  }

  /** Attempts after the next delay. */
  schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#attempt, this.#backOff.nextMs());
  }

  /** Attempts no more. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Makes the next delay short again, because audio was loaded, or the cause of the failure may be gone. */
  reset(): void {
    this.#backOff.reset();
  }
}
