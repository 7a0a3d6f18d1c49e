import { second } from '#base/duration.ts';

/** Keys are dropped in bulk once there are this many, which a flood of networks reaches first. */
const keysBeforeSweep = 10_000;

/**
 * A token bucket of bytes per key. Bytes are counted after they were made, so the last text of a key may exceed it; the
 * next one waits until the excess is over.
 */
export class ByteAllowance {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #nowMs: () => number;
  readonly #spent = new Map<string, { bytes: number; atMs: number }>();

  constructor({ perSecond, burst }: { perSecond: number; burst: number }, nowMs: () => number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#nowMs = nowMs;
  }

  /** How long the next text of a key waits, in milliseconds; 0 if it need not. */
  waitMs(key: string): number {
    const excessBytes = this.#bytesOf(key) - this.#burst;
    return excessBytes <= 0 ? 0 : (excessBytes / this.#perSecond) * second;
  }

  spend(key: string, bytes: number): void {
    if (this.#spent.size >= keysBeforeSweep)
      for (const old of this.#spent.keys()) if (this.#bytesOf(old) === 0) this.#spent.delete(old);
    this.#spent.set(key, { bytes: this.#bytesOf(key) + bytes, atMs: this.#nowMs() });
  }

  /** How many bytes of a key are not forgotten yet. */
  #bytesOf(key: string): number {
    const { bytes, atMs } = this.#spent.get(key) ?? { bytes: 0, atMs: 0 };
    return Math.max(0, bytes - ((this.#nowMs() - atMs) / second) * this.#perSecond);
  }
}
