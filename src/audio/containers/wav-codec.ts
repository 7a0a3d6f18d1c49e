import { chunkAt, firstChunkByte, nextChunkByte } from './riff-chunks.ts';

const nameAt = (head: Uint8Array, at: number): string => String.fromCharCode(...head.subarray(at, at + 4));

/** WAVE_FORMAT_EXTENSIBLE: the extension has the codec. */
const extensible = 0xfffe;
const extendedCodecAt = 24;

/**
 * The codec number of a WAV file (`wFormatTag`), whatever chunks precede it; null if this is not a WAV file, or
 * the chunk is not within these first bytes.
 */
export function wavCodecOf(head: Uint8Array): number | null {
  const isLittleEndian = nameAt(head, 0) === 'RIFF';
  if (!isLittleEndian && nameAt(head, 0) !== 'RIFX') return null;
  if (nameAt(head, 8) !== 'WAVE') return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (
    let chunk = chunkAt(head, firstChunkByte, isLittleEndian);
    chunk !== null && chunk.contentByte + 2 <= head.length;
    chunk = chunkAt(head, nextChunkByte(chunk), isLittleEndian)
  ) {
    if (chunk.name === 'fmt ')
      return codecAt(view, { at: chunk.contentByte, sizeBytes: chunk.sizeBytes, isLittleEndian });
  }
  return null;
}

function codecAt(
  view: DataView,
  { at, sizeBytes, isLittleEndian }: { at: number; sizeBytes: number; isLittleEndian: boolean },
): number {
  const codec = view.getUint16(at, isLittleEndian);
  const isExtended =
    codec === extensible && sizeBytes >= extendedCodecAt + 2 && at + extendedCodecAt + 2 <= view.byteLength;
  return isExtended ? view.getUint16(at + extendedCodecAt, isLittleEndian) : codec;
}
