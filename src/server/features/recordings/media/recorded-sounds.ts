import { soundMsOf } from '#audio/ogg/joined-facts.ts';
import { second } from '#base/duration.ts';
import { ProblemError } from '#server/http/problem.ts';
import { startFfmpeg } from '#server/processes/ffmpeg/start-ffmpeg.ts';
import { placedSound } from '#server/processes/ffmpeg/placed-sound.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { SegmentSound } from '#server/transcribers/transcriber.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { openStoredFile } from './ffmpeg-input-of.ts';
import { type OggSegmentReader, oggFileOf } from './ogg-segment.ts';

/** The rate of the PCM of a recording's sound, which is mono with 16 bits. */
const pcmRateHz = 16_000;

/** Sound without gaps, at its place on the recording's timeline. */
export interface RecordedSound extends Pick<SegmentSound, 'startMs' | 'audio'> {
  endMs: number;
}

/**
 * Reads a recording's sound segment by segment, so that the times of later segments do not depend on gaps.
 * @throws ProblemError unreadable-audio (422) without readable sound, conversion-unavailable (409) without ffmpeg for
 * sound other than Opus
 */
export type RecordedSounds = (recording: { id: string; duration_ms: number }) => Promise<RecordedSound[]>;

interface RecordedSoundsDeps {
  blobs: BlobStore;
  storedSegments: StoredSegments;
  measure: OggSegmentReader;
  findFfmpeg: () => Promise<string | null>;
}

/** Decodes a stored file from a moment on. ffmpeg decodes what is before it too, because not every file has an index. */
async function* pcmOf(
  { blobs, program }: { blobs: BlobStore; program: string },
  { segment, endMs }: { segment: StoredSegment; endMs: number },
  { fromMs, signal }: { fromMs: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array, void> {
  const { input, release } = await openStoredFile(blobs, { blobKey: segment.blobKey });
  const ffmpeg = startFfmpeg(
    program,
    {
      input,
      output: [
        '-map',
        '0:a:0',
        '-af',
        placedSound({ latestMs: endMs, sampleRateHz: pcmRateHz }),
        '-ac',
        '1',
        '-ss',
        String(Math.max(0, fromMs - segment.startMs) / second),
        '-c:a',
        'pcm_s16le',
        '-f',
        's16le',
      ],
    },
    signal,
  );
  try {
    for await (const piece of ffmpeg.stdout) yield piece as Uint8Array;
    await ffmpeg.ended;
    const failure = ffmpeg.inputError();
    if (failure !== null) throw failure;
  } finally {
    ffmpeg.kill();
    await release();
  }
}

/** Creates the reader of recordings' sound. */
export function createRecordedSounds({
  blobs,
  storedSegments,
  measure,
  findFfmpeg,
}: RecordedSoundsDeps): RecordedSounds {
  async function soundOf(segment: StoredSegment, durationMs: number): Promise<RecordedSound | null> {
    const { startMs } = segment;
    const file = oggFileOf(segment);
    const facts = file === null ? null : await measure(segment);
    if (file !== null && facts !== null)
      return {
        startMs,
        endMs: startMs + soundMsOf(facts),
        audio: {
          kind: 'ogg',
          sizeBytes: file.sizeBytes,
          read: (startByte, endByteExclusive) => blobs.read(file.blobKey, { startByte, endByteExclusive }),
        },
      };
    if (segment.sizeBytes === 0 || durationMs <= startMs) return null;
    const program = await findFfmpeg();
    if (program === null) throw new ProblemError('conversion-unavailable');
    return {
      startMs,
      endMs: durationMs,
      audio: {
        kind: 'pcm',
        open: (fromMs, signal) =>
          pcmOf({ blobs, program }, { segment, endMs: durationMs }, { fromMs, signal }),
      },
    };
  }

  return async ({ id, duration_ms: durationMs }) => {
    const segments = (await storedSegments(id)).filter(({ stream }) => stream === 'audio');
    const sounds: RecordedSound[] = [];
    for (const [index, segment] of segments.entries()) {
      const sound = await soundOf(segment, segments[index + 1]?.startMs ?? durationMs);
      if (sound !== null && sound.endMs > sound.startMs) sounds.push(sound);
    }
    if (sounds.length === 0) throw new ProblemError('unreadable-audio');
    return sounds;
  };
}
