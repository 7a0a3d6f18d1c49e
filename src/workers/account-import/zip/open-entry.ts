import { largestTakeBytes, limits } from '#contract/limits.ts';
import { crc32 } from './crc32.ts';
import { viewOf, type ZipDirectoryEntry } from './read-directory.ts';
import { ZipError } from './zip-error.ts';

const headerBytes = 30;
const headerSignature = 0x0403_4b50;
/** No file of a recording is larger: a small ZIP must not fill the disk by what it unpacks to. */
const largestUnpackedBytes = Math.max(largestTakeBytes, limits.import.largestBytes);
const [stored, deflated] = [0, 8];
/** Deflate packs no more bytes into one (RFC 1951: 258 bytes in two bits). */
const mostBytesPerPackedByte = 1032;

/** Lets so many bytes through and no more: a small file may unpack to more than any disk holds. */
function atMost(sizeBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = sizeBytes;
  return new TransformStream({
    transform(piece, controller) {
      left -= piece.length;
      if (left < 0) controller.error(new ZipError('damaged', 'an entry is larger than it says'));
      else controller.enqueue(piece);
    },
  });
}

async function inflated(packed: Blob, sizeBytes: number): Promise<Blob> {
  try {
    // The browser keeps a large one on its disk.
    return await new Response(
      packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(atMost(sizeBytes)),
    ).blob();
  } catch (cause) {
    throw new ZipError('damaged', 'an entry cannot be unpacked', { cause });
  }
}

/** Throws ZipError where a size cannot be, before anything is unpacked. */
function rejectSize(file: Blob, { method, offsetBytes, packedBytes, sizeBytes }: ZipDirectoryEntry): void {
  if (method === deflated && sizeBytes > largestUnpackedBytes)
    throw new ZipError('damaged', 'an entry is larger than any file of a recording');
  if (offsetBytes + packedBytes > file.size || sizeBytes > packedBytes * mostBytesPerPackedByte)
    throw new ZipError('damaged', 'an entry is larger than its bytes can hold');
}

/**
 * The bytes of one file of a ZIP, to be read from anywhere: of a stored one a part of the ZIP itself. Its
 * checksum is not looked at.
 */
export async function openEntry(file: Blob, entry: ZipDirectoryEntry): Promise<Blob> {
  const { method, isEncrypted, offsetBytes, packedBytes, sizeBytes } = entry;
  const header = await viewOf(file, offsetBytes, offsetBytes + headerBytes);
  if (header.byteLength < headerBytes || header.getUint32(0, true) !== headerSignature)
    throw new ZipError('damaged', 'an entry does not begin where it should');
  if (isEncrypted || (method !== stored && method !== deflated))
    throw new ZipError('damaged', 'an entry is packed in a way that is not read');
  rejectSize(file, entry);
  const fromByte = offsetBytes + headerBytes + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = file.slice(fromByte, fromByte + packedBytes);
  const bytes = method === stored ? packed : await inflated(packed, sizeBytes);
  if (bytes.size !== sizeBytes) throw new ZipError('damaged', 'an entry is shorter than it says');
  return bytes;
}

/** A small text file of a ZIP, checked against its checksum. */
export async function readEntryText(
  file: Blob,
  entry: ZipDirectoryEntry,
  mostBytes: number,
): Promise<string> {
  if (entry.sizeBytes > mostBytes) throw new ZipError('damaged', 'a text is larger than any can be');
  const bytes = new Uint8Array(await (await openEntry(file, entry)).arrayBuffer());
  if (crc32(bytes) !== entry.crc32) throw new ZipError('damaged', 'a text does not have its checksum');
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
