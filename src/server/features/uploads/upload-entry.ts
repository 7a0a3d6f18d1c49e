import { second } from '#base/duration.ts';
import { instantBounds } from '#base/instant.ts';
import { maxSoundMsOf, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { maxPeaksBytes, peaksFormat } from '#contract/limits.ts';
import { maxEpoch, type UploadStream } from '#contract/uploads-api.ts';
import { RunningHash } from './running-hash.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { RecordingRow, UploadRow } from '#server/storage/database/schema.ts';

export interface Seal {
  lengthBytes: number;
  sha256: string;
  atMs: number;
}

/**
 * The cached state of an upload, so that an append needs no database query and a receipt needs no reading of
 * files. Where several processes write, it is a guess: nothing is refused before it was read again.
 */
export interface UploadEntry {
  readonly id: string;
  readonly recordingId: string;
  readonly ownerId: string;
  readonly stream: UploadStream;
  readonly index: number;
  readonly key: string;
  readonly container: UploadRow['container'];
  /**
   * The maximum size: that of the longest take's peaks, or the announced size of an imported file; null for a
   * take's sound.
   */
  readonly maxBytes: number | null;
  /** The limits of the recording, for all of its uploads together. */
  readonly allowance: {
    isTake: boolean;
    announcedBytes: number | null;
    beganAtMs: number;
    registeredAtMs: number | null;
  };
  recordingState: RecordingRow['state'];
  epoch: number;
  sizeBytes: number;
  /** The hash of all bytes so far. */
  hash: RunningHash;
  seal: Seal | null;
}

export type UploadWithRecording = UploadRow & {
  owner_id: string;
  recording_state: UploadEntry['recordingState'];
  file_size_bytes: number | null;
  source: 'microphone' | 'import';
  began_at: number;
  registered_at: number;
  announced_bytes: number | null;
};

function sealOf(row: Pick<UploadRow, 'size_bytes' | 'sha256' | 'sealed_at'>): Seal | null {
  if (row.sealed_at === null || row.size_bytes === null || row.sha256 === null) return null;
  return { lengthBytes: row.size_bytes, sha256: row.sha256, atMs: row.sealed_at };
}

const peaksBytesOf = (durationMs: number): number =>
  Math.ceil(durationMs / second) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint;

function maxBytesOf({
  stream,
  container,
  file_size_bytes: announcedBytes,
}: UploadWithRecording): number | null {
  // Limits the peaks of an import to the sound that a file of its size can hold.
  if (stream === 'peaks')
    return announcedBytes === null
      ? maxPeaksBytes
      : Math.min(maxPeaksBytes, peaksBytesOf(maxSoundMsOf(announcedBytes) + second));
  return container === 'original' ? announcedBytes : null;
}

/** Creates an entry from a row, before its bytes have been examined. */
export function entryOf(row: UploadWithRecording): UploadEntry {
  const {
    id,
    recording_id: recordingId,
    owner_id: ownerId,
    stream,
    segment_index: index,
    epoch,
    container,
    recording_state: recordingState,
  } = row;
  const seal = sealOf(row);
  return {
    // An unreadable epoch counts as zero, so that the next writer takes the upload over.
    id,
    recordingId,
    ownerId,
    stream,
    index,
    epoch: wholeNumberWithin(epoch, { max: maxEpoch }) ?? 0,
    container,
    recordingState,
    seal,
    maxBytes: maxBytesOf(row),
    allowance: {
      isTake: row.source === 'microphone' && row.announced_bytes === null,
      announcedBytes: row.announced_bytes,
      beganAtMs: wholeNumberWithin(row.began_at, instantBounds) ?? 0,
      registeredAtMs: wholeNumberWithin(row.registered_at, instantBounds),
    },
    key: blobKeyOf({ recordingId, stream, index }),
    sizeBytes: seal?.lengthBytes ?? 0,
    hash: new RunningHash(),
  };
}
