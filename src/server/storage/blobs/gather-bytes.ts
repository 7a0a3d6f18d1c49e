/** Gathers the bytes of a source into pieces of at least `pieceBytes`, except the last. */
export async function* gatherBytes(
  source: AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const bytes of source) {
    gathered.push(bytes);
    sizeBytes += bytes.byteLength;
    if (sizeBytes < pieceBytes) continue;
    yield Buffer.concat(gathered);
    [gathered, sizeBytes] = [[], 0];
  }
  if (sizeBytes > 0) yield Buffer.concat(gathered);
}
