import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOutWindow, type TimeWindow } from './cut-segment.ts';
import type { ReadSegment } from './joined-bytes.ts';
import { readSegmentFacts } from './joined-facts.ts';
import { layOut } from './joined-layout.ts';
import {
  flawsOf,
  type Given,
  joinBytes,
  packetStarts,
  pagesOf,
  rangeOf,
  segmentOf,
  segmentsArbitrary,
} from './joined.suite.ts';
import { packetsOf } from './ogg-page.ts';
import { readOpusHead } from './opus-headers.ts';

const samplesPerMs = 48;
/**
 * A window starts with the 20 ms packet that is 6.5 ms before its first moment; near the end of a file with the
 * 200 ms page.
 */
const maxBeforeMs = { usually: 26.5, nearTheEnd: 226.5 };

async function cut(given: readonly Given[], window: TimeWindow, { isEnded = true, endMs = 0 } = {}) {
  const files = given.map((segment, index) => segmentOf(segment, 100 + index));
  const read: ReadSegment = async (segment, from, to) =>
    (files[segment] ?? new Uint8Array()).subarray(from, to);
  const reader = (segment: number) => (from: number, to: number) => read(segment, from, to);
  const segments = await Promise.all(
    given.map(async ({ startMs }, index) => ({
      startMs,
      facts: await readSegmentFacts(reader(index), files[index]?.length ?? 0),
    })),
  );
  const whole = layOut(segments, { isEnded, endMs });
  const layout = await layOutWindow(segments, reader, { window, isEnded, endMs });
  return {
    layout,
    read,
    whole,
    wholeBytes: await rangeOf({ layout: whole, read }, 0, whole.sizeBytes),
    bytes: await rangeOf({ layout, read }, 0, layout.sizeBytes),
  };
}

const preSkipOf = (bytes: Uint8Array): number => {
  const [page] = pagesOf(bytes);
  const [packet] = page ? packetsOf(page) : [];
  return (packet && readOpusHead(packet)?.preSkip) ?? Number.NaN;
};

/** The times at which the packets of a segment are played, in milliseconds of the stream. */
const playedAtMs = (bytes: Uint8Array, serialNumber: number): number[] =>
  packetStarts(bytes, serialNumber).map((samples) => (samples - preSkipOf(bytes)) / samplesPerMs);

const windowArbitrary = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.double({ min: 0.05, max: 1, noNaN: true }),
});

