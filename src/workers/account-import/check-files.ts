import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { OpenedRecording } from './read-export.ts';
import { ZipError } from './zip/zip-error.ts';

const pieceBytes = 4 * 1024 * 1024;

async function hashOf(bytes: Blob, onRead: (sizeBytes: number) => void): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < bytes.size; at += pieceBytes) {
    const piece = new Uint8Array(await bytes.slice(at, at + pieceBytes).arrayBuffer());
    hash.update(piece);
    onRead(piece.length);
  }
  return bytesToHex(hash.digest());
}

/**
 * Verifies a recording's files before any of them is sent.
 * @throws ZipError if a file differs from the export
 */
export async function checkFiles(
  { described: { files }, blobs }: OpenedRecording,
  onProgress: (checkedBytes: number) => void,
): Promise<void> {
  let checkedBytes = 0;
  for (const [index, file] of files.entries()) {
    const hash = await hashOf(blobs[index] ?? new Blob(), (sizeBytes) => {
      checkedBytes += sizeBytes;
      onProgress(checkedBytes);
    });
    if (hash !== file.sha256) throw new ZipError('damaged', `${file.path} is not what was exported`);
  }
}
