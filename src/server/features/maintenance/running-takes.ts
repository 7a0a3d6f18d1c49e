import { minute } from '#base/duration.ts';

/** A take that was paused, or whose device has no connection, is not waited for any longer. */
const rememberedMs = minute;

/** The takes of which this process acknowledged a piece in the last minute. */
export class RunningTakes {
  readonly #nowMs: () => number;
  /** In order of the last acknowledgement, by recording. */
  readonly #acknowledgedAtMs = new Map<string, number>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  acknowledged(recordingId: string): void {
    this.#acknowledgedAtMs.delete(recordingId);
    this.#acknowledgedAtMs.set(recordingId, this.#nowMs());
    this.#forgetSilent();
  }

  /** Stops waiting for a take, one of whose streams is complete. */
  ended(recordingId: string): void {
    this.#acknowledgedAtMs.delete(recordingId);
  }

  /** @returns `maxSilenceMs` is null if no take runs */
  figures(): { count: number; maxSilenceMs: number | null } {
    this.#forgetSilent();
    const [oldest] = this.#acknowledgedAtMs.values();
    return {
      count: this.#acknowledgedAtMs.size,
      maxSilenceMs: oldest === undefined ? null : this.#nowMs() - oldest,
    };
  }

  #forgetSilent(): void {
    for (const [recordingId, atMs] of this.#acknowledgedAtMs) {
      if (this.#nowMs() - atMs < rememberedMs) return;
      this.#acknowledgedAtMs.delete(recordingId);
    }
  }
}
