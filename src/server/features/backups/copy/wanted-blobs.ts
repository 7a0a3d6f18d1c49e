import {
  madePeaksKeyOf,
  pyramidKeyOf,
  remuxedContainers,
  remuxedKeyOf,
} from '#server/storage/blobs/derived-keys.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Cell } from '#server/storage/tables/read-table.ts';

/** A blob that the tables of an installation name. */
export interface WantedBlob {
  ownerId: string;
  kind: 'upload' | 'recording';
  key: string;
  /**
   * `sealed`: never changes. `growing`: has any length. `made`: made by the server, of the given length. `optional`:
   * made by the server, unless the device sent it or nobody needed it yet.
   */
  of: 'sealed' | 'growing' | 'made' | 'optional';
  sizeBytes: number | null;
  sha256: string | null;
}

const numberOrNull = (cell: Cell | undefined): number | null =>
  cell === null || cell === undefined ? null : Number(cell);

function ofUpload(row: Record<string, Cell>): WantedBlob[] {
  const owner = { ownerId: row['id'] ?? '', kind: 'upload' } as const;
  const stream = row['stream'] === 'peaks' ? 'peaks' : 'audio';
  const index = Number(row['segment_index']);
  const blobKey = blobKeyOf({ recordingId: row['recording_id'] ?? '', stream, index });
  const isSealed = row['sealed_at'] !== null;
  const itself: WantedBlob = {
    ...owner,
    key: blobKey,
    of: isSealed ? 'sealed' : 'growing',
    sizeBytes: isSealed ? numberOrNull(row['size_bytes']) : null,
    sha256: isSealed ? (row['sha256'] ?? null) : null,
  };
  if (stream === 'peaks') return [itself];
  const remuxedBytes = numberOrNull(row['remuxed_bytes']);
  const container = remuxedContainers.find((known) => known === row['remuxed_container']) ?? 'ogg';
  const remuxed: WantedBlob[] =
    remuxedBytes === null
      ? []
      : [
          {
            ...owner,
            key: remuxedKeyOf(blobKey, container),
            of: 'made',
            sizeBytes: remuxedBytes,
            sha256: null,
          },
        ];
  const peaks: WantedBlob = {
    ...owner,
    key: madePeaksKeyOf({ blobKey }),
    of: 'optional',
    sizeBytes: null,
    sha256: null,
  };
  return [itself, ...remuxed, ...(isSealed ? [peaks] : [])];
}

function ofRecording(row: Record<string, Cell>): WantedBlob[] {
  const [id, finishedAtMs] = [row['id'] ?? '', numberOrNull(row['finished_at'])];
  if (finishedAtMs === null) return [];
  const key = pyramidKeyOf({ id, finished_at: finishedAtMs });
  return [{ ownerId: id, kind: 'recording', key, of: 'optional', sizeBytes: null, sha256: null }];
}

export type WantedBlobsOfRow = (row: Record<string, Cell>) => WantedBlob[];

/**
 * The tables whose rows name blobs, in the order in which their blobs are copied. Renditions of links are left out:
 * the server makes them again when they are requested.
 */
export const tablesWithBlobs: readonly (readonly [table: string, blobsOf: WantedBlobsOfRow])[] = [
  ['uploads', ofUpload],
  ['recordings', ofRecording],
];
