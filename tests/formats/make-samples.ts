import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from './samples.ts';
import { signalWav } from './signal.ts';
import { signal } from './signal-shape.ts';

/** Whether files can be made here at all. */
export const hasFfmpeg = (): boolean => spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;

function sourceOf(folder: string, { sampleRateHz, channels }: Sample): string {
  const path = join(folder, `signal-${sampleRateHz}-${channels}.wav`);
  if (!existsSync(path)) writeFileSync(path, signalWav(sampleRateHz, channels));
  return path;
}

const picture = ['-f', 'lavfi', '-i', `color=c=gray:s=64x64:r=10:d=${signal.seconds}`];

/** Makes one file of the signal and gives its path. Throws with what ffmpeg said. */
export function makeSample(folder: string, sample: Sample): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, sample.file);
  const source = sourceOf(folder, sample);
  const { status, stderr } = spawnSync('ffmpeg', [
    '-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-i', source, ...(sample.hasVideo ? picture : []), '-map_metadata', '-1', '-fflags', '+bitexact', ...sample.ffmpeg, path,
  ], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${sample.file}: ${stderr}`);
  return path;
}
