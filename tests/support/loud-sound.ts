import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const steps = 7;
const quietest = 0.1;
const step = 0.1;

/** Runs `work` in a temporary folder, which is removed afterwards. */
function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-loud-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The amplitude of a second, by its position in the file. Neighbouring seconds always differ. */
const loudnessOf = (second: number): number => quietest + step * (second % steps);

/** ffmpeg's arguments for a tone whose amplitude changes every second. */
export const loudSource = (
  seconds: number,
  {
    sampleRateHz = 48_000,
    channels = 1,
    hz = 440,
  }: { sampleRateHz?: number; channels?: number; hz?: number } = {},
): string[] => {
  const tone = `(${quietest}+${step}*mod(floor(t),${steps}))*sin(2*PI*${hz}*t)`;
  return [
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='${Array.from({ length: channels }, () => tone).join('|')}':s=${sampleRateHz}:d=${seconds}`,
  ];
};

/** Creates a file with ffmpeg from `loudSource` inputs and output options, as on its command line. */
export const soundFile = (name: string, args: readonly string[]): Buffer =>
  inFolder((folder) => {
    const path = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', ...args, path]);
    return readFileSync(path);
  });

const decodedRateHz = 8000;

/** The amplitude of the tone in each second of a decoded file. */
export const loudnessBySecond = (bytes: Uint8Array, name: string): number[] =>
  inFolder((folder) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const pcm = execFileSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-i',
        path,
        '-map',
        '0:a:0',
        '-af',
        'pan=mono|c0=c0',
        '-ar',
        String(decodedRateHz),
        '-f',
        'f32le',
        'pipe:1',
      ],
      { maxBuffer: 2 ** 31 },
    );
    const samples = new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
    return Array.from({ length: Math.round(samples.length / decodedRateHz) }, (_, second) => {
      // Codecs shift audio by some hundredths of a second, so the edges of a second may belong to its neighbour.
      const part = samples.subarray((second + 0.1) * decodedRateHz, (second + 0.9) * decodedRateHz);
      return Math.sqrt((2 * part.reduce((sum, sample) => sum + sample * sample, 0)) / part.length);
    });
  });

/**
 * Describes the seconds of a file whose amplitude differs from the one they were made with, or a wrong number of
 * seconds.
 */
export function wrongSeconds(
  bytes: Uint8Array,
  { name, seconds, fromSecond = 0 }: { name: string; seconds: number; fromSecond?: number },
): string[] {
  const heard = loudnessBySecond(bytes, name);
  if (heard.length !== seconds) return [`${heard.length} seconds instead of ${seconds}`];
  return heard.flatMap((loudness, second) =>
    Math.abs(loudness - loudnessOf(second + fromSecond)) < step / 2
      ? []
      : [`second ${second}: ${loudness.toFixed(3)} instead of ${loudnessOf(second + fromSecond).toFixed(3)}`],
  );
}

/** SHA-256 of a file's decoded samples, as 64-bit floats. */
export const decodedSha256 = (bytes: Uint8Array, name: string): string =>
  inFolder((folder) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return execFileSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-i',
        path,
        '-map',
        '0:a:0',
        '-c:a',
        'pcm_f64le',
        '-f',
        'hash',
        '-hash',
        'sha256',
        'pipe:1',
      ],
      { encoding: 'utf8' },
    ).trim();
  });

/** ffprobe's facts about a file's first audio stream. */
export const probedFile = (
  bytes: Uint8Array,
  name: string,
): { codec: string; sampleRateHz: number; channels: number; bits: number; durationMs: number } =>
  inFolder((folder) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const answer = execFileSync(
      'ffprobe',
      ['-v', 'error', '-select_streams', 'a:0', '-show_streams', '-show_format', '-of', 'json', path],
      { encoding: 'utf8' },
    );
    const {
      streams: [stream],
      format,
    } = JSON.parse(answer);
    return {
      codec: stream.codec_name,
      sampleRateHz: Number(stream.sample_rate),
      channels: stream.channels,
      bits: Number(stream.bits_per_raw_sample ?? 0) || stream.bits_per_sample,
      durationMs: Math.round(Number(format.duration) * 1000),
    };
  });
