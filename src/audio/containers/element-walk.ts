/** What the start of an element asks for: to pass over so many bytes, to wait for more of them, or to give up. */
export type ElementStep = number | 'needs-more' | 'broken';

/**
 * Walks over the elements of a file that arrives in pieces, in order. Keeps no more of the file than an element that is
 * not understood yet.
 */
export class ElementWalk {
  readonly #read: (bytes: Uint8Array) => ElementStep;
  #carried: Uint8Array = new Uint8Array(0);
  #skipBytes = 0;
  #isBroken = false;

  /**
   * @param read receives the bytes from the start of an element on, as far as they have arrived; returns how many to
   * pass over: all of the element, or its header if its children follow. More than 0, also beyond what has arrived.
   */
  constructor(read: (bytes: Uint8Array) => ElementStep) {
    this.#read = read;
  }

  /** True if the file is not of this kind, or damaged. Nothing more is read then. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Adds the next piece of the file. */
  push(piece: Uint8Array): void {
    if (this.#isBroken) return;
    const bytes = new Uint8Array(this.#carried.length + piece.length);
    bytes.set(this.#carried);
    bytes.set(piece, this.#carried.length);
    let at = this.#skip(bytes.length);
    while (at < bytes.length) {
      const step = this.#read(bytes.subarray(at));
      this.#isBroken = step === 'broken';
      if (typeof step === 'string') break;
      this.#skipBytes = step;
      at += this.#skip(bytes.length - at);
    }
    this.#carried = bytes.slice(at);
  }

  #skip(leftBytes: number): number {
    const skippedBytes = Math.min(this.#skipBytes, leftBytes);
    this.#skipBytes -= skippedBytes;
    return skippedBytes;
  }
}
