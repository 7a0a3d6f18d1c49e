import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { minute } from '#base/duration.ts';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { peaksFormat } from '#contract/limits.ts';
import { someNumberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { wavFile } from '#tests/support/media/wav-files.ts';
import { loudMatroskaAt } from '#tests/support/strange-sound.ts';
import { decodePeaks } from './decode-peaks.ts';

// The media parser logs warnings about damaged files.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const peaksOf = (bytes: Uint8Array): Promise<Uint8Array | null> =>
  decodePeaks(new Blob([Uint8Array.from(bytes)]));
const bytesFor = (ms: number): number =>
  (ms / 1000) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint;

test('stops when it is aborted, and leaves the file to the server', async () => {
  const stop = new AbortController();
  stop.abort();
  const file = new Blob([Uint8Array.from(makeWav({ seconds: 1, sampleRateHz: 8000 }))]);
  expect(await decodePeaks(file)).not.toBeNull();
  expect(await decodePeaks(file, stop.signal)).toBeNull();
});

test('draws a hole between two pieces of sound as silence', async () => {
  const peaks = await peaksOf(loudMatroskaAt([0, 300]));
  expect(peaks?.length).toBe(bytesFor(400));
  expect(peaks?.slice(bytesFor(100), bytesFor(300)).every((point) => point === 0)).toBe(true);
  expect(peaks?.slice(bytesFor(300) + 1).some((point) => point !== 0)).toBe(true);
});

test.each([
  ['5 s', 5000],
  ['10 h', 36_000_000],
])('M9: draws sound whose timestamps start at %s from its first moment', async (_, atMs) => {
  expect(await peaksOf(loudMatroskaAt([atMs, atMs + 100]))).toEqual(await peaksOf(loudMatroskaAt([0, 100])));
});

test.each([
  ['big-endian', { isBigEndian: true }],
  ['24 bits in 32', { bits: 32, validBits: 24 } as const],
])('M3: leaves WAV that decoders misread to the server: %s', async (_, made) => {
  expect(await peaksOf(wavFile(made))).toBeNull();
  expect((await peaksOf(wavFile({})))?.length).toBe(bytesFor(3000));
});

test.each([3_600_000, 2 ** 36, 2 ** 52, 2 ** 62])(
  'leaves sound with a start at %d ms, later than its bytes allow, to the server',
  async (atMs) => {
    expect(await peaksOf(loudMatroskaAt([0, atMs]))).toBeNull();
  },
);

test.each([
  ['WAV', makeWav({ seconds: 1, sampleRateHz: 8000 })],
  ['Matroska', loudMatroskaAt([0, 100, 300])],
] as const)(
  'bounds the peaks of a file with damaged numbers by its size: %s',
  async (_, whole) => {
    await fc.assert(
      fc.asyncProperty(someNumberDamages(whole.length), async (damages) => {
        const peaks = await peaksOf(damages.reduce<Uint8Array>(withNumber, whole));
        expect(peaks === null || peaks.length <= bytesFor(maxSoundMsOf(whole.length) + 1000)).toBe(true);
      }),
      { numRuns: 300 },
    );
  },
  2 * minute,
);
