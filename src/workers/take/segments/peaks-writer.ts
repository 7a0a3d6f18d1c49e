import { peaksFormat } from '#contract/limits.ts';
import type { SegmentStream } from './spillable-stream.ts';

/** Writes points only as far as the audio is written, so that peaks are never ahead of it if the tab is killed. */
export class PeaksWriter {
  readonly #stream: SegmentStream;
  #held: Int8Array[] = [];
  #writtenPoints = 0;

  constructor(stream: SegmentStream) {
    this.#stream = stream;
  }

  /** Buffers points until their audio is written. */
  hold(points: Int8Array): void {
    this.#held.push(points);
  }

  /** Writes the points of the segment's first `upToPoints` hundredths of a second, as far as they are buffered. */
  write(upToPoints: number): void {
    const all = joined(this.#held);
    const wantedBytes = Math.max(0, upToPoints - this.#writtenPoints) * peaksFormat.bytesPerPoint;
    const now = all.subarray(0, wantedBytes);
    const later = all.subarray(now.length);
    this.#held = later.length > 0 ? [later] : [];
    if (now.length === 0) return;
    this.#stream.append(new Uint8Array(now.buffer, now.byteOffset, now.length));
    this.#writtenPoints += now.length / peaksFormat.bytesPerPoint;
  }
}

function joined(parts: readonly Int8Array[]): Int8Array {
  const whole = new Int8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
  }
  return whole;
}
