import { second } from '#base/duration.ts';

const windowMs = 8 * second;
const minMs = 1.5 * second;

/** The upload speed, from the bytes that the server confirmed in the last seconds. */
export class SpeedMeter {
  #marks: { atMs: number; bytes: number }[] = [];

  /** Records the confirmed bytes. A lower number than before restarts the measurement. */
  mark(bytes: number, nowMs: number): void {
    const last = this.#marks.at(-1);
    if (last && bytes < last.bytes) this.#marks = [];
    this.#marks = [...this.#marks.filter(({ atMs }) => nowMs - atMs <= windowMs), { atMs: nowMs, bytes }];
  }

  /** Null until there is enough data, and while nothing is sent. */
  get bytesPerSecond(): number | null {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (!first || !last || last.atMs - first.atMs < minMs || last.bytes === first.bytes) return null;
    return ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * second;
  }

  /** The remaining time at this speed, in milliseconds. */
  leftMs(restBytes: number): number | null {
    const speed = this.bytesPerSecond;
    return speed === null ? null : Math.round((restBytes / speed) * second);
  }
}
