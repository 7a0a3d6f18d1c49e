import { hour } from '#base/duration.ts';
import type { ProcessLimits } from '../limited-command.ts';

/** More than any decoder of sound needs. Its processor time is that of the longest conversion. */
export const ffmpegLimits: ProcessLimits = { memoryBytes: 1024 ** 3, cpuMs: 6 * hour };

/** Containers of sound and of films; no playlists, no lists of other files, no devices, no pictures. */
const demuxers = [
  'aac', 'ac3', 'aiff', 'amr', 'amrnb', 'amrwb', 'ape', 'asf', 'au', 'avi', 'caf', 'dsf', 'dss', 'dts', 'dtshd', 'eac3', 'flac', 'flv', 'gsm', 'iff', 'ircam', 'latm', 'loas', 'matroska', 'mlp', 'mov', 'mp3', 'mpc', 'mpc8', 'mpeg', 'mpegts', 'mxf',
  'nistsphere', 'nut', 'oga', 'ogg', 'oma', 'qcp', 'rm', 'shn', 'tak', 'truehd', 'tta', 'voc', 'w64', 'wav', 'wv',
];

const decoders = [
  'aac', 'aac_fixed', 'aac_latm', 'libfdk_aac', 'ac3', 'ac3_fixed', 'eac3', 'dca', 'truehd', 'mlp', 'alac', 'als', 'ape', 'flac', 'shorten', 'tak', 'tta', 'wavpack', 'mp1', 'mp1float', 'mp2', 'mp2float', 'mp3', 'mp3float', 'mp3adu',
  'mp3adufloat', 'mp3on4', 'mp3on4float', 'mpc7', 'mpc8', 'opus', 'libopus', 'vorbis', 'libvorbis', 'speex', 'libspeex', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb', 'evrc', 'qcelp', 'ilbc', 'libilbc', 'gsm', 'gsm_ms', 'libgsm', 'libgsm_ms',
  'g722', 'g726', 'g726le', 'g723_1', 'g729', 'truespeech', 'nellymoser', 'cook', 'real_144', 'real_288', 'ralf', 'sipr', 'atrac1', 'atrac3', 'atrac3al', 'atrac3plus', 'atrac3plusal', 'mace3', 'mace6', 'qdm2', 'qdmc', 'imc', 'iac', 'on2avc',
  'wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'dvaudio', 's302m', 'pcm_bluray', 'pcm_dvd', 'pcm_alaw', 'pcm_mulaw', 'pcm_vidc', 'pcm_u8', 'pcm_s8', 'pcm_s8_planar', 'pcm_s16le', 'pcm_s16be', 'pcm_s16le_planar', 'pcm_s16be_planar',
  'pcm_u16le', 'pcm_u16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s24le_planar', 'pcm_u24le', 'pcm_u24be', 'pcm_s32le', 'pcm_s32be', 'pcm_s32le_planar', 'pcm_u32le', 'pcm_u32be', 'pcm_s64le', 'pcm_s64be', 'pcm_f16le', 'pcm_f24le', 'pcm_f32le', 'pcm_f32be',
  'pcm_f64le', 'pcm_f64be', 'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf', 'adpcm_yamaha', 'adpcm_ct', 'adpcm_sbpro_2', 'adpcm_sbpro_3', 'adpcm_sbpro_4', 'dsd_lsbf', 'dsd_lsbf_planar', 'dsd_msbf', 'dsd_msbf_planar', 'dss_sp', '8svx_exp', '8svx_fib',
];

/** Said of an input: ffmpeg opens no other container, runs no other decoder, and reaches its bytes in no other way than by these protocols. */
export const soundInput = (protocols: 'pipe,fd' | 'file'): string[] =>
  ['-protocol_whitelist', protocols, '-format_whitelist', demuxers.join(','), '-codec_whitelist', decoders.join(',')];
