import { momentOf } from '#base/recorded-time/recorded-time.ts';
import { openLocalFile } from '#web/features/player/data/open-local-file.ts';
import { localPeaks } from '#web/features/player/peaks/local-peaks.ts';
import type { PlayableTrack } from '#web/features/player/playback/queue-player.ts';
import { isAheadOfServer, type ServerLength } from '#device/takes/device-take.ts';
import { deviceTakes, whenDeviceRead } from '#device/takes/device-takes.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { localTakeFiles } from './local-take-actions.ts';

/**
 * Opens a recording from its files on this device, also an unclaimed one; null if this device has none of it.
 * @param server what the server has of it: null also if this device is not ahead of that
 */
export async function openLocalRecording(
  recordingId: string,
  server?: ServerLength,
): Promise<PlayableTrack | null> {
  await whenDeviceRead();
  const take = deviceTakes.getSnapshot().takes.find(({ id }) => id === recordingId);
  if (!take || (server && !isAheadOfServer(server, take))) return null;
  const file = await openLocalFile(localTakeFiles, recordingId);
  const title = titleText({
    title: take.title,
    recordedTime: momentOf(new Date(take.startedAtMs).toISOString(), take.timeZone),
  });
  return {
    track: {
      id: take.id,
      url: file.url,
      title,
      // The player then uses the length of the audio element.
      durationMs: take.durationMs ?? 0,
      sizeBytes: file.audio.size,
      gaps: take.gaps,
      growing: false,
      sections: file.sections,
    },
    peaks: localPeaks({ takeId: recordingId, edition: 'whole' }, () => localTakeFiles.peaks(recordingId)),
    release: file.release,
  };
}
