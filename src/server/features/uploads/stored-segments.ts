import type { UploadStream } from '#contract/uploads-api.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { knownSegmentContainer } from '#server/storage/rows/known-values.ts';
import type { RemuxedContainer, UploadRow } from '#server/storage/database/schema.ts';
import { remuxedContainers } from '#server/storage/blobs/derived-keys.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { UploadsStore } from './uploads-store.ts';

/** One stream of one segment, as other features see it. */
export interface StoredSegment {
  uploadId: string;
  stream: UploadStream;
  index: number;
  startMs: number;
  blobKey: string;
  sizeBytes: number;
  sha256: string | null;
  sealedAtMs: number | null;
  container: UploadRow['container'];
  /** The size of the file that is played in its place; null if there is none (yet). */
  remuxedBytes: number | null;
  /** The container of that file; null if there is none. */
  remuxedContainer: RemuxedContainer | null;
  /** The total samples of a sealed Ogg segment's packets at 48 kHz; null until counted. */
  packetSamples: number | null;
  verifiedAtMs: number | null;
  damagedAtMs: number | null;
  /** When bytes last arrived. */
  changedAtMs: number;
}

/**
 * Files made by older versions are Ogg. A container from a later version is treated as Ogg until the import is
 * judged again.
 */
const remuxedContainerOf = (stored: string | null): RemuxedContainer =>
  remuxedContainers.find((known) => known === stored) ?? 'ogg';

/** `within`: a transaction to read in. */
export type StoredSegments = (recordingId: string, within?: Queries) => Promise<StoredSegment[]>;

/** Reads a recording's segments in order. The size of a growing segment is that of its blob. */
export function createStoredSegments({
  store,
  blobs,
}: {
  store: UploadsStore;
  blobs: BlobStore;
}): StoredSegments {
  return async (recordingId, within) => {
    const rows = await store.ofRecording(recordingId, within);
    return mapInBatches(rows, async (row) => {
      const blobKey = blobKeyOf({ recordingId, stream: row.stream, index: row.segment_index });
      const head = row.sealed_at === null ? await blobs.head(blobKey) : null;
      return {
        uploadId: row.id,
        stream: row.stream,
        index: row.segment_index,
        startMs: row.start_ms,
        blobKey,
        sizeBytes: row.size_bytes ?? head?.sizeBytes ?? 0,
        sha256: row.sha256,
        sealedAtMs: row.sealed_at,
        container: knownSegmentContainer(row.container),
        remuxedBytes: row.remuxed_bytes,
        remuxedContainer: row.remuxed_bytes === null ? null : remuxedContainerOf(row.remuxed_container),
        packetSamples: row.packet_samples,
        verifiedAtMs: row.verified_at,
        damagedAtMs: row.damaged_at,
        changedAtMs: head?.changedAtMs ?? row.sealed_at ?? row.created_at,
      };
    });
  };
}
