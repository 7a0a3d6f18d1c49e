import { OggPrefixScanner } from '#audio/ogg/ogg-prefix.ts';
import type { OggPage } from '#audio/ogg/ogg-page.ts';

const pieceBytes = 1024 * 1024;
/** A disk gives back zeros, a sector or more of them, where it was told of a length and not of the bytes. */
const sectorBytes = 512;

/** What a stream holds now, wherever it is. */
export interface StoredBytes {
  sizeBytes: number;
  read: (offsetBytes: number, sizeBytes: number) => Promise<Uint8Array>;
}

/** How many bytes at the beginning are whole pages with the right CRC. Reads once, a megabyte at a time. */
export async function wholePagesOf(
  stored: StoredBytes,
  onPage?: (page: OggPage, endsAtBytes: number) => void,
): Promise<number> {
  const scanner = new OggPrefixScanner(onPage);
  for (let offsetBytes = 0; offsetBytes < stored.sizeBytes; offsetBytes += pieceBytes) {
    if (!scanner.push(await stored.read(offsetBytes, Math.min(pieceBytes, stored.sizeBytes - offsetBytes))))
      break;
  }
  return scanner.prefix.validBytes;
}

/**
 * How many bytes at the beginning can be trusted where nothing in them tells: what the log vouches for, and
 * behind it all up to the first sector of zeros.
 */
export async function trustedBytesOf(stored: StoredBytes, loggedBytes: number): Promise<number> {
  let zeros = 0;
  for (
    let offsetBytes = Math.min(loggedBytes, stored.sizeBytes);
    offsetBytes < stored.sizeBytes;
    offsetBytes += pieceBytes
  ) {
    const piece = await stored.read(offsetBytes, Math.min(pieceBytes, stored.sizeBytes - offsetBytes));
    for (const [index, byte] of piece.entries()) {
      zeros = byte === 0 ? zeros + 1 : 0;
      if (zeros === sectorBytes) return offsetBytes + index + 1 - zeros;
    }
  }
  return stored.sizeBytes;
}
