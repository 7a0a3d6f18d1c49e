import type { OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import { probeSound, type SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import type { RecordingSource } from '#server/features/recordings/media/recording-sources.ts';
import type { ConvertedFormat, ConvertedSound } from './encoders.ts';

/** What a conversion reads, and what kind of sound is in it. */
export interface ChosenSound {
  sound: OpenFfmpegInput;
  track: SoundTrack;
}

const opusRateHz = 48_000;
const deepDepths = ['s24', 's32', 'f32'] as const;

/** What our own parser found: what browsers play, where ffmpeg is not asked. */
function knownTrack({
  recording: { codec, sample_rate_hz: sampleRateHz, channels },
}: RecordingSource): SoundTrack {
  const depth = deepDepths.find((deep) => codec.startsWith(`pcm-${deep}`)) ?? 's16';
  return {
    position: 0,
    codec,
    sampleRateHz: codec === 'opus' ? opusRateHz : sampleRateHz,
    channels,
    depth,
    isDefault: true,
    language: '',
    title: '',
  };
}

/**
 * The one track of sound in a file; null where there is none, or where the player has only some of several.
 */
async function onlyTrack(
  program: string,
  { input }: OpenFfmpegInput,
  signal: AbortSignal,
): Promise<SoundTrack | null> {
  if (input.kind !== 'file') return null;
  const [track, another] = (await probeSound(program, input, signal)) ?? [];
  return another === undefined ? (track ?? null) : null;
}

/**
 * Opens what a conversion is made of: the imported file itself, where a rendition is a lossy copy of it, else
 * what browsers play. The caller releases it.
 */
export async function chooseSound(
  program: string,
  source: RecordingSource,
  signal: AbortSignal,
): Promise<ChosenSound> {
  if (source.openEncodedOriginal !== null) {
    const sound = await source.openEncodedOriginal();
    const track = await onlyTrack(program, sound, signal);
    if (track !== null) return { sound, track };
    await sound.release();
  }
  const sound = await source.openSound();
  const { recording } = source;
  const known =
    recording.rendition === 'ready'
      ? { ...knownTrack(source), codec: 'opus', sampleRateHz: opusRateHz, depth: 's16' as const }
      : knownTrack(source);
  return { sound, track: (await onlyTrack(program, sound, signal)) ?? known };
}

const lossyRateHz = (format: ConvertedFormat, sourceHz: number): number =>
  format !== 'opus' && sourceHz > 0 && 44_100 % sourceHz === 0 ? 44_100 : opusRateHz;

/**
 * What an encoder makes of a track: lossless ones keep rate, channels and depth; FLAC has no samples of
 * floating point.
 */
export function convertedSound(
  format: ConvertedFormat,
  { sampleRateHz, channels, depth }: SoundTrack,
): ConvertedSound {
  if (format === 'wav') return { sampleRateHz, channels, depth };
  if (format === 'flac') return { sampleRateHz, channels, depth: depth === 's16' ? depth : 's24' };
  return { sampleRateHz: lossyRateHz(format, sampleRateHz), channels: Math.min(channels, 2), depth: 's16' };
}
