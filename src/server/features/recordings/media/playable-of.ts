import { ProblemError } from '#server/http/problem.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { audioOf, audioSectionOf, audioSource, originalSource } from './audio-of.ts';
import type { ServedRecording } from './etags.ts';
import type { OggSegmentReader } from './ogg-segment.ts';
import { copySource, demuxerOf, extensionOf, playableImport } from './original-of.ts';

/** The bytes that browsers play for a recording. `extension` is the file extension with its dot. */
export interface Playable {
  source: ByteSource;
  extension: string;
  /** The stored file with these bytes; null if they are joined while being read. */
  blobKey: string | null;
  /** ffmpeg's name for the container of that file, if known. */
  demuxer?: string;
}

export interface PlayableDeps {
  blobs: BlobStore;
  storedSegments: StoredSegments;
  measure: OggSegmentReader;
}

/**
 * Determines the bytes that browsers play for a recording.
 * @throws unreadable-audio (422) for an import without readable sound
 */
export async function playableOf(
  { blobs, measure }: PlayableDeps,
  served: ServedRecording,
  segments: readonly StoredSegment[],
): Promise<Playable> {
  const { recording, etagOf } = served;
  const audio = await audioOf(recording, segments, measure);
  const joined = { source: audioSource(blobs, etagOf, audio), extension: '.opus', blobKey: null };
  const stored = segments.find(({ stream }) => stream === 'audio')?.blobKey ?? null;
  if (audio.layout.sizeBytes > 0) return joined;
  if (recording.source === 'import') {
    const copy = copySource(blobs, etagOf, segments);
    if (copy !== null) return copy;
    const file = playableImport(blobs, served, segments);
    return file === null
      ? { ...joined, extension: extensionOf(recording) }
      : { source: file, extension: extensionOf(recording), blobKey: stored, ...demuxerOf(recording) };
  }
  const original = originalSource(blobs, etagOf, segments);
  return original === null
    ? joined
    : { source: original, extension: `.${original.mediaType.slice('audio/'.length)}`, blobKey: stored };
}

/**
 * One section of a recording's audio.
 * @throws not-found (404) after the last section, or if the audio is not joined
 */
export async function playableSection(
  { blobs, measure, storedSegments }: PlayableDeps,
  { recording, etagOf }: ServedRecording,
  section: number,
): Promise<ByteSource> {
  const audio = await audioSectionOf(blobs, recording, {
    stored: await storedSegments(recording.id),
    measure,
    section,
  });
  if (audio.layout.sizeBytes === 0) throw new ProblemError('not-found');
  return audioSource(blobs, etagOf, audio);
}
