/** The last bytes of a growing stream, in memory, until they are released from the front. */
export class RecentBytes {
  #pieces: Uint8Array[] = [];
  #fromBytes: number;
  #endBytes: number;

  /** @param fromBytes offset in the stream at which the buffer starts, empty */
  constructor(fromBytes: number) {
    this.#fromBytes = fromBytes;
    this.#endBytes = fromBytes;
  }

  get fromBytes(): number {
    return this.#fromBytes;
  }

  get endBytes(): number {
    return this.#endBytes;
  }

  /** Adds a copy of these bytes. */
  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes.slice());
    this.#endBytes += bytes.length;
  }

  /** A copy of a range of the stream, as far as the buffer has it; null if the range starts before the buffer. */
  read(offsetBytes: number, sizeBytes: number): Uint8Array<ArrayBuffer> | null {
    if (offsetBytes < this.#fromBytes) return null;
    const wanted = new Uint8Array(Math.max(0, Math.min(sizeBytes, this.#endBytes - offsetBytes)));
    let atBytes = this.#fromBytes;
    for (const piece of this.#pieces) {
      const first = Math.max(0, offsetBytes - atBytes);
      const filledBytes = atBytes + first - offsetBytes;
      if (first < piece.length && filledBytes < wanted.length)
        wanted.set(piece.subarray(first, first + wanted.length - filledBytes), filledBytes);
      atBytes += piece.length;
    }
    return wanted;
  }

  /** Releases the bytes before an offset. */
  letGo(toBytes: number): void {
    if (toBytes <= this.#fromBytes) return;
    const retained = this.read(toBytes, this.#endBytes - toBytes);
    this.#pieces = retained !== null && retained.length > 0 ? [retained] : [];
    this.#fromBytes = toBytes;
    this.#endBytes = Math.max(this.#endBytes, toBytes);
  }

  /** Truncates the stream. */
  cut(endBytes: number): void {
    const retained = this.read(this.#fromBytes, endBytes - this.#fromBytes);
    this.#pieces = retained !== null && retained.length > 0 ? [retained] : [];
    this.#fromBytes = Math.min(this.#fromBytes, endBytes);
    this.#endBytes = Math.min(this.#endBytes, endBytes);
  }
}
