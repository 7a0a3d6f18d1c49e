const nameAt = (head: Uint8Array, at: number): string => String.fromCharCode(...head.subarray(at, at + 4));

/** WAVE_FORMAT_EXTENSIBLE: the codec stands in the extension. */
const extensible = 0xfffe;
const extendedCodecAt = 24;

/**
 * The codec's number in a WAV file (`wFormatTag`), whatever chunks stand before the one that states it; null where this is no WAV file, or the
 * chunk is not within these first bytes.
 */
export function wavCodecOf(head: Uint8Array): number | null {
  const isLittleEndian = nameAt(head, 0) === 'RIFF';
  if (!isLittleEndian && nameAt(head, 0) !== 'RIFX') return null;
  if (nameAt(head, 8) !== 'WAVE') return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = 12; at + 10 <= head.length;) {
    const sizeBytes = view.getUint32(at + 4, isLittleEndian);
    if (nameAt(head, at) === 'fmt ') return codecAt(view, { at: at + 8, sizeBytes, isLittleEndian });
    // Chunks begin at even places.
    at += 8 + sizeBytes + (sizeBytes & 1);
  }
  return null;
}

function codecAt(view: DataView, { at, sizeBytes, isLittleEndian }: { at: number; sizeBytes: number; isLittleEndian: boolean }): number {
  const codec = view.getUint16(at, isLittleEndian);
  const isExtended = codec === extensible && sizeBytes >= extendedCodecAt + 2 && at + extendedCodecAt + 2 <= view.byteLength;
  return isExtended ? view.getUint16(at + extendedCodecAt, isLittleEndian) : codec;
}
