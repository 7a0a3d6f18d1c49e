import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadSegment } from './joined-bytes.ts';
import { readSegmentFacts, soundMsOf } from './joined-facts.ts';
import { type JoinableSegment, layOut } from './joined-layout.ts';
import {
  flawsOf,
  type Given,
  joinBytes,
  packetStarts,
  rangeOf,
  segmentOf,
  segmentsArbitrary,
} from './joined.suite.ts';
import { maxOggPageBytes } from './ogg-page.ts';

async function join(
  given: readonly Given[],
  options: { isEnded: boolean; endMs?: number } = { isEnded: true },
) {
  const files = given.map((segment, index) => segmentOf(segment, 100 + index));
  return joinFiles(files, given, options);
}

async function joinFiles(
  files: readonly Uint8Array[],
  given: readonly { startMs: number }[],
  options: { isEnded: boolean; endMs?: number },
) {
  const read: ReadSegment = async (segment, from, to) =>
    (files[segment] ?? new Uint8Array()).subarray(from, to);
  const segments: JoinableSegment[] = await Promise.all(
    given.map(async ({ startMs }, index) => ({
      startMs,
      facts: await readSegmentFacts((from, to) => read(index, from, to), files[index]?.length ?? 0),
    })),
  );
  const layout = layOut(segments, options);
  return { layout, files, read, bytes: await rangeOf({ layout, read }, 0, layout.sizeBytes) };
}

describe('segments joined into one stream', () => {
  test('returns a single finished segment unchanged', async () => {
    const { bytes, files } = await join([{ startMs: 0, packets: 33 }]);
    expect(bytes).toEqual(files[0]);
  });

  test('follows the rules of one Ogg/Opus stream on every page, for any segments', async () => {
    await fc.assert(
      fc.asyncProperty(segmentsArbitrary, fc.boolean(), async (given, isEnded) => {
        const { bytes } = await join(given, { isEnded });
        expect(bytes.length === 0 ? [] : flawsOf(bytes, isEnded)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  test('returns the whole for any ranges put together', async () => {
    await fc.assert(
      fc.asyncProperty(
        segmentsArbitrary,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        async (given, cuts) => {
          const { layout, read, bytes } = await join(given);
          const at = [
            0,
            ...cuts.map((cut) => Math.floor(cut * layout.sizeBytes)).toSorted((a, b) => a - b),
            layout.sizeBytes,
          ];
          const parts = await Promise.all(
            at.slice(1).map((to, index) => rangeOf({ layout, read }, at[index] ?? 0, to)),
          );
          expect(joinBytes(parts)).toEqual(bytes);
          expect(bytes.length).toBe(layout.sizeBytes);
        },
      ),
      { numRuns: 120 },
    );
  });

  test('returns every byte of a silence whose last page is larger than a full one', async () => {
    const { layout, read, bytes } = await join([{ startMs: 0, packets: 20 }], { isEnded: true, endMs: 1381 });
    expect(bytes.length).toBe(layout.sizeBytes);
    for (let at = bytes.length - 300; at < bytes.length; at += 1)
      expect(await rangeOf({ layout, read }, at, bytes.length)).toEqual(bytes.subarray(at));
  });

  test('plays each segment at its time on the timeline, to within a sample step of silence', async () => {
    const given = [
      { startMs: 0, packets: 20 },
      { startMs: 1234, packets: 9, preSkip: 3840 },
      { startMs: 9001, packets: 50, channels: 2 as const },
    ];
    const { bytes } = await join(given);
    for (const [index, { startMs, preSkip = 312 }] of given.entries()) {
      const heardAt = (packetStarts(bytes, 100 + index)[0] ?? Number.NaN) + preSkip - 312;
      expect(heardAt / 48).toBeLessThanOrEqual(startMs);
      expect(heardAt / 48).toBeGreaterThan(startMs - 2.5);
    }
  });

  test('contains all packets of every segment in order, and otherwise only silence', async () => {
    const { bytes } = await join([
      { startMs: 0, packets: 25 },
      { startMs: 2000, packets: 31 },
    ]);
    expect([packetStarts(bytes, 100).length, packetStarts(bytes, 101).length]).toEqual([25, 31]);
  });

  test('replaces a segment without sound by silence, also the first', async () => {
    const { layout, bytes } = await joinFiles(
      [new Uint8Array(), segmentOf({ startMs: 0, packets: 50 }, 101), new Uint8Array(90)],
      [{ startMs: 0 }, { startMs: 3000 }, { startMs: 5000 }],
      { isEnded: true },
    );
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - 4000)).toBeLessThan(10);
  });

  test('fills a gap at the end with silence', async () => {
    const { layout, bytes } = await join([{ startMs: 0, packets: 50 }], { isEnded: true, endMs: 4500 });
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - 4500)).toBeLessThan(3);
  });

  test('never changes delivered bytes of a running take when more is recorded', async () => {
    const given = [
      { startMs: 0, packets: 33 },
      { startMs: 3000, packets: 40 },
      { startMs: 9000, packets: 12 },
    ];
    const last = await join(given, { isEnded: false });
    for (const count of [1, 2]) {
      const { bytes } = await join(given.slice(0, count), { isEnded: false });
      expect(bytes).toEqual(last.bytes.subarray(0, bytes.length));
    }
  });

  test('needs time by the number of segments only: 200 segments with a gap of eight hours', async () => {
    const given = Array.from({ length: 200 }, (_, index) => ({
      startMs: index * 1500 + (index > 100 ? 8 * 3_600_000 : 0),
      packets: 51,
    }));
    const { layout, bytes } = await join(given);
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - (8 * 3_600_000 + 199 * 1500 + 1011))).toBeLessThan(3);
  });

  test('skips a damaged page and leaves the pages around it unchanged', async () => {
    const files = [segmentOf({ startMs: 0, packets: 40 }, 100), segmentOf({ startMs: 0, packets: 200 }, 101)];
    const starts = [{ startMs: 0 }, { startMs: 2000 }];
    const whole = await joinFiles(files, starts, { isEnded: true });
    const [first = new Uint8Array(), second = new Uint8Array()] = files;
    const hurt = second.slice();
    const at = Math.floor(second.length / 2);
    hurt[at] = (hurt[at] ?? 0) ^ 0xff;
    const { layout, read, bytes } = await joinFiles([first, hurt], starts, { isEnded: true });
    expect(bytes.length).toBe(whole.bytes.length);
    const differing = bytes.reduce((count, byte, index) => count + (byte === whole.bytes[index] ? 0 : 1), 0);
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(maxOggPageBytes);
    const parts = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        rangeOf(
          { layout, read },
          Math.floor((index * bytes.length) / 40),
          Math.floor(((index + 1) * bytes.length) / 40),
        ),
      ),
    );
    expect(joinBytes(parts)).toEqual(bytes);
  });

  test('measures the length of a segment without its trimmed end', async () => {
    const file = segmentOf({ startMs: 0, packets: 50, trimmedSamples: 480 }, 1);
    const facts = await readSegmentFacts(async (from, to) => file.subarray(from, to), file.length);
    expect(facts && soundMsOf(facts)).toBe(Math.round((50 * 960 - 312 - 480) / 48));
  });

  test('finds no sound in bytes that are not Ogg/Opus', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        expect(await readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length)).toBeNull();
      }),
    );
  });
});
