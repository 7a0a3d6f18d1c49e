/** Cuts bytes into pieces of at most a size. Empty pieces, which would end the sound, are left out. */
export async function* pcmPieces(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of source)
    for (let from = 0; from < bytes.length; from += maxBytes) yield bytes.subarray(from, from + maxBytes);
}
