import type { ByteSource } from '../../../http/send-bytes.ts';
import type { Database } from '../../../storage/database/database.ts';
import { ownedRecording } from '../recordings-service.ts';
import type { RecordingWithCounts } from '../recordings-store.ts';
import { extensionOf, importedSource } from './original-of.ts';
import { type Playable, type PlayableDeps, playableOf } from './playable-of.ts';

/** A recording with its sound, for whoever gives it out in another shape. */
export interface RecordingSource {
  recording: RecordingWithCounts;
  /** Lays out what browsers play; unreadable-audio (422) where it turns out that there is nothing to hear. */
  audio: () => Promise<ByteSource>;
  /** What was sent: the imported file itself; of a take the same as its audio. */
  original: ByteSource;
  /** How a file of these bytes ends, without the dot. */
  extension: string;
}

/** Finds a recording of this owner's with its bytes; not-found (404) for everybody else's. */
export type RecordingSources = (ownerId: string, recordingId: string) => Promise<RecordingSource>;

/** Gives other features the bytes of recordings. */
export function createRecordingSources({ database, ...deps }: PlayableDeps & { database: Database }): RecordingSources {
  return async (ownerId, recordingId) => {
    const recording = await ownedRecording(database, ownerId, recordingId);
    const segments = await deps.storedSegments(recordingId);
    const playable = (): Promise<Playable> => playableOf(deps, recording, segments);
    const original = recording.source === 'import' ? importedSource(deps.blobs, recording, segments) : null;
    if (original === null) {
      const { source, extension } = await playable();
      return { recording, audio: async () => source, original: source, extension: extension === '.opus' ? 'ogg' : extension.slice(1) };
    }
    // A file in which there is nothing to hear can still be taken away.
    const audio = async (): Promise<ByteSource> => (recording.state === 'failed' ? original : (await playable()).source);
    return { recording, audio, original, extension: extensionOf(recording).slice(1) || 'bin' };
  };
}
