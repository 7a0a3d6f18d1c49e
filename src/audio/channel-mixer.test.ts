import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChannelMixer } from './channel-mixer.ts';

const frames = 960;
const blocks = 40;
const silence = new Float32Array(frames);
/** Block `index` of a tone of 440 Hz at 48 kHz. */
const tone = (index: number, amplitude = 0.5): Float32Array =>
  Float32Array.from(
    { length: frames },
    (_, frame) => amplitude * Math.sin((2 * Math.PI * 440 * (index * frames + frame)) / 48_000),
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
