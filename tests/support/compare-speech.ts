import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

export interface Pcm {
  sampleRateHz: number;
  samples: Float32Array;
}

/** Reads a 16-bit mono WAV file, the format of the fixture. */
export function readWav(file: string): Pcm {
  const bytes = readFileSync(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offsetBytes = 12;
  while (bytes.toString('latin1', offsetBytes, offsetBytes + 4) !== 'data')
    offsetBytes += 8 + view.getUint32(offsetBytes + 4, true);
  const count = Math.floor(
    Math.min(view.getUint32(offsetBytes + 4, true), bytes.length - offsetBytes - 8) / 2,
  );
  const samples = Float32Array.from(
    { length: count },
    (_, i) => view.getInt16(offsetBytes + 8 + i * 2, true) / 32768,
  );
  return { sampleRateHz: view.getUint32(24, true), samples };
}

/** Decodes a URL's audio in the browser under test, as 8 kHz mono, which is enough to compare speech. */
export async function decodeInBrowser(page: Page, url: string): Promise<Pcm & { durationMs: number }> {
  const { durationMs, data } = await page.evaluate(async (source) => {
    const bytes = await (await fetch(source)).arrayBuffer();
    const context = new OfflineAudioContext(1, 1, 8000);
    const decoded = await context.decodeAudioData(bytes);
    return {
      durationMs: decoded.duration * 1000,
      data: Array.from(decoded.getChannelData(0), (sample) => Math.round(sample * 32767)),
    };
  }, url);
  return { sampleRateHz: 8000, durationMs, samples: Float32Array.from(data, (sample) => sample / 32767) };
}

function envelope({ sampleRateHz, samples }: Pcm, stepMs: number): Float32Array {
  const step = Math.round((sampleRateHz * stepMs) / 1000);
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, i) => {
    const block = samples.subarray(i * step, (i + 1) * step);
    return Math.sqrt(block.reduce((sum, sample) => sum + sample * sample, 0) / step);
  });
}

function correlation(a: Float32Array, b: Float32Array): number {
  const n = Math.min(a.length, b.length);
  const mean = (values: Float32Array) => values.subarray(0, n).reduce((sum, value) => sum + value, 0) / n;
  const [meanA, meanB] = [mean(a), mean(b)];
  let ab = 0,
    aa = 0,
    bb = 0;
  for (let i = 0; i < n; i += 1) {
    const x = (a[i] ?? 0) - meanA,
      y = (b[i] ?? 0) - meanB;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb || 1);
}

/**
 * The likeness of a recording to speech that was played in a loop: the highest correlation of the loudness
 * envelopes (10 ms steps) over all possible start positions in the loop. 1 means identical, 0 unrelated.
 */
export function likenessToLoop(recording: Pcm, loop: Pcm): { likeness: number; startsAtMs: number } {
  const stepMs = 10;
  const heard = envelope(recording, stepMs);
  const once = envelope(loop, stepMs);
  let best = { likeness: -1, startsAtMs: 0 };
  for (let start = 0; start < once.length; start += 1) {
    const spoken = Float32Array.from(heard, (_, i) => once[(start + i) % once.length] ?? 0);
    const likeness = correlation(heard, spoken);
    if (likeness > best.likeness) best = { likeness, startsAtMs: start * stepMs };
  }
  return best;
}
