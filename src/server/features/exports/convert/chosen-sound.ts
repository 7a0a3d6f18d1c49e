import type { OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import { probeSound, type SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import { floatSamples } from '#server/processes/ffmpeg/float-samples.ts';
import { mixedChannels } from '#server/processes/ffmpeg/mixed-channels.ts';
import type { RecordingSource } from '#server/features/recordings/media/recording-sources.ts';
import type { ConvertedFormat, ConvertedSound } from './encoders.ts';

/** The input of a conversion and the properties of its sound. */
export interface ChosenSound {
  sound: OpenFfmpegInput;
  track: SoundTrack;
}

const opusRateHz = 48_000;
const deepDepths = ['s24', 's32', 'f32'] as const;

/** The properties found by our own parser, if ffprobe can't be used. */
function knownTrack({
  recording: { codec, sample_rate_hz: sampleRateHz, channels },
}: RecordingSource): SoundTrack {
  const depth = deepDepths.find((deep) => codec.startsWith(`pcm-${deep}`)) ?? 's16';
  return {
    position: 0,
    codec,
    sampleRateHz: codec === 'opus' ? opusRateHz : sampleRateHz,
    channels,
    layout: null,
    depth,
    isDefault: true,
    language: '',
    title: '',
  };
}

/** The only audio track of a file. Null if it has none or several, because the player may play only some of them. */
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
 * Opens the input of a conversion: the imported file itself if its rendition is a lossy copy, otherwise the sound
 * that browsers play. The caller must release it.
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
 * The output properties of a conversion. Lossless formats keep rate, channels and depth, but FLAC does not support
 * floating-point samples. Lossy ones have at most two channels, to which others are mixed. Only WAV can be louder than
 * full scale.
 * @param quieterDb by how much the sound is louder than full scale; null if that is unknown
 */
export function convertedSound(
  format: ConvertedFormat,
  { sampleRateHz, channels, layout, depth }: SoundTrack,
  quieterDb: number | null,
): ConvertedSound {
  const firstFilter = floatSamples({ depth }, format === 'wav' ? 0 : (quieterDb ?? 0));
  const same = { sampleRateHz, channels, layout, channelFilter: null, firstFilter };
  if (format === 'wav') return { ...same, depth };
  if (format === 'flac') return { ...same, depth: depth === 's16' ? depth : 's24' };
  const { channels: played, filter } = mixedChannels({ channels, layout });
  return {
    sampleRateHz: lossyRateHz(format, sampleRateHz),
    channels: played,
    layout: null,
    channelFilter: filter,
    firstFilter,
    depth: 's16',
  };
}