describe('a window of a timeline as a separate stream', () => {
  test('follows the rules of one Ogg/Opus stream, for any segments and window', async () => {
    await fc.assert(
      fc.asyncProperty(segmentsArbitrary, windowArbitrary, async (given, { from, length }) => {
        const { durationMs } = (await cut(given, { startMs: 0, endMs: Infinity })).whole;
        const startMs = Math.round(from * durationMs);
        const { bytes, layout } = await cut(given, {
          startMs,
          endMs: startMs + Math.round(length * durationMs) + 1,
        });
        expect(
          layout.durationMs === 0 ? [] : flawsOf(bytes, true).filter((flaw) => !flaw.endsWith('position')),
        ).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('plays its packets at the same time as the whole stream, with hardly any others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 200, max: 700 }),
        fc.integer({ min: 0, max: 13_000 }),
        fc.integer({ min: 500, max: 9000 }),
        async (packets, startMs, lengthMs) => {
          const given = [{ startMs: 0, packets, preSkip: 312, trimmedSamples: 0 }];
          const window = { startMs, endMs: startMs + lengthMs };
          const { bytes, wholeBytes } = await cut(given, window);
          const wanted = playedAtMs(wholeBytes, 100).filter(
            (atMs) => atMs + 20 > startMs && atMs < window.endMs,
          );
          const played = playedAtMs(bytes, 100).map((atMs) => atMs + startMs);
          expect(wanted.filter((atMs) => !played.some((at) => Math.abs(at - atMs) < 0.03))).toEqual([]);
          expect(
            played.filter((atMs) => atMs < startMs - maxBeforeMs.nearTheEnd || atMs > window.endMs + 200),
          ).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('is as long as the window, to the sample step of silence', async () => {
    const given = [
      { startMs: 0, packets: 500 },
      { startMs: 12_000, packets: 700 },
      { startMs: 40_000, packets: 200 },
    ];
    for (const [startMs, endMs] of [
      [0, 5000],
      [3777, 9000],
      [9000, 14_000],
      [10_500, 11_500],
      [13_333, 41_111],
      [30_000, 39_000],
    ] as const) {
      const { layout } = await cut(given, { startMs, endMs });
      expect(Math.abs(layout.durationMs - (endMs - startMs)), `${startMs} to ${endMs}`).toBeLessThanOrEqual(
        3,
      );
    }
  });

  test('is silent in a gap, and empty after the end', async () => {
    const given = [
      { startMs: 0, packets: 50 },
      { startMs: 60_000, packets: 50 },
    ];
    const { layout, bytes } = await cut(given, { startMs: 20_000, endMs: 30_000 });
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - 10_000)).toBeLessThanOrEqual(3);
    expect(playedAtMs(bytes, 100)).toEqual([]);
    expect((await cut(given, { startMs: 90_000, endMs: Infinity })).layout.durationMs).toBe(0);
  });

  test('gives a decoder 6.5 ms before its first moment, and less than a packet more', async () => {
    for (const startMs of [1000, 3333, 7777, 9999]) {
      const preSkip = preSkipOf(
        (await cut([{ startMs: 0, packets: 700 }], { startMs, endMs: Infinity })).bytes,
      );
      expect(preSkip).toBeGreaterThanOrEqual(312);
      expect(preSkip).toBeLessThanOrEqual(maxBeforeMs.usually * samplesPerMs);
    }
  });

  test('any ranges put together are the whole window', async () => {
    const { layout, read, bytes } = await cut(
      [
        { startMs: 0, packets: 500 },
        { startMs: 12_000, packets: 300 },
      ],
      { startMs: 4000, endMs: 15_000 },
    );
    const parts = await Promise.all(
      Array.from({ length: 37 }, (_, index) =>
        rangeOf(
          { layout, read },
          Math.floor((index * bytes.length) / 37),
          Math.floor(((index + 1) * bytes.length) / 37),
        ),
      ),
    );
    expect(joinBytes(parts)).toEqual(bytes);
  });

  test('never changes delivered bytes of a running take when more is recorded', async () => {
    const window = { startMs: 2000, endMs: 15_000 };
    const given = [
      { startMs: 0, packets: 333 },
      { startMs: 8000, packets: 200 },
      { startMs: 13_000, packets: 400 },
    ];
    const last = await cut(given, window, { isEnded: false });
    for (const count of [1, 2]) {
      const { bytes } = await cut(given.slice(0, count), window, { isEnded: false });
      expect(bytes).toEqual(last.bytes.subarray(0, bytes.length));
    }
    expect(
      flawsOf(last.bytes, true).filter((flaw) => !flaw.endsWith('position')),
      'a full window is ended',
    ).toEqual([]);
  });

  test('loses only the damaged pages', async () => {
    const file = segmentOf({ startMs: 0, packets: 1500 }, 100);
    const reader = (bytes: Uint8Array) => () => async (from: number, to: number) => bytes.subarray(from, to);
    const facts = await readSegmentFacts(reader(file)(), file.length);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(file.length - 3000), { minLength: 1, maxLength: 30 }),
        async (places) => {
          const hurt = file.slice();
          for (const at of places.filter((place) => place > 300)) hurt[at] = (hurt[at] ?? 0) ^ 0xff;
          const layout = await layOutWindow([{ startMs: 0, facts }], reader(hurt), {
            window: { startMs: 10_000, endMs: 20_000 },
            isEnded: true,
            endMs: 0,
          });
          expect(Math.abs(layout.durationMs - 10_000)).toBeLessThanOrEqual(1400);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('needs few reads for a window of a long take', async () => {
    const file = segmentOf({ startMs: 0, packets: 60_000 }, 100);
    const facts = await readSegmentFacts(async (from, to) => file.subarray(from, to), file.length);
    let readBytes = 0;
    await layOutWindow(
      [{ startMs: 0, facts }],
      () => async (from, to) => {
        readBytes += to - from;
        return file.subarray(from, to);
      },
      { window: { startMs: 600_000, endMs: 900_000 }, isEnded: true, endMs: 0 },
    );
    expect(readBytes).toBeLessThan(file.length / 10);
  });
});
