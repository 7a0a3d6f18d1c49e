import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether ffmpeg is installed, which creates files of many formats. */
export const hasFfmpeg = ((): boolean => {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=3'];
const pictures = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=3'];

/** Creates a file of three seconds with ffmpeg: a 440 Hz tone, with video where requested. */
export function sampleFile(
  name: string,
  options: readonly string[] = [],
  kind: 'sound' | 'film' | 'silent-film' = 'sound',
): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-sample-'));
  const path = join(directory, name);
  const inputs = kind === 'sound' ? tone : kind === 'film' ? [...tone, ...pictures, '-shortest'] : pictures;
  try {
    execFileSync('ffmpeg', ['-v', 'error', ...inputs, ...options, path]);
    return readFileSync(path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
