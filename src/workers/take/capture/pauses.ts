/** The pauses of a take, in milliseconds of the clock that positions sound. */
export class Pauses {
  readonly #ended: { fromMs: number; untilMs: number }[] = [];
  #sinceMs: number | null = null;

  /** When the current pause started; null outside a pause. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  start(atMs: number): void {
    this.#sinceMs ??= atMs;
  }

  end(atMs: number): void {
    if (this.#sinceMs !== null) this.#ended.push({ fromMs: this.#sinceMs, untilMs: atMs });
    this.#sinceMs = null;
  }

  /** True if one pause covers the whole span. A block in which a pause starts or ends is not covered. */
  covers(fromMs: number, untilMs: number): boolean {
    return this.#all().some((pause) => pause.fromMs <= fromMs && untilMs <= pause.untilMs);
  }

  /** How much of the span lies outside all pauses. */
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
