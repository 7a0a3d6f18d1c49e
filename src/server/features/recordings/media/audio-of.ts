import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { layOutWindow } from '#audio/ogg/cut-segment.ts';
import { joinedBytes, type ReadSegment } from '#audio/ogg/joined-bytes.ts';
import type { ReadBytes } from '#audio/ogg/joined-facts.ts';
import {
  emptyLayout,
  type JoinableSegment,
  type JoinedLayout,
  layOut,
  timelineEndMs,
} from '#audio/ogg/joined-layout.ts';
import { audioSectionWindow } from '#contract/audio-sections.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import { blobSource } from './blob-source.ts';
import type { EtagOf } from './etags.ts';
import { type OggFile, oggFileOf, type OggSegmentReader } from './ogg-segment.ts';
import { namedGapsOf } from './named-gaps.ts';

/** A timeline as one Ogg/Opus stream, and the files that its bytes come from. */
export interface RecordingAudio {
  layout: JoinedLayout;
  files: readonly (OggFile | null)[];
}

/**
 * The segments that can be laid out now. A running take ends with the first segment that can still grow, so that
 * bytes already served never change.
 */
function settled(
  recording: Pick<RecordingRow, 'state'>,
  segments: readonly StoredSegment[],
): StoredSegment[] {
  const audio = segments.filter(({ stream }) => stream === 'audio');
  const open = isUnfinished(recording) ? audio.findIndex(({ sealedAtMs }) => sealedAtMs === null) : -1;
  return open < 0 ? audio : audio.slice(0, open + 1);
}

/** The segments of a recording that can be laid out, and their files. */
export interface AudioTimeline {
  segments: JoinableSegment[];
  stored: readonly StoredSegment[];
  files: readonly (OggFile | null)[];
  isEnded: boolean;
  endMs: number;
}

/** Reads the facts of the segments that can be laid out now. */
export async function audioTimelineOf(
  recording: Pick<RecordingRow, 'state' | 'gaps' | 'duration_ms'>,
  segments: readonly StoredSegment[],
  measure: OggSegmentReader,
): Promise<AudioTimeline> {
  const audio = settled(recording, segments);
  const joinable = await Promise.all(
    audio.map(async (segment) => ({ startMs: segment.startMs, facts: await measure(segment) })),
  );
  const endMs = Math.max(
    0,
    ...namedGapsOf(recording).map(({ atMs, durationMs }) =>
      Math.min(atMs + durationMs, recording.duration_ms),
    ),
  );
  return {
    segments: joinable,
    stored: audio,
    files: audio.map(oggFileOf),
    isEnded: !isUnfinished(recording),
    endMs,
  };
}

/** Lays out a recording's audio: its segments joined, with silence in the gaps. No audio is stored twice. */
export async function audioOf(
  recording: Pick<RecordingRow, 'state' | 'gaps' | 'duration_ms'>,
  stored: readonly StoredSegment[],
  measure: OggSegmentReader,
): Promise<RecordingAudio> {
  const { segments, files, isEnded, endMs } = await audioTimelineOf(recording, stored, measure);
  return { layout: layOut(segments, { isEnded, endMs }), files };
}

/** Reads ranges of a segment's Ogg file. */
export const readOggFile =
  (blobs: BlobStore, file: OggFile | null | undefined): ReadBytes =>
  async (startByte, endByteExclusive) => {
    if (!file) throw new RangeError('the segment has no Ogg file');
    return blobs.read(file.blobKey, { startByte, endByteExclusive });
  };

/**
 * Lays out one section of a recording's audio as a separate stream that starts at time 0. A section after the end
 * is empty.
 */
export async function audioSectionOf(
  blobs: BlobStore,
  recording: RecordingRow,
  {
    stored,
    measure,
    section,
  }: { stored: readonly StoredSegment[]; measure: OggSegmentReader; section: number },
): Promise<RecordingAudio> {
  const { segments, files, isEnded, endMs } = await audioTimelineOf(recording, stored, measure);
  const window = audioSectionWindow(section, {
    durationMs: timelineEndMs(segments, endMs),
    isEnded,
  });
  if (window === null) return { layout: emptyLayout, files };
  return {
    layout: await layOutWindow(segments, (segment) => readOggFile(blobs, files[segment]), {
      window,
      isEnded,
      endMs,
    }),
    files,
  };
}

/** A hash of the layout. Stored bytes never change, so layouts with different bytes have different hashes. */
function fingerprint({ items }: JoinedLayout): string {
  const named = items.map((item) => {
    if (item.kind === 'silence') return item.silence;
    if (item.kind === 'page') return [item.sizeBytes, item.page.granulePosition];
    return item.kind === 'headers'
      ? [item.segment, item.sizeBytes, item.preSkip]
      : [item.segment, item.sizeBytes, item.run.fromByte, item.shift];
  });
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url').slice(0, 16);
}

/** A joined Ogg stream as a source with random access. */
export const joinedSource = (layout: JoinedLayout, read: ReadSegment, etag: string): ByteSource => ({
  sizeBytes: layout.sizeBytes,
  etag,
  mediaType: 'audio/ogg; codecs=opus',
  async read(range) {
    const pieces: Uint8Array[] = [];
    for await (const piece of joinedBytes(layout, read, range)) pieces.push(piece);
    return Buffer.concat(pieces);
  },
  stream: (range) => Readable.from(joinedBytes(layout, read, range), { objectMode: false }),
});

/** A recording's audio as a source with random access. */
export const audioSource = (
  blobs: BlobStore,
  etagOf: EtagOf,
  { layout, files }: RecordingAudio,
): ByteSource =>
  joinedSource(
    layout,
    (segment, startByte, endByteExclusive) => readOggFile(blobs, files[segment])(startByte, endByteExclusive),
    etagOf(`${layout.sizeBytes}-${fingerprint(layout)}`),
  );

/**
 * The original bytes of a recording's only segment if no playable file could be made of it, or an empty one. Some
 * browsers may still play it.
 */
export function originalSource(
  blobs: BlobStore,
  etagOf: EtagOf,
  segments: readonly StoredSegment[],
): ByteSource | null {
  const [only, another] = segments.filter(({ stream }) => stream === 'audio');
  if (!only || another || only.container === 'ogg' || (only.remuxedBytes ?? 0) > 0) return null;
  const { blobKey, sizeBytes, container } = only;
  return blobSource(blobs, {
    blobKey,
    sizeBytes,
    etag: etagOf(`${sizeBytes}-original`),
    mediaType: `audio/${container}`,
  });
}
