import type { UploadStream } from '#contract/uploads-api.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import { knownSegmentContainer } from '#server/storage/rows/known-values.ts';
import type { RemuxedContainer, UploadRow } from '#server/storage/database/schema.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { UploadsStore } from './uploads-store.ts';

/** One stream of one segment, as the rest of the server sees it. */
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
  /** Size of the file beside it that is played in its place; null where there is none (yet). */
  remuxedBytes: number | null;
  /** What that file is; null where there is none. */
  remuxedContainer: RemuxedContainer | null;
  /** The sound of all packets of a sealed Ogg segment at 48 kHz, once they were counted. */
  packetSamples: number | null;
  verifiedAtMs: number | null;
  damagedAtMs: number | null;
  /** When bytes last came. */
  changedAtMs: number;
}

const remuxedContainers: readonly RemuxedContainer[] = ['ogg', 'mp4', 'webm', 'wav'];

/**
 * What was made before there were others is Ogg; so is what a later version may have called otherwise, until
 * it is judged again.
 */
const remuxedContainerOf = (stored: string | null): RemuxedContainer =>
  remuxedContainers.find((known) => known === stored) ?? 'ogg';

export type StoredSegments = (recordingId: string) => Promise<StoredSegment[]>;

/** Reads a recording's segments in order; the size of one that still grows is its blob's. */
export function createStoredSegments({
  store,
  blobs,
}: {
  store: UploadsStore;
  blobs: BlobStore;
}): StoredSegments {
  return async (recordingId) => {
    const rows = await store.ofRecording(recordingId);
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
