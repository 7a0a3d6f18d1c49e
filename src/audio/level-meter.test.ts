import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelMeter } from './level-meter.ts';

const full = (count: number, value = 1) => new Float32Array(count).fill(value);

test('measures the largest amplitude and the RMS of all samples since the last reading', () => {
  const meter = new LevelMeter();
  meter.push([Float32Array.of(0.5, -0.75)]);
  meter.push([Float32Array.of(0, 0)]);
  const { peak, rms, clipped } = meter.take();
  expect(peak).toBe(0.75);
  expect(rms).toBeCloseTo(Math.sqrt((0.25 + 0.5625) / 4), 6);
  expect(clipped).toBe(false);
  expect(meter.hasSamples).toBe(false);
  expect(meter.take()).toEqual({ peak: 0, rms: 0, clipped: false });
});

test('reports clipping for three consecutive full-scale samples of a channel, also across blocks', () => {
  const isClipped = (...blocks: Float32Array[][]) => {
    const meter = new LevelMeter();
    for (const block of blocks) meter.push(block);
    return meter.take().clipped;
  };
  expect(isClipped([full(2)])).toBe(false);
  expect(isClipped([full(3, -0.9995)])).toBe(true);
  expect(isClipped([full(2)], [full(1)])).toBe(true);
  expect(isClipped([full(2), full(1)])).toBe(false);
  expect(isClipped([Float32Array.of(1, 1, 0.5, 1, 1)])).toBe(false);
});

test('measures the same however sound is cut into blocks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { maxLength: 200 }),
      fc.nat(200),
      (samples, cut) => {
        const sound = Float32Array.from(samples);
        const whole = new LevelMeter();
        whole.push([sound]);
        const parts = new LevelMeter();
        parts.push([sound.subarray(0, cut)]);
        parts.push([sound.subarray(cut)]);
        const expected = whole.take();
        const actual = parts.take();
        expect(actual).toMatchObject({ peak: expected.peak, clipped: expected.clipped });
        expect(actual.rms).toBeCloseTo(expected.rms, 10);
      },
    ),
  );
});

test('reports clipping of a delivered channel that is quieter in the mix', () => {
  const meter = new LevelMeter();
  meter.push([full(3, 0.5)], [full(3), full(3, 0)]);
  expect(meter.take()).toEqual({ peak: 0.5, rms: 0.5, clipped: true });
});
