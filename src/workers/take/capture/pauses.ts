/** The pauses of a take by the clock that sound is placed by, in milliseconds. */
export class Pauses {
  readonly #ended: { fromMs: number; untilMs: number }[] = [];
  #sinceMs: number | null = null;

  /** When the pause began that runs now; null while there is none. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** A pause begins. */
  start(atMs: number): void {
    this.#sinceMs ??= atMs;
  }

  /** It is over. */
  end(atMs: number): void {
    if (this.#sinceMs !== null) this.#ended.push({ fromMs: this.#sinceMs, untilMs: atMs });
    this.#sinceMs = null;
  }

  /**
   * Whether a pause began no later and ends no earlier. A piece of sound in which one begins or ends is none
   * of its own.
   */
  covers(fromMs: number, untilMs: number): boolean {
    return this.#all().some((pause) => pause.fromMs <= fromMs && untilMs <= pause.untilMs);
  }

  /** How much of a span of time lies in no pause. */
  outsideMs(fromMs: number, untilMs: number): number {
    return this.#all().reduce(
      (leftMs, pause) =>
        leftMs - Math.max(0, Math.min(untilMs, pause.untilMs) - Math.max(fromMs, pause.fromMs)),
      untilMs - fromMs,
    );
  }

  #all(): { fromMs: number; untilMs: number }[] {
    return this.#sinceMs === null
      ? this.#ended
      : [...this.#ended, { fromMs: this.#sinceMs, untilMs: Infinity }];
  }
}
