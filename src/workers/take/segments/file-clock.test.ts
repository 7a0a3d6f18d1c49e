import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { FileClock } from './file-clock.ts';

const packetMs = 20;
const packetsPerPiece = 12;

interface Recorder {
  lengthMs: number;
  /** Delay of each piece; repeats. */
  delayMs: readonly number[];
  driftPpm: number;
  losses: readonly { atMs: number; forMs: number }[];
}

/** A browser's recorder that writes Ogg in pieces of about 240 ms, and counts samples as browsers do. */
function clockOf({ lengthMs, delayMs, driftPpm, losses }: Recorder): FileClock {
  const stream = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 1,
    vendor: 'test',
  });
  const clock = new FileClock('ogg');
  const left = [...losses];
  for (const { bytes } of stream.headers()) clock.push(bytes, 0);
  let [nowMs, nth] = [0, 0];
  while (nowMs < lengthMs) {
    const pages: Uint8Array[] = [];
    for (let packet = 0; packet < packetsPerPiece; packet += 1) {
      nowMs += packetMs * (1 + driftPpm / 1_000_000);
      if (left[0] !== undefined && nowMs >= left[0].atMs) nowMs += left.shift()?.forMs ?? 0;
      // TOC 0x78: one frame of 20 ms.
      const page = stream.push(Uint8Array.from([0x78, 1, 2]));
      if (page !== null) pages.push(page.bytes);
    }
    const piece = Buffer.concat(pages);
    clock.push(piece, nowMs + (delayMs[nth % delayMs.length] ?? 0));
    nth += 1;
  }
  return clock;
}

const delays = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 5 });
const drift = fc.integer({ min: -300, max: 300 });

describe("a file of the browser's recorder", () => {
  test('has lost nothing, whatever its pieces are delayed by', () => {
    fc.assert(
      fc.property(delays, drift, fc.integer({ min: 1000, max: 60_000 }), (delayMs, driftPpm, lengthMs) => {
        const constant = delayMs.map((each, index) => (index === 0 ? 0 : each));
        expect(clockOf({ lengthMs, delayMs: constant, driftPpm, losses: [] }).lostMs).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('lacks what the browser lost in small pieces', () => {
    fc.assert(
      fc.property(drift, fc.integer({ min: 3, max: 40 }), (driftPpm, count) => {
        const losses = Array.from({ length: count }, (_, index) => ({
          atMs: 5000 + index * 700,
          forMs: 100,
        }));
        const clock = clockOf({ lengthMs: 42_000, delayMs: [0, 30, 90], driftPpm, losses });
        expect(Math.abs(clock.lostMs - count * 100)).toBeLessThanOrEqual(70);
        expect(Math.abs((clock.endMs ?? 0) + clock.lostMs - 42_000)).toBeLessThanOrEqual(1400);
      }),
      { numRuns: 20 },
    );
  });

  test('tells nothing about its length if it has no times', () => {
    const clock = new FileClock('webm');
    clock.push(new Uint8Array(500), 100);
    expect([clock.endMs, clock.lostMs]).toEqual([null, 0]);
  });
});
