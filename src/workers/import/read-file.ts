import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type CopyFile, createCopy, removeFiles } from './import-files.ts';

const pieceBytes = 4 * 1024 * 1024;

/**
 * Reads a file once, in pieces: hashes it and copies it to OPFS.
 * @param onProgress receives the number of bytes read so far
 * @returns the SHA-256, and whether there is a copy; without a copy, on a device without space, the original file
 * is sent
 */
export async function readFile(
  importId: string,
  file: File,
  onProgress: (doneBytes: number) => void,
): Promise<{ sha256: string; hasCopy: boolean }> {
  const hash = sha256.create();
  let copy = await createCopy(importId);
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    hash.update(piece);
    if (copy !== null && !tryWrite(copy, piece)) copy = null;
    onProgress(at + piece.length);
  }
  const hasCopy = copy !== null && tryFinish(copy);
  if (!hasCopy) await removeFiles(importId);
  return { sha256: bytesToHex(hash.digest()), hasCopy };
}

function tryWrite(copy: CopyFile, piece: Uint8Array<ArrayBuffer>): boolean {
  try {
    copy.write(piece);
    return true;
  } catch {
    copy.close();
    return false;
  }
}

function tryFinish(copy: CopyFile): boolean {
  try {
    copy.finish();
    return true;
  } catch {
    return false;
  } finally {
    copy.close();
  }
}
