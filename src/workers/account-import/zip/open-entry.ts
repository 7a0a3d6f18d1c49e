import { maxTakeBytes, limits } from '#contract/limits.ts';
import { crc32 } from './crc32.ts';
import { viewOf, type ZipDirectoryEntry } from './read-directory.ts';
import { ZipError } from './zip-error.ts';

const headerBytes = 30;
const headerSignature = 0x0403_4b50;
/** The largest file of a recording. A small ZIP must not fill the disk when it is unpacked. */
const maxUnpackedBytes = Math.max(maxTakeBytes, limits.import.maxBytes);
const [stored, deflated] = [0, 8];
/** Deflate expands one byte to at most this many (RFC 1951: 258 bytes in two bits). */
const maxBytesPerPackedByte = 1032;

/** Lets at most `sizeBytes` bytes through, because a small file may unpack to more than any disk holds. */
function atMost(sizeBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = sizeBytes;
  return new TransformStream({
    transform(piece, controller) {
      left -= piece.length;
      if (left < 0)
        controller.error(new ZipError('damaged', 'an entry is larger than its directory entry says'));
      else controller.enqueue(piece);
    },
  });
}

async function inflated(packed: Blob, sizeBytes: number): Promise<Blob> {
  try {
    // The browser stores a large blob on its disk.
    return await new Response(
      packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(atMost(sizeBytes)),
    ).blob();
  } catch (cause) {
    throw new ZipError('damaged', 'an entry cannot be unpacked', { cause });
  }
}

/**
 * Rejects an impossible size before anything is unpacked.
 * @throws ZipError
 */
function rejectSize(file: Blob, { method, offsetBytes, packedBytes, sizeBytes }: ZipDirectoryEntry): void {
  if (method === deflated && sizeBytes > maxUnpackedBytes)
    throw new ZipError('damaged', 'an entry is larger than any file of a recording');
  if (offsetBytes + packedBytes > file.size || sizeBytes > packedBytes * maxBytesPerPackedByte)
    throw new ZipError('damaged', 'an entry is larger than its bytes can hold');
}

/**
 * The bytes of one file of a ZIP with random access; a stored file is a slice of the ZIP itself. Does not verify
 * the checksum.
 * @throws ZipError
 */
export async function openEntry(file: Blob, entry: ZipDirectoryEntry): Promise<Blob> {
  const { method, isEncrypted, offsetBytes, packedBytes, sizeBytes } = entry;
  const header = await viewOf(file, offsetBytes, offsetBytes + headerBytes);
  if (header.byteLength < headerBytes || header.getUint32(0, true) !== headerSignature)
    throw new ZipError('damaged', 'an entry has no local header at its offset');
  if (isEncrypted || (method !== stored && method !== deflated))
    throw new ZipError('damaged', "the entry's encryption or compression method is not supported");
  rejectSize(file, entry);
  const fromByte = offsetBytes + headerBytes + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = file.slice(fromByte, fromByte + packedBytes);
  const bytes = method === stored ? packed : await inflated(packed, sizeBytes);
  if (bytes.size !== sizeBytes)
    throw new ZipError('damaged', 'an entry is shorter than its directory entry says');
  return bytes;
}

/**
 * A small text file of a ZIP, verified by its checksum.
 * @throws ZipError
 */
export async function readEntryText(file: Blob, entry: ZipDirectoryEntry, maxBytes: number): Promise<string> {
  if (entry.sizeBytes > maxBytes) throw new ZipError('damaged', 'a text file is larger than the limit');
  const bytes = new Uint8Array(await (await openEntry(file, entry)).arrayBuffer());
  if (crc32(bytes) !== entry.crc32)
    throw new ZipError('damaged', 'the checksum of a text file does not match');
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
