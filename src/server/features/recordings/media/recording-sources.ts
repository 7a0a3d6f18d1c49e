import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Principal } from '#server/http/principal.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { type CallerDeps, callerRecording } from '#server/features/recordings/caller-recording.ts';
import type { RecordingWithCounts } from '#server/features/recordings/recordings-store.ts';
import { etagsOfRecording } from './etags.ts';
import { demuxerOf, extensionOf, importedSource } from './original-of.ts';
import { openStoredFile } from './ffmpeg-input-of.ts';
import { type Playable, type PlayableDeps, playableOf } from './playable-of.ts';

/** A recording and its sound, for features that convert or export it. */
export interface RecordingSource {
  recording: RecordingWithCounts;
  /**
   * Opens the sound that browsers play for ffmpeg. The caller must release it.
   * @throws unreadable-audio (422) if there is no readable sound
   */
  openSound: () => Promise<OpenFfmpegInput>;
  /**
   * Opens the imported file itself for ffmpeg if browsers play a lossy copy of it. Null if what they play has the
   * same quality.
   */
  openEncodedOriginal: (() => Promise<OpenFfmpegInput>) | null;
  /** Its waveform as this server has measured it; null if it has not. */
  waveform: () => Promise<PointSource | null>;
  /** The uploaded bytes: the imported file, or the audio of a take. */
  original: ByteSource;
  /** The file extension without the dot. */
  extension: string;
}

/**
 * Opens a recording and its bytes for a principal that may listen to it.
 * @throws not-found (404), also if it belongs to another user
 */
export type RecordingSources = (principal: Principal | null, recordingId: string) => Promise<RecordingSource>;

/** Joined audio is Ogg that is streamed while being joined; a stored file is opened directly. */
async function openSound(blobs: BlobStore, { source, blobKey, demuxer }: Playable): Promise<OpenFfmpegInput> {
  if (blobKey !== null)
    return openStoredFile(blobs, { blobKey, ...(demuxer === undefined ? {} : { demuxer }) });
  return {
    input: { kind: 'ogg-stream', bytes: source.stream({ startByte: 0, endByteExclusive: source.sizeBytes }) },
    release: async () => undefined,
  };
}

/** Whether the played file was encoded a second time. */
const hasLossyCopy = (
  { rendition, codec, channels, distrusted_at: distrustedAt }: RecordingWithCounts,
  { remuxedContainer }: StoredSegment,
): boolean =>
  rendition === 'ready' &&
  remuxedContainer === 'ogg' &&
  (codec !== 'opus' || channels > 2) &&
  distrustedAt === null;

/** Finds the waveform of a whole recording as this server has measured it; null if it has not. */
type WaveformOf = (
  blobs: BlobStore,
  recording: RecordingWithCounts,
  segments: readonly StoredSegment[],
) => Promise<PointSource | null>;

/** Creates the lookup of recordings and their bytes for other features. */
export function createRecordingSources(
  deps: PlayableDeps & CallerDeps & { waveformOf: WaveformOf },
): RecordingSources {
  return async (principal, recordingId) => {
    const recording = await callerRecording(deps, principal, { id: recordingId, right: 'listen' });
    const served = { recording, etagOf: etagsOfRecording(recording) };
    const segments = await deps.storedSegments(recordingId);
    const waveform = () => deps.waveformOf(deps.blobs, recording, segments);
    const playable = (): Promise<Playable> => playableOf(deps, served, segments);
    const original = recording.source === 'import' ? importedSource(deps.blobs, served, segments) : null;
    const file = segments.find(({ stream }) => stream === 'audio');
    async function opened(): Promise<OpenFfmpegInput> {
      // ffmpeg may find sound that our own parser did not find.
      if (recording.state === 'failed' && original !== null && file !== undefined)
        return openStoredFile(deps.blobs, { blobKey: file.blobKey });
      return openSound(deps.blobs, await playable());
    }
    const openEncodedOriginal =
      file !== undefined && hasLossyCopy(recording, file)
        ? () => openStoredFile(deps.blobs, { blobKey: file.blobKey, ...demuxerOf(recording) })
        : null;
    if (original !== null)
      return {
        recording,
        waveform,
        openSound: opened,
        openEncodedOriginal,
        original,
        extension: extensionOf(recording).slice(1) || 'bin',
      };
    const { source, extension } = await playable();
    return {
      recording,
      waveform,
      openSound: opened,
      openEncodedOriginal: null,
      original: source,
      extension: extension === '.opus' ? 'ogg' : extension.slice(1),
    };
  };
}
