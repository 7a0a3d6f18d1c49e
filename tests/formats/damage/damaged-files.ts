import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSample } from '#tests/formats/make-samples.ts';
import { samples } from '#tests/formats/samples.ts';

/** Larger ones hold the same containers with more sound in them. */
const largestBytes = 500_000;

/** One sound file of each kind, as ffmpeg makes it. */
export function wholeFiles(): { name: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-damage-'));
  try {
    return samples
      .filter(({ seconds }) => seconds <= 10)
      .map((sample) => ({
        name: sample.file,
        bytes: new Uint8Array(readFileSync(makeSample(folder, sample))).slice(0, largestBytes),
      }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
