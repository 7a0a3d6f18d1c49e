import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipedFile } from './ffmpeg-files.ts';

/** The largest amplitude of each channel of a file, by decoding it without mixing. 1 is full scale. */
export function peaksOfChannels(file: Uint8Array): number[] {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-channels-'));
  try {
    const path = join(directory, 'sound');
    writeFileSync(path, file);
    const probed = execFileSync('ffprobe', [
      '-v',
      'error',
      '-select_streams',
      'a:0',
      '-show_entries',
      'stream=channels',
      '-of',
      'csv=p=0',
      path,
    ]);
    const channels = Number.parseInt(probed.toString());
    const pcm = pipedFile(['-i', path, '-f', 'f32le']);
    const samples = new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
    const peaks = Array.from({ length: channels }, () => 0);
    for (const [index, sample] of samples.entries()) {
      const channel = index % channels;
      peaks[channel] = Math.max(peaks[channel] ?? 0, Math.abs(sample));
    }
    return peaks;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
