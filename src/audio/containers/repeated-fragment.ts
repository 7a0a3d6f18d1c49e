import type { ReadBytes } from '#audio/ogg/joined-facts.ts';

/** A fragment has at most a second of sound. Its header and data are far smaller at every bitrate. */
const tailBytes = 256 * 1024;
const moof = [0x6d, 0x6f, 0x6f, 0x66] as const;
/** The type of a box without a meaning. */
export const freeType: Uint8Array<ArrayBuffer> = Uint8Array.of(0x66, 0x72, 0x65, 0x65);
/** The size of a box, before its type. */
const sizeFieldBytes = 4;

/** The offset of the type of a movie fragment box that is followed by a copy of itself; null if there is none. */
function repeatedTypeAt(tail: Uint8Array): number | null {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let typeAt = sizeFieldBytes; typeAt + moof.length <= tail.length; typeAt += 1) {
    if (moof.some((byte, index) => tail[typeAt + index] !== byte)) continue;
    const startByte = typeAt - sizeFieldBytes;
    const sizeBytes = view.getUint32(startByte);
    if (sizeBytes <= 2 * sizeFieldBytes || startByte + 2 * sizeBytes > tail.length) continue;
    const box = tail.subarray(startByte, startByte + sizeBytes);
    if (box.every((byte, index) => tail[startByte + sizeBytes + index] === byte)) return typeAt;
  }
  return null;
}

/**
 * Finds the header that WebKitGTK writes twice for the last fragment of a file, up to a second of sound. The first copy
 * points into the second one instead of the sound (ISO/IEC 14496-12 §8.8.7), so what is read there is noise.
 * @returns the offset of the first copy's type; null if no header is repeated
 */
export async function repeatedFragmentAt(read: ReadBytes, sizeBytes: number): Promise<number | null> {
  const tailAt = Math.max(0, sizeBytes - tailBytes);
  const typeAt = repeatedTypeAt(await read(tailAt, sizeBytes));
  return typeAt === null ? null : tailAt + typeAt;
}

/** Reads an MP4 file of a browser's recorder with a repeated header as a `free` box (§8.1.2), which readers skip. */
export async function unrepeated(read: ReadBytes, sizeBytes: number): Promise<ReadBytes> {
  const typeAt = await repeatedFragmentAt(read, sizeBytes);
  if (typeAt === null) return read;
  return async (startByte, endByteExclusive) => {
    const bytes = Uint8Array.from(await read(startByte, endByteExclusive));
    freeType.forEach((byte, index) => {
      const at = typeAt + index - startByte;
      if (at >= 0 && at < bytes.length) bytes[at] = byte;
    });
    return bytes;
  };
}
