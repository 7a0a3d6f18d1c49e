import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSample } from '#tests/formats/make-samples.ts';
import { samples } from '#tests/formats/samples.ts';

/** Longer files have the same containers with more audio. */
const maxBytes = 500_000;

/** One audio file of each kind, as ffmpeg writes it. */
export function wholeFiles(): { name: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-damage-'));
  try {
    return samples
      .filter(({ seconds }) => seconds <= 10)
      .map((sample) => ({
        name: sample.file,
        bytes: new Uint8Array(readFileSync(makeSample(folder, sample))).slice(0, maxBytes),
      }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
