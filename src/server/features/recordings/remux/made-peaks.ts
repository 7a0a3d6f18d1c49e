import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/**
 * Where the peaks lie that the server made of a segment's sound: beside the device's own, whose receipt stays
 * true.
 */
const madePeaksKeyOf = ({ blobKey }: StoredSegment): string => `${blobKey}-peaks`;

/** A blob that is written from its beginning, whatever an earlier attempt left there. */
export interface RewrittenBlob {
  append: (bytes: Uint8Array) => Promise<void>;
  sizeBytes: () => number;
}

/** Begins to write a blob again. */
export async function rewriting(blobs: BlobStore, key: string): Promise<RewrittenBlob> {
  await blobs.remove(key);
  await blobs.create(key);
  let offsetBytes = 0;
  return {
    append: async (bytes) => {
      offsetBytes = await blobs.append(key, { offsetBytes, bytes });
    },
    sizeBytes: () => offsetBytes,
  };
}

/**
 * Peaks on their way to the disk, under a key that nobody reads until `finish`; `discard` them in every case.
 */
export interface UnfinishedPeaks {
  append: (bytes: Uint8Array) => Promise<void>;
  finish: () => Promise<void>;
  discard: () => Promise<void>;
}

/** Begins to make peaks of a segment; memory does not grow with its length. */
export async function unfinishedPeaks(blobs: BlobStore, segment: StoredSegment): Promise<UnfinishedPeaks> {
  const key = `${madePeaksKeyOf(segment)}-unfinished`;
  const { append } = await rewriting(blobs, key);
  return { append, finish: () => blobs.move(key, madePeaksKeyOf(segment)), discard: () => blobs.remove(key) };
}

/** Whether the device sent peaks with the sound of this segment. */
export function hasOwnPeaks(audio: StoredSegment, segments: readonly StoredSegment[]): boolean {
  return segments.some(
    ({ stream, index, sizeBytes }) => stream === 'peaks' && index === audio.index && sizeBytes > 0,
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
 * The segments with the peaks that the server made in the place of those that the device did not send.
 * @param prefersMade in the place of the device's as well
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
  const kept = segments.filter(({ stream, index }) => stream !== 'peaks' || !replaced.has(index));
  return [...kept, ...made].sort((a, b) => a.index - b.index);
}
