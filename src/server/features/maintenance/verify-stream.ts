import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { second } from '#base/duration.ts';
import { type BlobStore, isDamagedBlob } from '#server/storage/blobs/blob-store.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { SealedStream } from './verification-store.ts';

const pieceBytes = 1024 * 1024;

export interface VerifyOptions {
  /** The maximum read rate, so that recording and playback don't wait for the disk; unlimited if absent. */
  bytesPerSecond?: number;
  signal: AbortSignal;
}

/** `gone`: the file, or a part of it, is missing or cannot be read; `changed`: its length or hash differs from the receipt. */
export type StreamVerdict = 'intact' | 'gone' | 'changed';

/**
 * Reads one stored stream again and compares its SHA-256 with the receipt. Rejects while the store does not respond,
 * and when aborted.
 */
export async function verifyStream(
  blobs: BlobStore,
  stream: SealedStream,
  options: VerifyOptions,
): Promise<StreamVerdict> {
  try {
    return await readAgain(blobs, stream, options);
  } catch (error) {
    // One damaged file must not end the verification of the others.
    if (isDamagedBlob(error)) return 'gone';
    throw error;
  }
}

async function readAgain(
  blobs: BlobStore,
  stream: SealedStream,
  { bytesPerSecond = Number.POSITIVE_INFINITY, signal }: VerifyOptions,
): Promise<StreamVerdict> {
  const key = blobKeyOf({
    recordingId: stream.recording_id,
    stream: stream.stream,
    index: stream.segment_index,
  });
  const head = await blobs.head(key);
  if (head === null) return 'gone';
  if (head.sizeBytes !== stream.size_bytes) return 'changed';
  const hash = createHash('sha256');
  for (let startByte = 0; startByte < head.sizeBytes; startByte += pieceBytes) {
    signal.throwIfAborted();
    const bytes = await blobs.read(key, { startByte, endByteExclusive: startByte + pieceBytes });
    hash.update(bytes);
    if (Number.isFinite(bytesPerSecond))
      await wait((bytes.length / bytesPerSecond) * second, undefined, { signal });
  }
  return hash.digest('hex') === stream.sha256 ? 'intact' : 'changed';
}
