import { writeFileSync } from 'node:fs';

/** The length of a code, whose number encodes its time in the signal. */
export const codeMs = 100;
export const sampleRateHz = 16_000;
/** Ten minutes, after which the fake microphone starts again. */
export const codeCount = 6000;

const base = 9;
const bands = 4;
const space = base ** bands;
/** Multiplying by a number without a common factor makes neighbouring codes differ in nearly every tone. */
const stride = 2311;

/**
 * The tones in Hz: four bands of nine, far enough apart for a window of 50 ms and low enough for any speech codec.
 */
export const toneHz = Array.from({ length: base * bands }, (_, i) => 400 + i * 80);

const numberOfCode = new Map(Array.from({ length: codeCount }, (_, n) => [(n * stride) % space, n]));

/** The four tones of a code, as one index into `toneHz` per band. */
function tonesOf(code: number): number[] {
  let rest = (code * stride) % space;
  return Array.from({ length: bands }, (_, band) => {
    const digit = rest % base;
    rest = Math.floor(rest / base);
    return band * base + digit;
  });
}

/** The code with these digits, one per band, or null if there is no such code. */
export function codeOf(digits: number[]): number | null {
  return numberOfCode.get(digits.reduceRight((sum, digit) => sum * base + digit, 0)) ?? null;
}

const edgeSamples = 64;

/**
 * The samples of the codes from `from` up to, but not including, `to`. Each tone's ends are rounded off so that
 * they do not click.
 */
export function synthesize(from: number, to: number): Float32Array {
  const perCode = (sampleRateHz * codeMs) / 1000;
  const samples = new Float32Array((to - from) * perCode);
  for (let code = from; code < to; code += 1) {
    for (const tone of tonesOf(code)) {
      const step = (2 * Math.PI * (toneHz[tone] ?? 0)) / sampleRateHz;
      for (let i = 0; i < perCode; i += 1) {
        const edge = Math.min(1, (i + 0.5) / edgeSamples, (perCode - i - 0.5) / edgeSamples);
        const at = (code - from) * perCode + i;
        samples[at] = (samples[at] ?? 0) + 0.15 * Math.sin(step * i) * Math.sin((edge * Math.PI) / 2);
      }
    }
  }
  return samples;
}

/** Writes samples as a 16-bit mono WAV file. */
export function writeWav(file: string, samples: Float32Array, rateHz = sampleRateHz): void {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples.length * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rateHz, 24);
  bytes.writeUInt32LE(rateHz * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [i, sample] of samples.entries())
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + i * 2);
  writeFileSync(file, bytes);
}
