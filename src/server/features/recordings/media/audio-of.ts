import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { joinedBytes, type ReadSegment } from '#audio/ogg/joined-bytes.ts';
import { type JoinedLayout, layOut } from '#audio/ogg/joined-layout.ts';
import type { ByteSource } from '../../../http/send-bytes.ts';
import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { RecordingRow } from '../../../storage/database/schema.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import { blobSource } from './blob-source.ts';
import { type OggFile, oggFileOf, type OggSegmentReader } from './ogg-segment.ts';
import { namedGapsOf } from './named-gaps.ts';

/** One timeline as one Ogg/Opus stream, and the files that it is computed from. */
export interface RecordingAudio { layout: JoinedLayout; files: readonly (OggFile | null)[] }

const isOver = ({ state }: RecordingRow): boolean => state !== 'receiving' && state !== 'abandoned';

/** What may be laid out now: of a take that still runs nothing behind a segment that may still grow, so that no byte given out ever changes. */
function settled(recording: RecordingRow, segments: readonly StoredSegment[]): StoredSegment[] {
  const audio = segments.filter(({ stream }) => stream === 'audio');
  const open = isOver(recording) ? -1 : audio.findIndex(({ sealedAtMs }) => sealedAtMs === null);
  return open < 0 ? audio : audio.slice(0, open + 1);
}

/** Lays out a recording's audio: its segments joined, silence in the gaps; nothing is stored twice. */
export async function audioOf(recording: RecordingRow, segments: readonly StoredSegment[], measure: OggSegmentReader): Promise<RecordingAudio> {
  const audio = settled(recording, segments);
  const joinable = await Promise.all(audio.map(async (segment) => ({ startMs: segment.startMs, facts: await measure(segment) })));
  const endMs = Math.max(0, ...namedGapsOf(recording).map(({ atMs, durationMs }) => Math.min(atMs + durationMs, recording.duration_ms)));
  return { layout: layOut(joinable, { isEnded: isOver(recording), endMs }), files: audio.map(oggFileOf) };
}

/** Names a layout: two that differ in any byte differ in it, since what lies in a file never changes. */
function fingerprint({ items }: JoinedLayout): string {
  const told = items.map((item) => (item.kind === 'silence' ? item.silence : [item.segment, item.sizeBytes, item.facts.sizeBytes, item.shift]));
  return createHash('sha256').update(JSON.stringify(told)).digest('base64url').slice(0, 16);
}

/** A recording's audio as bytes that can be read from anywhere. */
export function audioSource(blobs: BlobStore, recording: RecordingRow, { layout, files }: RecordingAudio): ByteSource {
  const read: ReadSegment = async (segment, startByte, endByteExclusive) => {
    const file = files[segment];
    if (!file) throw new RangeError(`segment ${segment} has no Ogg file`);
    return blobs.read(file.blobKey, { startByte, endByteExclusive });
  };
  return {
    sizeBytes: layout.sizeBytes, etag: `"${recording.id}-${layout.sizeBytes}-${fingerprint(layout)}"`, mediaType: 'audio/ogg; codecs=opus',
    async read(range) {
      const pieces: Uint8Array[] = [];
      for await (const piece of joinedBytes(layout, read, range)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    stream: (range) => Readable.from(joinedBytes(layout, read, range), { objectMode: false }),
  };
}

/** The only segment of a recording as it came, where nothing playable could be made of it: better than nothing at all. */
export function originalSource(blobs: BlobStore, recording: RecordingRow, segments: readonly StoredSegment[]): ByteSource | null {
  const [only, another] = segments.filter(({ stream }) => stream === 'audio');
  if (!only || another || only.container === 'ogg' || only.remuxedBytes !== null) return null;
  const { blobKey, sizeBytes, container } = only;
  return blobSource(blobs, { blobKey, sizeBytes, etag: `"${recording.id}-${sizeBytes}-original"`, mediaType: `audio/${container}` });
}
