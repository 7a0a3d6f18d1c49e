import { endingOf } from '#base/file-name.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { RecordingWithCounts } from '#server/features/recordings/recordings-store.ts';
import { blobSource } from './blob-source.ts';
import type { EtagOf, ServedRecording } from './etags.ts';
import { remuxedKeyOf } from '#server/storage/blobs/derived-keys.ts';

/**
 * By the detected container, never by the device's media type, because an uploaded HTML page must not open on our
 * origin.
 */
const mediaTypes: Record<RecordingRow['container'], string> = {
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  mp4: 'audio/mp4',
  matroska: 'audio/matroska',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  adts: 'audio/aac',
  aiff: 'audio/aiff',
  caf: 'audio/x-caf',
  other: 'application/octet-stream',
};

/** The imported file, bit for bit. Null until its first byte has arrived. */
export function importedSource(
  blobs: BlobStore,
  { recording, etagOf }: ServedRecording,
  segments: readonly StoredSegment[],
): ByteSource | null {
  const file = segments.find(({ stream }) => stream === 'audio');
  if (!file || file.sizeBytes === 0) return null;
  const { blobKey, sizeBytes } = file;
  return blobSource(blobs, {
    blobKey,
    sizeBytes,
    etag: etagOf(`${sizeBytes}-original`),
    mediaType: mediaTypes[recording.container],
  });
}

/** The names of ffmpeg's demuxers. */
const demuxers = { mp4: 'mov', webm: 'matroska', wav: 'wav' } as const;
const copyTypes = {
  mp4: { mediaType: 'audio/mp4', extension: '.m4a' },
  webm: { mediaType: 'audio/webm', extension: '.webm' },
  wav: { mediaType: 'audio/wav', extension: '.wav' },
} as const;

/** The copy that is played in place of an import, and its file extension. Null if there is no copy or it is Ogg. */
export function copySource(
  blobs: BlobStore,
  etagOf: EtagOf,
  segments: readonly StoredSegment[],
): { source: ByteSource; blobKey: string; extension: string; demuxer: string } | null {
  const file = segments.find(({ stream }) => stream === 'audio');
  if (
    !file ||
    file.remuxedBytes === null ||
    file.remuxedContainer === null ||
    file.remuxedContainer === 'ogg'
  )
    return null;
  const { mediaType, extension } = copyTypes[file.remuxedContainer];
  const blobKey = remuxedKeyOf(file.blobKey, file.remuxedContainer);
  const source = blobSource(blobs, {
    blobKey,
    sizeBytes: file.remuxedBytes,
    etag: etagOf(`${file.remuxedBytes}-${file.remuxedContainer}`),
    mediaType,
  });
  return { source, blobKey, extension, demuxer: demuxers[file.remuxedContainer] };
}

/**
 * The source that browsers play for an import without rendition: the file itself, or null before its first byte.
 * @throws unreadable-audio (422) if the file has no readable sound
 */
export function playableImport(
  blobs: BlobStore,
  served: ServedRecording,
  segments: readonly StoredSegment[],
): ByteSource | null {
  const { recording } = served;
  if (recording.state !== 'failed' || recording.failure_reason === null)
    return importedSource(blobs, served, segments);
  throw new ProblemError('unreadable-audio', {
    errors: [{ pointer: '/file', code: 'unreadable-audio', params: { reason: recording.failure_reason } }],
  });
}

/** ffmpeg's name for the container of the imported file, if only one demuxer reads it. */
export const demuxerOf = ({ container }: Pick<RecordingRow, 'container'>): { demuxer?: string } =>
  container === 'mp4' ? { demuxer: 'mov' } : {};

/** The file extension with its dot, such as `.mp3`; `.opus` for takes; empty if the file's name has none. */
export const extensionOf = ({ file_name: fileName }: RecordingWithCounts): string =>
  fileName === null ? '.opus' : endingOf(fileName);
