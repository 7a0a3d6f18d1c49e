import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { FileClock, type FileLoss } from './file-clock.ts';

const packetMs = 20;

interface Recorder {
  /** Pages are of 10 packets: with as many, each piece ends with a page, as a WebM piece ends with a block. */
  packetsPerPiece?: number;
  lengthMs: number;
  /** Delay of each piece; repeats. */
  delayMs: readonly number[];
  driftPpm: number;
  losses: readonly { atMs: number; forMs: number }[];
}

interface Compared {
  /** In order, with the time at which each was found. */
  found: (FileLoss & { foundAtMs: number })[];
  lostMs: number;
  tailMs: number;
  endMs: number | null;
}

/** A browser's recorder that writes Ogg in pieces of 200 ms or more, and counts samples as browsers do. */
function compare({ packetsPerPiece = 10, lengthMs, delayMs, driftPpm, losses }: Recorder): Compared {
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
  const found: Compared['found'] = [];
  let [nowMs, nth, packets] = [0, 0, 0];
  clock.started(0);
  const take = (foundAtMs: number) =>
    found.push(...clock.takeLosses().map((loss) => ({ ...loss, foundAtMs })));
  while (nowMs < lengthMs) {
    const pages: Uint8Array[] = [];
    for (let packet = 0; packet < packetsPerPiece; packet += 1) {
      nowMs += packetMs * (1 + driftPpm / 1_000_000);
      if (left[0] !== undefined && nowMs >= left[0].atMs) nowMs += left.shift()?.forMs ?? 0;
      packets += 1;
      // TOC 0x78: one frame of 20 ms.
      const page = stream.push(Uint8Array.from([0x78, 1, 2]));
      if (page !== null) pages.push(page.bytes);
    }
    const piece = Buffer.concat(pages);
    const arrivedAtMs = nowMs + (delayMs[nth % delayMs.length] ?? 0);
    clock.push(piece, arrivedAtMs);
    take(arrivedAtMs);
    nth += 1;
  }
  for (const loss of left) nowMs += loss.forMs;
  // A recorder that is stopped writes what it has.
  clock.push(Buffer.concat(stream.finish(packets * 960).map(({ bytes }) => bytes)), nowMs);
  const tailMs = clock.finish(nowMs);
  take(nowMs);
  return { found, lostMs: found.reduce((sum, loss) => sum + loss.lostMs, 0), tailMs, endMs: clock.endMs };
}

const delays = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 5 });
const drift = fc.integer({ min: -300, max: 300 });
const recorders = fc.record({
  lengthMs: fc.integer({ min: 1000, max: 60_000 }),
  // The first piece is not delayed, as the delay of an encoder is that of every piece.
  delayMs: delays.map((each) => [0, ...each.slice(1)]),
  driftPpm: drift,
  packetsPerPiece: fc.constantFrom(10, 12, 15),
});

describe("a file of the browser's recorder", () => {
  test('has lost nothing, whatever its pieces are delayed by', () => {
    fc.assert(
      fc.property(recorders, (recorder) => {
        const { found, tailMs } = compare({ ...recorder, losses: [] });
        expect([found, tailMs]).toEqual([[], 0]);
      }),
      { numRuns: 100 },
    );
  });

  test('names each loss at its place to half a second, within three seconds', () => {
    const loss = fc.record({
      atMs: fc.integer({ min: 1000, max: 20_000 }),
      forMs: fc.integer({ min: 80, max: 3000 }),
    });
    fc.assert(
      fc.property(drift, loss, (driftPpm, { atMs, forMs }) => {
        const compared = compare({
          lengthMs: 30_000,
          delayMs: [0, 10, 30],
          driftPpm,
          losses: [{ atMs, forMs }],
        });
        const [first] = compared.found;
        // Until the loss, the file's time is the clock's.
        expect(Math.abs((first?.atMs ?? Infinity) - atMs)).toBeLessThanOrEqual(500);
        expect((first?.foundAtMs ?? Infinity) - (atMs + forMs)).toBeLessThanOrEqual(3000);
        expect(Math.abs(compared.lostMs - forMs)).toBeLessThanOrEqual(40);
      }),
      { numRuns: 100 },
    );
  });

  test('lacks what the browser lost in small pieces, spread as they were', () => {
    fc.assert(
      fc.property(drift, fc.integer({ min: 3, max: 40 }), (driftPpm, count) => {
        const losses = Array.from({ length: count }, (_, index) => ({
          atMs: 5000 + index * 700,
          forMs: 100,
        }));
        const { found, lostMs, endMs, tailMs } = compare({
          lengthMs: 42_000,
          delayMs: [0, 30, 90],
          driftPpm,
          losses,
        });
        expect(Math.abs(lostMs - count * 100)).toBeLessThanOrEqual(70);
        expect(Math.abs((endMs ?? 0) + lostMs + tailMs - 42_000)).toBeLessThanOrEqual(1400);
        let soFarMs = 0;
        for (const each of found) {
          // The place is one of the file, which lacks what was lost before it.
          const lostBefore = losses.filter(({ atMs }) => atMs <= each.atMs + soFarMs + 600).length * 100;
          expect(soFarMs + each.lostMs).toBeLessThanOrEqual(lostBefore + 70);
          soFarMs += each.lostMs;
        }
      }),
      { numRuns: 20 },
    );
  });

  test('shows a loss shortly before its end, and one after its last piece', () => {
    const recorder = { lengthMs: 12_000, delayMs: [0], driftPpm: 0 };
    const inside = compare({ ...recorder, losses: [{ atMs: 10_900, forMs: 400 }] });
    expect([inside.found.length, inside.tailMs]).toEqual([1, 0]);
    expect(Math.abs((inside.found[0]?.atMs ?? 0) - 10_900)).toBeLessThanOrEqual(500);
    const after = compare({ ...recorder, losses: [{ atMs: Infinity, forMs: 1990 }] });
    // The recorder is a page behind, which counts as its usual delay.
    expect(Math.abs(after.lostMs + after.tailMs - 1990)).toBeLessThanOrEqual(200);
    expect(after.found[0]?.atMs ?? 12_000).toBeGreaterThan(11_500);
  });

  test('lacks what was lost behind its first piece', () => {
    const { found } = compare({
      lengthMs: 8000,
      delayMs: [0],
      driftPpm: 0,
      losses: [{ atMs: 500, forMs: 1750 }],
    });
    expect(found.map(({ lostMs }) => Math.round(lostMs / 50) * 50)).toEqual([1750]);
    expect(Math.abs((found[0]?.atMs ?? 0) - 500)).toBeLessThanOrEqual(500);
  });

  test('lacks what was lost before its first piece, or in it', () => {
    for (const lengthMs of [1500, 8000]) {
      const { found, lostMs } = compare({
        lengthMs,
        delayMs: [0],
        driftPpm: 0,
        losses: [{ atMs: 100, forMs: 1100 }],
      });
      expect(found).toHaveLength(1);
      expect(found[0]?.atMs).toBeLessThanOrEqual(500);
      // The usual delay of an encoder does not count.
      expect(Math.abs(lostMs - 1100)).toBeLessThanOrEqual(200);
    }
  });

  test('tells nothing about its length if it has no times', () => {
    const clock = new FileClock('webm');
    clock.push(new Uint8Array(500), 100);
    expect([clock.endMs, clock.lostMs, clock.finish(5000)]).toEqual([null, 0, 0]);
  });
});
