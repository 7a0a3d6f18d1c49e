/** Samples at the end of a stream. Positions are counted from the start of the stream. */
export class SampleBuffer {
  #samples = new Float32Array(1 << 20);
  #from: number;
  #length = 0;

  /** @param from the position of the first sample that is pushed */
  constructor(from: number) {
    this.#from = from;
  }

  /** The position of the first retained sample. */
  get from(): number {
    return this.#from;
  }

  /** The position after the last sample. */
  get to(): number {
    return this.#from + this.#length;
  }

  push(samples: Float32Array): void {
    const needed = this.#length + samples.length;
    if (needed > this.#samples.length) {
      const larger = new Float32Array(Math.max(needed, 2 * this.#samples.length));
      larger.set(this.#samples.subarray(0, this.#length));
      this.#samples = larger;
    }
    this.#samples.set(samples, this.#length);
    this.#length = needed;
  }

  /** Copies the retained samples between two positions. */
  slice(from: number, to: number): Float32Array {
    return this.#samples.slice(
      Math.max(0, from - this.#from),
      Math.max(0, Math.min(this.#length, to - this.#from)),
    );
  }

  /** Forgets the samples before a position. Memory is moved only if that frees half of it. */
  dropBefore(position: number): void {
    const dropped = Math.min(this.#length, position - this.#from);
    if (dropped < this.#samples.length / 2) return;
    this.#samples.copyWithin(0, dropped, this.#length);
    this.#from += dropped;
    this.#length -= dropped;
  }
}
