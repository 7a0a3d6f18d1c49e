import { Readable } from 'node:stream';
import type { Range } from '#server/http/byte-range.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { AccountExportRow } from '#server/storage/database/schema.ts';
import { type PlacedEntry, zipBytes, type ZipPlan } from '#server/features/exports/zip/zip-bytes.ts';
import { contentOf, entriesAfter, type PlannedEntry, positionAt } from './export-store.ts';

interface Entry extends PlacedEntry {
  position: number;
  blobKey: string | null;
}

const entryOf = (row: PlannedEntry): Entry => ({
  path: row.path,
  sizeBytes: row.size_bytes,
  crc32: row.crc32,
  offsetBytes: row.offset_bytes,
  directoryBytes: row.directory_bytes,
  position: row.position,
  blobKey: row.blob_key,
});

function planOf(
  { queries, blobs }: { queries: Queries; blobs: BlobStore },
  row: AccountExportRow,
): ZipPlan<Entry> {
  async function* entries(column: 'offset_bytes' | 'directory_bytes', bytes: number): AsyncGenerator<Entry> {
    for await (const entry of entriesAfter(
      queries,
      row.id,
      await positionAt(queries, row.id, { column, bytes }),
    ))
      yield entryOf(entry);
  }
  return {
    entryCount: row.entry_count,
    directoryOffset: row.directory_offset,
    directorySize: row.directory_size,
    entriesFrom: (bytes) => entries('offset_bytes', bytes),
    recordsFrom: (bytes) => entries('directory_bytes', bytes),
    async *read({ blobKey, position }, range) {
      if (blobKey === null) {
        const bytes = Buffer.from(await contentOf(queries, row.id, position));
        yield bytes.subarray(range.startByte, range.endByteExclusive);
      } else yield* blobs.stream(blobKey, range);
    },
  };
}

/** An account's ZIP file as a source with random access. Its bytes are not stored but computed, and never change. */
export function accountSource(
  stores: { queries: Queries; blobs: BlobStore },
  row: AccountExportRow,
): ByteSource {
  const plan = planOf(stores, row);
  return {
    sizeBytes: row.size_bytes,
    etag: `"${row.id}-${row.created_at}"`,
    mediaType: 'application/zip',
    async read(range: Range) {
      const pieces: Uint8Array[] = [];
      for await (const piece of zipBytes(plan, range)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    stream: (range) => Readable.from(zipBytes(plan, range), { objectMode: false }),
  };
}
