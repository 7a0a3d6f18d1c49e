import { soundInput } from '#server/processes/ffmpeg/ffmpeg-limits.ts';

// Prints the components for `configure` of an ffmpeg that can do what the server asks of it and nothing else. The
// image builds it (deploy/build-ffmpeg.sh): the complete ffmpeg of Debian needs 440 MB, mostly for video.

/** The names of `configure`, where they differ from those on the command line. */
const configureNames: Record<string, string> = {
  mpeg: 'mpegps',
  shn: 'shorten',
  real_144: 'ra_144',
  real_288: 'ra_288',
  atrac3plus: 'atrac3p',
  atrac3plusal: 'atrac3pal',
  g722: 'adpcm_g722',
  g726: 'adpcm_g726',
  g726le: 'adpcm_g726le',
  '8svx_exp': 'eightsvx_exp',
  '8svx_fib': 'eightsvx_fib',
};

function allowed(option: string): string[] {
  const options = soundInput('file');
  const names = options[options.indexOf(option) + 1]?.split(',') ?? [];
  // ffmpeg has a decoder of its own for every codec that it also decodes by a library.
  return names.filter((name) => !name.startsWith('lib')).map((name) => configureNames[name] ?? name);
}

const components = {
  protocol: ['file', 'pipe', 'fd'],
  demuxer: [...allowed('-format_whitelist'), 'ffmetadata'],
  decoder: allowed('-codec_whitelist'),
  parser: [
    'aac',
    'aac_latm',
    'ac3',
    'amr',
    'cook',
    'dca',
    'flac',
    'g723_1',
    'g729',
    'gsm',
    'mlp',
    'mpegaudio',
    'opus',
    'sipr',
    'tak',
    'vorbis',
  ],
  encoder: ['aac', 'flac', 'libmp3lame', 'libopus', 'pcm_f32le', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le'],
  muxer: [
    'flac',
    'ipod',
    'matroska',
    'mp3',
    'nut',
    'ogg',
    'pcm_f32le',
    'pcm_s16le',
    'pcm_s24le',
    'pcm_s32le',
  ],
  bsf: ['aac_adtstoasc', 'extract_extradata', 'null', 'vp9_superframe'],
  filter: ['aformat', 'alimiter', 'amix', 'apad', 'aresample', 'asetpts', 'atrim'],
};

console.log(
  Object.entries(components)
    .map(([kind, names]) => `--enable-${kind}=${names.join(',')}`)
    .join('\n'),
);
