/** A piece stands for about this much sound: five of the packets of 60 ms that Chromium's recorder makes. */
const pieceMs = 300;

/**
 * How long a browser's recorder has been recording, told by when its pieces came. Between two pieces it runs
 * on, but by no more than one piece, so that it stands still with a recorder that does.
 */
export class RawClock {
  readonly #nowMs: () => number;
  #beganMs: number | null = null;
  #lastPieceMs = 0;
  #pausedAtMs: number | null = null;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Sound recorded so far, whole milliseconds; 0 before the first piece. */
  get capturedMs(): number {
    if (this.#beganMs === null) return 0;
    return Math.max(
      0,
      Math.floor(Math.min(this.#pausedAtMs ?? this.#nowMs(), this.#lastPieceMs + pieceMs) - this.#beganMs),
    );
  }

  /** A piece came: the sound in it is over. */
  pieceCame(): void {
    const nowMs = this.#pausedAtMs ?? this.#nowMs();
    this.#beganMs ??= nowMs - pieceMs;
    this.#lastPieceMs = nowMs;
  }

  /** Time that passes while paused does not count. */
  setPaused(isPaused: boolean): void {
    if (isPaused) {
      this.#pausedAtMs ??= this.#nowMs();
      return;
    }
    if (this.#pausedAtMs === null) return;
    const pausedMs = this.#nowMs() - this.#pausedAtMs;
    this.#pausedAtMs = null;
    if (this.#beganMs === null) return;
    this.#beganMs += pausedMs;
    this.#lastPieceMs += pausedMs;
  }
}
