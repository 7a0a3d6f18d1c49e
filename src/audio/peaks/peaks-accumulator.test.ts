import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeaksAccumulator } from './peaks-accumulator.ts';

const quantised = (sample: number) => Math.max(-127, Math.min(127, Math.round(sample * 127))) + 0;

/** All points of some channels at once, computed directly from the definition. */
function bruteForce(channels: Float32Array[], sampleRateHz: number): number[] {
  const frames = channels[0]?.length ?? 0;
  const points: number[] = [];
  for (let index = 0, from = 0; from < frames; index++) {
    const to = Math.min(frames, Math.floor(((index + 1) * sampleRateHz) / 100));
    const samples = channels.flatMap((channel) => Array.from(channel.subarray(from, to)));
    points.push(quantised(Math.min(...samples)), quantised(Math.max(...samples)));
    from = to;
  }
  return points;
}

const samples = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 3000 })
  .map((list) => Float32Array.from(list));

test('computes points from the samples only, however they are cut into blocks', () => {
  fc.assert(
    fc.property(
      samples,
      fc.constantFrom(8000, 22_050, 44_100, 48_000),
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }),
      (sound, sampleRateHz, sizes) => {
        const accumulator = new PeaksAccumulator(sampleRateHz);
        const taken: number[] = [];
        for (let from = 0, turn = 0; from < sound.length; turn++) {
          const frames = sizes[turn % sizes.length] ?? 1;
          accumulator.push([sound.subarray(from, from + frames)]);
          if (turn % 3 === 0) taken.push(...accumulator.take());
          from += frames;
        }
        accumulator.flush();
        taken.push(...accumulator.take());
        expect(taken).toEqual(bruteForce([sound], sampleRateHz));
      },
    ),
  );
});

test('draws the widest of several channels', () => {
  fc.assert(
    fc.property(samples, (sound) => {
      const other = sound.map((sample) => -sample / 2);
      const accumulator = new PeaksAccumulator(48_000);
      accumulator.push([sound, other]);
      accumulator.flush();
      expect(Array.from(accumulator.take())).toEqual(bruteForce([sound, other], 48_000));
    }),
  );
});

test.each([44_100, 48_000])('has exactly a hundred points a second in an hour at %i Hz', (sampleRateHz) => {
  const accumulator = new PeaksAccumulator(sampleRateHz);
  const second = [new Float32Array(sampleRateHz)];
  let points = 0;
  for (let index = 0; index < 60; index++) {
    accumulator.push(second);
    points += accumulator.take().length / 2;
  }
  accumulator.flush();
  expect(points + accumulator.take().length / 2).toBe(6000);
});

test('adds no point when closing without an open one', () => {
  const accumulator = new PeaksAccumulator(48_000);
  accumulator.flush();
  accumulator.push([new Float32Array(480).fill(0.5)]);
  accumulator.flush();
  accumulator.flush();
  expect(Array.from(accumulator.take())).toEqual([64, 64]);
});

test('draws samples that are not numbers as silence', () => {
  const accumulator = new PeaksAccumulator(48_000);
  accumulator.push([new Float32Array(480).fill(NaN)]);
  expect(Array.from(accumulator.take())).toEqual([0, 0]);
});

test('draws silence of any length like as many zeros', () => {
  const parts = fc.array(fc.oneof(samples, fc.nat(3000)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, fc.constantFrom(8000, 22_050, 48_000), (list, sampleRateHz) => {
      const [quick, plain] = [new PeaksAccumulator(sampleRateHz), new PeaksAccumulator(sampleRateHz)];
      for (const part of list) {
        if (typeof part === 'number') quick.pushSilence(part);
        else quick.push([part]);
        plain.push([typeof part === 'number' ? new Float32Array(part) : part]);
      }
      for (const accumulator of [quick, plain]) accumulator.flush();
      expect(quick.take()).toEqual(plain.take());
    }),
  );
});

test.each([0, -1, 99, NaN])(
  'rejects a rate of %d samples a second, at which no point would ever be complete',
  (sampleRateHz) => {
    expect(() => new PeaksAccumulator(sampleRateHz)).toThrow(RangeError);
  },
);
