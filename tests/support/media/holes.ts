import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegFile, pipedFile } from './ffmpeg-files.ts';

/** The tone of each second of `steppedTone`, by which a moment of the sound is known wherever it is heard. */
export const toneHzAt = (soundSecond: number): number => 500 + 300 * Math.floor(soundSecond);

const steppedTone = (seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='0.5*sin(2*PI*(500+300*floor(t))*t)':s=48000:d=${seconds}`,
];

/** Six seconds of a tone that rises every second, with `lengthS` without packets after each of `afterS`. */
export function fileWithHoles(
  name: string,
  options: readonly string[],
  { afterS, lengthS }: { afterS: readonly number[]; lengthS: number },
): Buffer {
  const holes = afterS.map((second) => `gt(T,${second})`).join('+');
  return ffmpegFile(name, [
    ...steppedTone(6),
    '-af',
    `asetnsamples=480,asetpts='PTS+(${holes})*${lengthS}/TB'`,
    ...options,
  ]);
}

const rateHz = 16_000;
const windowS = 0.2;
const quiet = 600;

/** The tone that a player hears at each of these moments, in Hz by its zero crossings; 0 is silence. */
export function tonesAt(bytes: Uint8Array, seconds: readonly number[]): number[] {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-holes-'));
  try {
    const path = join(directory, 'file');
    writeFileSync(path, bytes);
    const pcm = pipedFile(['-i', path, '-map', '0:a:0', '-ac', '1', '-ar', String(rateHz), '-f', 's16le']);
    const samples = new Int16Array(pcm.buffer, pcm.byteOffset, Math.floor(pcm.length / 2));
    return seconds.map((second) => {
      const window = samples.subarray(Math.round(second * rateHz), Math.round((second + windowS) * rateHz));
      const loudest = window.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
      if (loudest < quiet) return 0;
      const crossings = window.reduce(
        (count, sample, index) => count + (sample < 0 !== (window[index - 1] ?? sample) < 0 ? 1 : 0),
        0,
      );
      return crossings / 2 / windowS;
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
