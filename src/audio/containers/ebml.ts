import type { PieceFile } from './mp4-boxes.ts';

/** An id has at most four bytes, a length eight (RFC 8794 §5, §6; RFC 9559 §5). */
const maxHeaderBytes = 12;

/**
 * An element of EBML (RFC 8794), the format of Matroska and WebM. `endByte` is null if the length is unknown, as
 * in streams.
 */
export interface EbmlElement {
  id: number;
  contentByte: number;
  endByte: number | null;
}

/**
 * A number of one to eight bytes, whose length is the position of the first set bit (RFC 8794 §4). The value is
 * null if all bits are ones, which means unknown.
 */
function numberAt(
  bytes: Uint8Array,
  at: number,
  keepsMarker: boolean,
): { value: number | null; bytes: number } | null {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return null;
  const marker = 1 << (8 - length);
  let value = keepsMarker ? first : first & (marker - 1);
  let isUnknown = (first & (marker - 1)) === marker - 1;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown && !keepsMarker ? null : value, bytes: length };
}

/** Reads the element at an offset of some bytes. */
export function ebmlElementAt(bytes: Uint8Array, at: number): EbmlElement | null {
  const id = numberAt(bytes, at, true);
  const size = id && numberAt(bytes, at + id.bytes, false);
  if (!id || !size || id.value === null) return null;
  const contentByte = at + id.bytes + size.bytes;
  return { id: id.value, contentByte, endByte: size.value === null ? null : contentByte + size.value };
}

/** Reads the header of the element at an offset of a file. */
export async function readEbmlElement(
  { sizeBytes, read }: PieceFile,
  at: number,
): Promise<EbmlElement | null> {
  const element =
    at >= sizeBytes ? null : ebmlElementAt(await read(at, Math.min(sizeBytes, at + maxHeaderBytes)), 0);
  return (
    element && {
      ...element,
      contentByte: at + element.contentByte,
      endByte: element.endByte === null ? null : at + element.endByte,
    }
  );
}
