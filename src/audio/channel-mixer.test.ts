import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChannelMixer } from './channel-mixer.ts';

const frames = 960;
const blocks = 40;
const silence = new Float32Array(frames);
const rateHz = 48_000;
/** Block `index` of a tone of 440 Hz at 48 kHz, or of another one. */
const tone = (index: number, amplitude = 0.5, hz = 440): Float32Array =>
  Float32Array.from(
    { length: frames },
    (_, frame) => amplitude * Math.sin((2 * Math.PI * hz * (index * frames + frame)) / rateHz),
  );
const opposite = (samples: Float32Array): Float32Array => samples.map((sample) => -sample);
const peakOf = (samples: Float32Array): number =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

/** The peak in each channel of the result, over all blocks. */
function peaksOf(wanted: number, block: (index: number) => readonly Float32Array[]): number[] {
  const mixer = new ChannelMixer(wanted);
  const mixes = Array.from({ length: blocks }, (_, index) => mixer.mix(block(index)));
  return Array.from({ length: wanted }, (_, channel) =>
    Math.max(...mixes.map((mix) => peakOf(mix[channel] ?? silence))),
  );
}

test('passes on as many channels as are wanted, unchanged', () => {
  const received = [tone(0), silence];
  expect(new ChannelMixer(2).mix(received)).toBe(received);
});

test('copies one channel to all', () => {
  expect(peaksOf(2, (index) => [tone(index)])).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
});

test('averages two channels into one', () => {
  expect(peaksOf(1, (index) => [tone(index), tone(index)])).toEqual([expect.closeTo(0.5)]);
  expect(peaksOf(1, (index) => [silence, tone(index)])).toEqual([expect.closeTo(0.25)]);
});

describe('a microphone in opposite phase', () => {
  test('keeps its level in one channel', () => {
    expect(peaksOf(1, (index) => [tone(index), opposite(tone(index))])).toEqual([expect.closeTo(0.5)]);
  });

  test('keeps its level where the halves differ a little', () => {
    const [peak] = peaksOf(1, (index) => [tone(index), opposite(tone(index, 0.47))]);
    expect(peak).toBeCloseTo(0.5);
  });

  test('is not heard as a click when it begins or ends', () => {
    const mixer = new ChannelMixer(1);
    const samples = Array.from({ length: blocks }, (_, index) => {
      const one = tone(index);
      return [...(mixer.mix([one, index % 20 < 10 ? one : opposite(one)])[0] ?? [])];
    }).flat();
    const steepest = 2 * Math.PI * (440 / 48_000) * 0.5;
    const steps = samples.slice(1).map((sample, index) => Math.abs(sample - (samples[index] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(steepest * 1.2);
  });
});

/** How loud tones of these frequencies are in the last blocks of a mix to one channel. */
function levelsOf(
  frequencies: readonly number[],
  block: (index: number) => readonly Float32Array[],
): number[] {
  const mixer = new ChannelMixer(1);
  const mixes = Array.from({ length: blocks }, (_, index) => [...(mixer.mix(block(index))[0] ?? [])]);
  const samples = mixes.slice(-25).flat();
  return frequencies.map((hz) => {
    const sumOf = (wave: (angle: number) => number): number =>
      samples.reduce((sum, sample, at) => sum + sample * wave((2 * Math.PI * hz * at) / rateHz), 0);
    return (2 * Math.hypot(sumOf(Math.sin), sumOf(Math.cos))) / samples.length;
  });
}

describe('F15: of more than two channels', () => {
  const [voice, other, third] = [440, 1500, 2500];

  test.for([0.05, 0.1, 0.4, 1])(
    'those that cancel each other out are heard beside one of %f of their level',
    (level) => {
      const [heard = 0, beside = 0] = levelsOf([voice, other], (index) => [
        tone(index),
        opposite(tone(index)),
        tone(index, 0.5 * level, other),
      ]);
      expect(heard).toBeGreaterThan(0.2);
      expect(beside > 0.2 * level || level < 0.2).toBe(true);
    },
  );

  test('two pairs that cancel each other out are both heard', () => {
    const levels = levelsOf([voice, other], (index) => [
      tone(index),
      tone(index, 0.5, other),
      opposite(tone(index)),
      opposite(tone(index, 0.5, other)),
    ]);
    expect(Math.min(...levels)).toBeGreaterThan(0.2);
  });

  test('all are heard where none cancels another', () => {
    const levels = levelsOf([voice, other, third], (index) => [
      tone(index),
      tone(index, 0.5, other),
      tone(index, 0.5, third),
    ]);
    expect(levels.map((level) => Math.round(level * 100))).toEqual([17, 17, 17]);
  });
});

describe.each([4, 8, 12])('a device with %i channels', (channels) => {
  test.each([1, 2])('loses none of them in %i', (wanted) => {
    for (let voice = 0; voice < channels; voice++) {
      const peaks = peaksOf(wanted, (index) =>
        Array.from({ length: channels }, (_, channel) => (channel === voice ? tone(index) : silence)),
      );
      for (const peak of peaks) expect(peak).toBeGreaterThan(0.5 / 10 - 0.001);
    }
  });
});

test('never cancels below a tenth of the loudest channel, and never exceeds it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 }),
      (amplitudes) => {
        const loudest = Math.max(...amplitudes.map(Math.abs));
        const [peak = 0] = peaksOf(1, (index) => amplitudes.map((amplitude) => tone(index, amplitude)));
        expect(peak).toBeGreaterThanOrEqual(loudest * 0.0999 - 1e-6);
        expect(peak).toBeLessThanOrEqual(loudest + 1e-6);
      },
    ),
    { numRuns: 50 },
  );
});

test('digital silence stays digital silence', () => {
  expect(peaksOf(1, () => [silence, silence])).toEqual([0]);
});
