const { BYTES_PER_ELEMENT: sampleBytes } = Float32Array;

/** Deinterleaves samples. `bytes` must be whole frames. */
function planesOf(bytes: Buffer, channels: number): Float32Array[] {
  // A Float32Array must start at a multiple of four bytes, and a chunk from a pipe may start anywhere.
  const aligned = bytes.byteOffset % sampleBytes === 0 ? bytes : Buffer.copyBytesFrom(bytes);
  const samples = new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / sampleBytes);
  const planes = Array.from({ length: channels }, () => new Float32Array(samples.length / channels));
  planes.forEach((plane, channel) => {
    for (let frame = 0; frame < plane.length; frame += 1)
      plane[frame] = samples[frame * channels + channel] ?? 0;
  });
  return planes;
}

/** Interleaved 32-bit float samples in pieces of any size, as whole frames. */
export class PcmFrames {
  readonly #channels: number;
  #rest: Buffer = Buffer.alloc(0);
  /** How many frames were whole so far. */
  frames = 0;

  constructor(channels: number) {
    this.#channels = channels;
  }

  /** The samples of each channel in the frames that this piece completes. */
  planesOf(piece: Uint8Array): Float32Array[] {
    const added = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const whole = this.#rest.length === 0 ? added : Buffer.concat([this.#rest, added]);
    const frameBytes = this.#channels * sampleBytes;
    const usedBytes = whole.length - (whole.length % frameBytes);
    this.#rest = whole.subarray(usedBytes);
    this.frames += usedBytes / frameBytes;
    return planesOf(whole.subarray(0, usedBytes), this.#channels);
  }
}
