import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import { limits } from '#contract/limits.ts';
import type { AudioTrack } from '#contract/recordings.ts';
import { languageTagSchema } from '#contract/values.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import type { AudioImport } from './prepared-import.ts';
import { type Judgement, judgementVersion } from './judge-file.ts';

const isPlayed = ({ played }: Judgement, { position }: SoundTrack): boolean =>
  typeof played === 'number' ? played === position : played.mixed.includes(position);

function presentTrack(judgement: Judgement, track: SoundTrack): AudioTrack {
  const { title, language, channels } = track;
  return {
    title: title
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, limits.import.trackTitleLength)
      .trim(),
    language: languageTagSchema.safeParse(language).data ?? null,
    channels: nearestWithin(channels, { least: 1, most: 255 }),
    isPlayed: isPlayed(judgement, track),
  };
}

/**
 * The tracks of a file as a column holds them; null where there is but one, of which there is nothing to say.
 */
function storedTracks(judgement: Judgement): string | null {
  const { tracks } = judgement;
  return tracks.length < 2
    ? null
    : JSON.stringify(
        tracks.slice(0, limits.import.namedTracks).map((track) => presentTrack(judgement, track)),
      );
}

/** What a row says of the file of an import that was prepared. */
export const fileFacts = ({ rendition, judgement }: AudioImport) => ({
  rendition,
  failure_reason: rendition === 'failed' ? ('format-unsupported' as const) : null,
  tracks: judgement === null ? null : storedTracks(judgement),
});

/** By which rules a file was judged that these rules have said all of, or have not. */
export const judgedVersion = (isJudged: boolean): { judged_version: number } => ({
  judged_version: isJudged ? judgementVersion : 0,
});
