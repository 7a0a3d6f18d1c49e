import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { withMadePeaks } from '#server/features/recordings/remux/made-peaks.ts';
import type { ImportTask } from './prepared-import.ts';
import type { Probed } from './probe-file.ts';

/**
 * The segments of an import with its prepared file and the peaks that were made.
 * @param options.prefersMade whether the server's peaks replace the device's own
 */
export const withPlayedFile = (
  blobs: BlobStore,
  { segments, file }: { segments: ImportTask['segments']; file: StoredSegment },
  options?: { prefersMade: boolean },
): Promise<StoredSegment[]> =>
  withMadePeaks(
    blobs,
    segments.map((each) => (each.uploadId === file.uploadId ? file : each)),
    options,
  );

/** ffmpeg's name for the container of a file, if known. */
export function playedDemuxerOf(probed: Probed): { demuxer?: string } {
  if (probed.kind === 'foreign')
    return probed.container.demuxer === undefined ? {} : { demuxer: probed.container.demuxer };
  return probed.kind === 'sound' && (probed.format.container === 'mp4' || probed.isQuickTime)
    ? { demuxer: 'mov' }
    : {};
}
