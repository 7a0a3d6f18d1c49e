import type { PlacedSamples } from './ogg-sound.ts';

/**
 * Joins placed sound to one stream from a position to another: silence where sound is missing, and nothing twice.
 */
export async function* continuous(
  placed: AsyncIterable<PlacedSamples>,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Float32Array> {
  let position = from;
  for await (const { at, samples } of placed) {
    while (position < Math.min(at, to)) {
      const silence = new Float32Array(Math.min(at - position, to - position, 16_000));
      position += silence.length;
      yield silence;
    }
    if (position >= to) return;
    const rest = samples.subarray(Math.max(0, position - at), Math.max(0, to - at));
    if (rest.length === 0) continue;
    position += rest.length;
    yield rest;
  }
}

/** Reads PCM of 16 bits, little-endian, piece by piece until an empty one. */
export async function* pcmSamples(
  read: () => Promise<Uint8Array>,
  from: number,
): AsyncGenerator<PlacedSamples> {
  let at = from;
  let odd: Uint8Array = new Uint8Array(0);
  for (let piece = await read(); piece.length > 0; piece = await read()) {
    const bytes = odd.length === 0 ? piece : Buffer.concat([odd, piece]);
    const count = Math.floor(bytes.length / 2);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const samples = Float32Array.from(
      { length: count },
      (_, index) => view.getInt16(2 * index, true) / 32_768,
    );
    odd = bytes.subarray(2 * count);
    yield { at, samples };
    at += count;
  }
}

/** Cuts a stream into blocks of one length; the last one is shorter. */
export async function* sampleBlocks(
  stream: AsyncIterable<Float32Array>,
  size: number,
): AsyncGenerator<Float32Array> {
  let block = new Float32Array(size);
  let filled = 0;
  for await (const samples of stream)
    for (let used = 0; used < samples.length;) {
      const taken = samples.subarray(used, used + size - filled);
      block.set(taken, filled);
      filled += taken.length;
      used += taken.length;
      if (filled < size) continue;
      yield block;
      block = new Float32Array(size);
      filled = 0;
    }
  if (filled > 0) yield block.subarray(0, filled);
}
