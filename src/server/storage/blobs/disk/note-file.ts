import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type BlobNote, maxNoteBytes, noteLagBytes } from '#server/storage/blobs/blob-store.ts';
import { isMissing } from './durable-files.ts';

/** Blob keys contain no `~`, so a note never has the path of a blob. */
const ending = '~note';
const notePath = (blobPath: string): string => `${blobPath}${ending}`;

const checksumBytes = 8;
const headerBytes = 8 + checksumBytes;

const checksumOf = (atBytes: number, note: Uint8Array): Buffer =>
  createHash('sha256').update(`${atBytes}\n`).update(note).digest().subarray(0, checksumBytes);

/** Whether a blob that grows has passed a multiple of the lag, so that the note of the append has to be written. */
export const isNoteDue = ({ beforeBytes, atBytes }: { beforeBytes: number; atBytes: number }): boolean =>
  Math.floor(beforeBytes / noteLagBytes) !== Math.floor(atBytes / noteLagBytes);

/**
 * Stores the note of an append in a file beside the blob. The file is not synced: a checksum shows whether it is whole,
 * and without it the blob is read again. The bytes that it describes are synced before.
 */
export async function writeNote(blobPath: string, { atBytes, bytes: note }: BlobNote): Promise<void> {
  const header = Buffer.alloc(8);
  header.writeBigUInt64BE(BigInt(atBytes));
  // A note only saves time: the append has succeeded without it.
  await writeFile(notePath(blobPath), Buffer.concat([header, checksumOf(atBytes, note), note])).catch(() =>
    dropNote(blobPath),
  );
}

/** Returns the stored note of a blob, or null if there is none or it is damaged. */
export async function readNoteFile(blobPath: string): Promise<BlobNote | null> {
  let stored: Buffer;
  try {
    stored = await readFile(notePath(blobPath));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  if (stored.length < headerBytes || stored.length > headerBytes + maxNoteBytes) return null;
  const atBytes = Number(stored.readBigUInt64BE(0));
  const bytes = stored.subarray(headerBytes);
  if (!Number.isSafeInteger(atBytes)) return null;
  return checksumOf(atBytes, bytes).equals(stored.subarray(8, headerBytes)) ? { atBytes, bytes } : null;
}

/** Deletes the note of a blob. Returns whether there was one. */
export async function dropNote(blobPath: string): Promise<boolean> {
  try {
    await rm(notePath(blobPath));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
