import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from './samples.ts';
import { signalWav } from './signal.ts';

/** Whether ffmpeg is installed. */
export const hasFfmpeg = (): boolean => spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;

function sourceOf(folder: string, sample: Sample): string {
  const path = join(folder, `signal-${sample.sampleRateHz}-${sample.channels}-${sample.seconds}.wav`);
  if (!existsSync(path)) writeFileSync(path, signalWav(sample));
  return path;
}

const pictureOf = ({ seconds }: Sample): string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=c=gray:s=64x64:r=10:d=${seconds}`,
];
const maxBytes = 2 ** 28;

/**
 * Creates one file of the signal and returns its path.
 * @throws Error with ffmpeg's output.
 */
export function makeSample(folder: string, sample: Sample): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, sample.file);
  const source = sourceOf(folder, sample);
  const { status, stdout, stderr } = spawnSync(
    'ffmpeg',
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-nostdin',
      '-y',
      '-i',
      source,
      ...(sample.hasVideo ? pictureOf(sample) : []),
      '-map_metadata',
      '-1',
      '-fflags',
      '+bitexact',
      ...sample.ffmpeg,
      sample.isPiped ? 'pipe:1' : path,
    ],
    { maxBuffer: maxBytes },
  );
  if (status !== 0) throw new Error(`${sample.file}: ${String(stderr)}`);
  if (sample.isPiped) writeFileSync(path, stdout);
  return path;
}
