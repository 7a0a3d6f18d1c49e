import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { GrowingOggTime } from '#audio/ogg/growing-ogg-time.ts';
import { GrowingMp4Time } from './growing-mp4-time.ts';
import { GrowingWebmTime, lastWebmBlockMs } from './webm-length.ts';

const webm = readFileSync('tests/fixtures/speech-1961.webm').subarray(0, 40_000);
const ogg = readFileSync('tests/fixtures/jfk-1961.opus').subarray(0, 40_000);

const uint32 = (value: number): number[] => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];
const box = (type: string, ...content: readonly number[][]): number[] => {
  const bytes = content.flat();
  return [...uint32(bytes.length + 8), ...Buffer.from(type, 'latin1'), ...bytes];
};
const track = (unitsPerSecond: number, defaultUnits: number): number[] =>
  box(
    'moov',
    box('trak', box('mdia', box('mdhd', uint32(0), uint32(0), uint32(0), uint32(unitsPerSecond), uint32(0)))),
    box('mvex', box('trex', uint32(0), uint32(1), uint32(1), uint32(defaultUnits), uint32(0), uint32(0))),
  );
const fragment = (atUnits: number, run: number[]): number[] => [
  ...box(
    'moof',
    box('traf', box('tfhd', uint32(0x020000), uint32(1)), box('tfdt', uint32(0), uint32(atUnits)), run),
  ),
  ...box('mdat', Array<number>(500).fill(7)),
];
const equalRun = (count: number): number[] => box('trun', uint32(0x1), uint32(count), uint32(0));
const listedRun = (...units: number[]): number[] =>
  box(
    'trun',
    uint32(0x301),
    uint32(units.length),
    uint32(0),
    units.flatMap((each) => [...uint32(each), ...uint32(9)]),
  );

const mp4 = Uint8Array.from([
  ...box('ftyp', uint32(0)),
  ...track(48_000, 1024),
  ...fragment(0, equalRun(10)),
  ...fragment(10_240, listedRun(1024, 1024, 960)),
]);

/** The last time that a reader knows after a file came in pieces of these sizes. */
function timeOf(
  reader: { push: (piece: Uint8Array) => void; readonly endMs: number | null },
  file: Uint8Array,
  sizes: readonly number[],
): number | null {
  for (let [at, nth] = [0, 0]; at < file.length; nth += 1) {
    const endByte = at + (sizes[nth % sizes.length] ?? 1);
    reader.push(file.subarray(at, endByte));
    at = endByte;
  }
  return reader.endMs;
}

const isUnknownOrPossible = (ms: number | null): boolean => ms === null || (ms >= 0 && ms <= maxSoundMs);

const sizes = fc.array(fc.integer({ min: 20, max: 5000 }), { minLength: 1, maxLength: 8 });

describe('the time of a growing file', () => {
  test('is the same in whatever pieces it comes', async () => {
    const webmMs = await lastWebmBlockMs({
      sizeBytes: webm.length,
      read: async (startByte, endByte) => webm.subarray(startByte, endByte),
    });
    expect(webmMs).toBeGreaterThan(1000);
    const oggMs = timeOf(new GrowingOggTime(), ogg, [ogg.length]);
    expect(oggMs).toBeGreaterThan(1000);
    fc.assert(
      fc.property(sizes, (pieces) => {
        // The last block is as long as the one before it.
        const pastLastMs = (timeOf(new GrowingWebmTime(), webm, pieces) ?? 0) - (webmMs ?? 0);
        expect(pastLastMs).toBeGreaterThan(0);
        expect(pastLastMs).toBeLessThanOrEqual(60);
        expect(timeOf(new GrowingOggTime(), ogg, pieces)).toBe(oggMs);
        expect(timeOf(new GrowingMp4Time(), mp4, pieces)).toBe(Math.floor((10_240 + 3008) / 48));
      }),
      { numRuns: 20 },
    );
  });

  test('is unknown before the first sound, and of another file', () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 97) & 255);
    for (const reader of [new GrowingWebmTime(), new GrowingOggTime(), new GrowingMp4Time()]) {
      expect(reader.endMs).toBe(null);
      expect(timeOf(reader, noise, [300])).toBe(null);
    }
  });

  test('is unknown where a damaged number is longer than the format allows, or longer than any recording', async () => {
    const damaged = Uint8Array.from(webm);
    damaged[0] = 0xe7;
    expect(timeOf(new GrowingWebmTime(), damaged, [129])).toSatisfy(isUnknownOrPossible);
    const header = [
      0x1a,
      0x45,
      0xdf,
      0xa3,
      0x80,
      0x18,
      0x53,
      0x80,
      0x67,
      0x01,
      ...Array<number>(7).fill(0xff),
    ];
    const cluster = [0x1f, 0x43, 0xb6, 0x75, 0x01, ...Array<number>(7).fill(0xff)];
    const farTime = [0xe7, 0x88, ...Array<number>(8).fill(0xff)];
    const block = [0xa3, 0x88, 0x81, 0, 0, 0x80, ...Array<number>(44).fill(0)];
    const far = Uint8Array.from([...header, ...cluster, ...farTime, ...block]);
    expect(timeOf(new GrowingWebmTime(), far, [far.length])).toBe(null);
    expect(
      await lastWebmBlockMs({ sizeBytes: far.length, read: async (from, to) => far.subarray(from, to) }),
    ).toBe(null);
  });

  test('survives damage anywhere', () => {
    const damage = fc.record({ at: fc.nat(), value: fc.nat(255), pieces: sizes });
    fc.assert(
      fc.property(damage, ({ at, value, pieces }) => {
        for (const [reader, file] of [
          [new GrowingWebmTime(), webm.subarray(0, 20_000)],
          [new GrowingMp4Time(), mp4],
          [new GrowingOggTime(), ogg.subarray(0, 20_000)],
        ] as const) {
          const damaged = Uint8Array.from(file);
          damaged[at % damaged.length] = value;
          const ms = timeOf(reader, damaged, pieces);
          expect(ms).toSatisfy(isUnknownOrPossible);
        }
      }),
      { numRuns: 300 },
    );
  });
});
