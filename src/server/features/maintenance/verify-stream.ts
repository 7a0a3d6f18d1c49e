import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { second } from '#base/duration.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { SealedStream } from './verification-store.ts';

const pieceBytes = 1024 * 1024;

export interface VerifyOptions {
  /** Bytes a second at most, so that recording and playing do not wait for the disk; no limit when absent. */
  bytesPerSecond?: number;
  signal: AbortSignal;
}

/** `gone` where there is no file, `changed` where its length or its hash is not that of the receipt. */
export type StreamVerdict = 'intact' | 'gone' | 'changed';

const keyOf = ({ recording_id: recordingId, stream, segment_index: index }: SealedStream): string =>
  `recordings/${recordingId}/${stream}-${String(index).padStart(4, '0')}`;

/**
 * Reads one stored stream again and holds its SHA-256 against the receipt. Rejects when it cannot be read at
 * all, and when aborted.
 */
export async function verifyStream(
  blobs: BlobStore,
  stream: SealedStream,
  { bytesPerSecond = Number.POSITIVE_INFINITY, signal }: VerifyOptions,
): Promise<StreamVerdict> {
  const key = keyOf(stream);
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
