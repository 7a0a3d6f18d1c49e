import { limits } from '#contract/limits.ts';
import { player } from '#web/features/playback/engine/shared-player.ts';
import { localPeaks } from '#web/features/playback/peaks/local-peaks.ts';
import type { Playable } from '#web/features/playback/queue/queue-player.ts';
import { localTakes, lookingHere } from '#web/features/recording/local/local-takes-store.ts';
import { titleText } from '#web/recorded-time/title-text.ts';
import { momentOf } from '#base/recorded-time/recorded-time.ts';
import { localTakeFiles } from '../pages/local-take-actions.ts';

/** Gives the URLs of a recording's files back once the player has another one. */
function releaseWithTrack(urls: readonly string[]): void {
  let wasIn = false;
  const stop = player.subscribe(() => {
    const isIn = urls.includes(player.getSnapshot().track?.url ?? '');
    if (wasIn && !isIn) {
      stop();
      for (const url of urls) URL.revokeObjectURL(url);
    }
    wasIn ||= isIn;
  });
}

/** Opens a recording from its files on this device, also one that no account owns; null where this device has none of it. */
export async function openLocalRecording(recordingId: string): Promise<Playable | null> {
  await lookingHere();
  const take = localTakes.getSnapshot().takes.find(({ id }) => id === recordingId);
  if (!take) return null;
  const [{ audio }, sections] = await Promise.all([localTakeFiles.audio(recordingId), localTakeFiles.sections(recordingId)]);
  const url = URL.createObjectURL(audio);
  const sectionUrls = sections?.map((section) => URL.createObjectURL(section)) ?? null;
  releaseWithTrack([url, ...(sectionUrls ?? [])]);
  const title = titleText({ title: take.title, recordedTime: momentOf(new Date(take.startedAtMs).toISOString(), take.timeZone) });
  return {
    track: {
      id: take.id, url, title, durationMs: take.durationMs, sizeBytes: audio.size, gaps: take.gaps, growing: false,
      sections: sectionUrls && { eachMs: limits.audioSectionMs, urlOf: (section) => sectionUrls[section] ?? url },
    },
    peaks: localPeaks({ takeId: recordingId, edition: 'whole' }, () => localTakeFiles.peaks(recordingId)),
  };
}
