import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { madePeaksKeyOf, unfinishedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { rewriting } from '#server/storage/blobs/rewriting.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/** Peaks that are being written to a temporary key until `finish`. Always call `discard` afterwards. */
export interface UnfinishedPeaks {
  append: (bytes: Uint8Array) => Promise<void>;
  /** Forgets what was appended. */
  restart: () => Promise<void>;
  finish: () => Promise<void>;
  discard: () => Promise<void>;
}

/** Starts to make peaks of a segment in constant memory. */
export async function unfinishedPeaks(
  blobs: BlobStore,
  segment: StoredSegment,
  writer?: string,
): Promise<UnfinishedPeaks> {
  const key = unfinishedKeyOf(madePeaksKeyOf(segment), writer);
  let file = await rewriting(blobs, key);
  return {
    append: (bytes) => file.append(bytes),
    async restart() {
      file = await rewriting(blobs, key);
    },
    finish: () => blobs.move(key, madePeaksKeyOf(segment)),
    discard: () => blobs.remove(key),
  };
}

/**
 * Whether the device sent peaks with this segment's sound. Those of an import must be sealed: a device that
 * continues the import of another one cannot continue its peaks.
 */
export function hasOwnPeaks(audio: StoredSegment, segments: readonly StoredSegment[]): boolean {
  return segments.some(
    ({ stream, index, sizeBytes, sealedAtMs }) =>
      stream === 'peaks' &&
      index === audio.index &&
      sizeBytes > 0 &&
      (audio.container !== 'original' || sealedAtMs !== null),
  );
}

async function madePeaksOf(blobs: BlobStore, audio: StoredSegment): Promise<StoredSegment | null> {
  const blobKey = madePeaksKeyOf(audio);
  const head = await blobs.head(blobKey);
  return (
    head && {
      ...audio,
      stream: 'peaks',
      blobKey,
      sizeBytes: head.sizeBytes,
      sha256: null,
      changedAtMs: head.changedAtMs,
    }
  );
}

/**
 * Returns the segments with the server's peaks in place of those that the device did not send.
 * @param prefersMade whether they replace the device's peaks as well
 */
export async function withMadePeaks(
  blobs: BlobStore,
  segments: readonly StoredSegment[],
  { prefersMade = false } = {},
): Promise<StoredSegment[]> {
  const lacking = segments.filter(
    (each) =>
      each.stream === 'audio' && each.sealedAtMs !== null && (prefersMade || !hasOwnPeaks(each, segments)),
  );
  const made = (await Promise.all(lacking.map((audio) => madePeaksOf(blobs, audio)))).filter(
    (peaks) => peaks !== null,
  );
  const replaced = new Set(made.map(({ index }) => index));
  const retained = segments.filter(({ stream, index }) => stream !== 'peaks' || !replaced.has(index));
  return [...retained, ...made].sort((a, b) => a.index - b.index);
}
