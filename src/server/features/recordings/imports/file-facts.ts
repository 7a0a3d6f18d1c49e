import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import { maxChannels } from '#contract/channels.ts';
import { limits } from '#contract/limits.ts';
import type { AudioTrack, Gap } from '#contract/recordings.ts';
import { languageTagSchema } from '#contract/values.ts';
import type { Hole } from '#server/processes/ffmpeg/placed-sound.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import type { AudioImport } from './prepared-import.ts';
import { type Judgement, judgementVersion } from './classify-file.ts';

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
    channels: nearestWithin(channels, { min: 1, max: maxChannels }),
    isPlayed: isPlayed(judgement, track),
  };
}

/** The value of the `tracks` column; null for a file with a single track, which needs no list. */
function storedTracks(judgement: Judgement): string | null {
  const { tracks } = judgement;
  return tracks.length < 2
    ? null
    : JSON.stringify(
        tracks.slice(0, limits.import.namedTracks).map((track) => presentTrack(judgement, track)),
      );
}

/** The value of the `channel_names` column; null if the file names no channel. */
function storedChannelNames({ channelNames, channels }: Judgement): string | null {
  const names = channelNames.slice(0, channels);
  return names.some((name) => name !== '') ? JSON.stringify(names) : null;
}

/** The holes of a file as gaps. Clocks that drift apart lose no sound at any one place. */
export const gapsOf = (holes: readonly Hole[]): Gap[] =>
  holes
    .filter(({ isSudden }) => isSudden)
    .map(({ fromMs, toMs }) => ({
      atMs: Math.round(fromMs),
      durationMs: Math.round(toMs) - Math.round(fromMs),
      cause: 'not-in-file',
    }));

/** The columns of a prepared import's file. */
export const fileFacts = ({ rendition, judgement }: AudioImport) => ({
  rendition,
  failure_reason: rendition === 'failed' ? ('format-unsupported' as const) : null,
  tracks: judgement === null ? null : storedTracks(judgement),
  quieter_db: judgement?.quieterDb ?? null,
  channel_names: judgement === null ? null : storedChannelNames(judgement),
});

/** The version of the rules that judged a file; 0 if the judgement is incomplete because ffmpeg was missing. */
export const judgedVersion = (isJudged: boolean): { judged_version: number } => ({
  judged_version: isJudged ? judgementVersion : 0,
});
