import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PointSource } from './peaks-pyramid.ts';
import { SoundComparison } from './sound-comparison.ts';

const sourceOf = (points: Int8Array): PointSource => ({
  points: points.length / 2,
  read: async (from, to) => points.slice(from * 2, to * 2),
});

/** Points of sound with these amplitudes, each for a number of points. */
const pointsOf = (parts: readonly { amplitude: number; points: number }[]): Int8Array =>
  Int8Array.from(
    parts.flatMap(({ amplitude, points }) =>
      Array.from({ length: points }, () => [-amplitude, amplitude]).flat(),
    ),
  );

/** Seconds in which a voice and silence alternate, so that each second has sound at known places. */
const voice = fc
  .array(
    fc.record({
      amplitude: fc.integer({ min: 20, max: 127 }),
      sound: fc.integer({ min: 20, max: 60 }),
      silence: fc.integer({ min: 40, max: 80 }),
    }),
    { minLength: 3, maxLength: 90 },
  )
  .map((parts) =>
    pointsOf([
      ...parts.flatMap(({ amplitude, sound, silence }) => [
        { amplitude: 0, points: silence },
        { amplitude, points: sound },
      ]),
      { amplitude: 0, points: 40 },
    ]),
  );

async function compared(expected: Int8Array, sound: Int8Array, pieceBytes = 202) {
  const comparison = new SoundComparison(sourceOf(expected));
  for (let at = 0; at < sound.length; at += pieceBytes)
    await comparison.push(sound.subarray(at, at + pieceBytes));
  return comparison.finish();
}

/** An encoder that does nothing worse than all of them: it shifts, quietens and smears a little. */
const encoded = (points: Int8Array, { shift, gain }: { shift: number; gain: number }): Int8Array =>
  points.map((_, index) => Math.round((points[index - 2 * shift] ?? 0) * gain));

test('sound that an encoder shifts and quietens within bounds is not lost, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      voice,
      fc.record({
        shift: fc.integer({ min: -9, max: 9 }),
        gain: fc.double({ min: 0.2, max: 1, noNaN: true }),
      }),
      fc.integer({ min: 1, max: 4000 }).map((points) => points * 2),
      async (points, changes, pieceBytes) => {
        expect(await compared(points, encoded(points, changes), pieceBytes)).toBeNull();
      },
    ),
    { numRuns: 60 },
  );
});

test('a second that an encoder silences is lost, at its place', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 127 }),
      fc.integer({ min: 2, max: 130 }),
      fc.nat(),
      async (amplitude, lengthS, any) => {
        const steady = pointsOf([{ amplitude, points: lengthS * 100 }]);
        const silenced = any % (lengthS - 1);
        const damaged = steady.map((value, index) => (Math.floor(index / 200) === silenced ? 0 : value));
        expect(await compared(steady, damaged)).toEqual({ atMs: silenced * 1000 });
      },
    ),
    { numRuns: 60 },
  );
});

const tone = pointsOf([{ amplitude: 60, points: 1000 }]);

test('sound that an encoder shifts by 200 ms, in either direction, is lost', async () => {
  await fc.assert(
    fc.asyncProperty(voice, fc.constantFrom(-20, 20), async (points, shift) => {
      expect(await compared(points, encoded(points, { shift, gain: 1 }))).not.toBeNull();
    }),
    { numRuns: 60 },
  );
});

test('the sound of a channel that an encoder drops is lost, where no other channel has any', async () => {
  const left = pointsOf([
    { amplitude: 60, points: 300 },
    { amplitude: 0, points: 300 },
  ]);
  const right = pointsOf([
    { amplitude: 0, points: 300 },
    { amplitude: 60, points: 300 },
  ]);
  const both = left.map((value, index) => value || (right[index] ?? 0));
  expect(await compared(both, both)).toBeNull();
  expect(await compared(both, left)).toEqual({ atMs: 3000 });
  expect(await compared(both, right)).toEqual({ atMs: 0 });
});

test('sound that ends early is lost, but not what codecs remove at the end', async () => {
  expect(await compared(tone, tone.subarray(0, 2 * 985))).toBeNull();
  expect(await compared(tone, tone.subarray(0, 2 * 900))).toEqual({ atMs: 9000 });
  expect(await compared(tone, new Int8Array(0))).toEqual({ atMs: 0 });
});

test.for([
  ['silence', pointsOf([{ amplitude: 0, points: 500 }])],
  ['a constant offset', Int8Array.from({ length: 1000 }, () => 40)],
  ['sound too quiet for the steps of a waveform', pointsOf([{ amplitude: 3, points: 500 }])],
  ['no waveform', new Int8Array(0)],
] as const)('nothing is missed of %s', async ([, points]) => {
  expect(await compared(points, new Int8Array(points.length))).toBeNull();
});
