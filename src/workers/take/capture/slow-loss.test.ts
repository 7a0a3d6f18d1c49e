import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountedBlock, FrameClock } from './frame-clock.ts';

const rateHz = 48_000;
const blockMs = 20;
const framesPerBlock = (rateHz * blockMs) / 1000;
const latencyMs = 35;

interface Machine {
  driftPpm: number;
  /** Delay of each block in milliseconds; repeats. */
  jitterMs: readonly number[];
  /** All sound captured meanwhile arrives in a burst after the stall. */
  stalls: readonly Span[];
  losses: readonly Span[];
  lengthMs: number;
}

interface Span {
  atMs: number;
  forMs: number;
}

/** A machine that loses sound without a hole in its count of frames. Returns what the clock finds, in real time. */
function foundIn({ driftPpm, jitterMs, stalls, losses, lengthMs }: Machine): Span[] {
  const clock = new FrameClock<CountedBlock & { takenAtMs: number }>(rateHz);
  const found: Span[] = [];
  const left = [...losses];
  const realBlockMs = blockMs * (1 + driftPpm / 1_000_000);
  let [nowMs, arrivedMs, frame] = [0, 0, 0];
  while (nowMs < lengthMs) {
    nowMs += realBlockMs;
    if (left[0] !== undefined && nowMs >= left[0].atMs) nowMs += left.shift()?.forMs ?? 0;
    const stall = stalls.find(({ atMs, forMs }) => nowMs >= atMs && nowMs < atMs + forMs);
    const jitter = jitterMs[(frame / framesPerBlock) % jitterMs.length] ?? 0;
    arrivedMs = Math.max(arrivedMs, (stall ? stall.atMs + stall.forMs : nowMs) + jitter + latencyMs);
    for (const { lostMs, block } of clock.push(
      { frame, frames: framesPerBlock, takenAtMs: nowMs },
      arrivedMs,
    ))
      if (lostMs > 0) found.push({ atMs: block.takenAtMs, forMs: lostMs });
    frame += framesPerBlock;
  }
  return found;
}

const sumOf = (spans: readonly Span[]): number => spans.reduce((sum, { forMs }) => sum + forMs, 0);
const drift = fc.integer({ min: -300, max: 300 });
/** Every fifth block arrives almost at once: no block before it is so late that it has to wait. */
const jitter = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 }).map((delays) =>
  delays.map((delayMs, index) => {
    const untilNext = Math.min(5 - (index % 5), delays.length - index);
    return index % 5 === 0 ? delayMs % 3 : Math.min(delayMs, untilNext * blockMs);
  }),
);
const stalls = fc.array(
  fc.record({ atMs: fc.integer({ min: 0, max: 40_000 }), forMs: fc.integer({ min: 0, max: 3000 }) }),
  { maxLength: 4 },
);
/** Losses at least a second apart, so that their places can be told from each other. */
const losses = fc
  .array(
    fc.record({ afterMs: fc.integer({ min: 1000, max: 5000 }), forMs: fc.integer({ min: 5, max: 300 }) }),
    {
      maxLength: 20,
    },
  )
  .map((steps) => {
    let atMs = 2000;
    return steps.map(({ afterMs, forMs }) => {
      const span = { atMs: atMs + afterMs, forMs };
      atMs += afterMs + forMs;
      return span;
    });
  });

describe('sound that is lost in small pieces', () => {
  test('is never invented from drift, jitter or bursts after stalls', () => {
    fc.assert(
      fc.property(drift, jitter, stalls, (driftPpm, jitterMs, all) => {
        expect(foundIn({ driftPpm, jitterMs, stalls: all, losses: [], lengthMs: 50_000 })).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('adds up to what was lost, within 20 ms or 5 % and losses that drift explains, each piece near its place', () => {
    fc.assert(
      fc.property(drift, jitter, losses, (driftPpm, jitterMs, lost) => {
        const lengthMs = (lost.at(-1)?.atMs ?? 0) + 4000;
        const found = foundIn({ driftPpm, jitterMs, stalls: [], losses: lost, lengthMs });
        const toleranceMs = Math.max(20, sumOf(lost) * 0.05);
        // Losses this small can look like the drift of a slow sound card, which is up to a millisecond in a second.
        const likeDriftMs = sumOf(lost.filter(({ forMs }) => forMs < 12));
        expect(sumOf(found)).toBeLessThanOrEqual(sumOf(lost) + toleranceMs);
        expect(sumOf(found)).toBeGreaterThanOrEqual(sumOf(lost) - likeDriftMs - toleranceMs);
        for (const { atMs } of found)
          expect(lost.some((span) => Math.abs(atMs - span.atMs) <= span.forMs + 1000)).toBe(true);
        for (const { atMs, forMs } of lost.filter((span) => span.forMs >= 50))
          expect(found.some((span) => Math.abs(span.atMs - atMs) <= forMs + 500)).toBe(true);
      }),
      {
        numRuns: 100,
        examples: [
          [
            0,
            [0],
            [
              { atMs: 3000, forMs: 5 },
              { atMs: 5475, forMs: 6 },
              { atMs: 10_472, forMs: 10 },
              { atMs: 11_482, forMs: 5 },
              { atMs: 12_487, forMs: 7 },
            ],
          ],
        ],
      },
    );
  });

  test('is noticed beside stalls', () => {
    const lost = Array.from({ length: 10 }, (_, index) => ({ atMs: 3000 + index * 3000, forMs: 60 }));
    const held = [4500, 13_500, 22_500].map((atMs) => ({ atMs, forMs: 800 }));
    const found = foundIn({
      driftPpm: 300,
      jitterMs: [0, 12, 30, 5],
      stalls: held,
      losses: lost,
      lengthMs: 34_000,
    });
    expect(Math.abs(sumOf(found) - 600)).toBeLessThanOrEqual(30);
  });

  test('is named less once late sound proves that a loss was none', () => {
    const late = Array.from({ length: 3000 }, (_, index) => (index >= 500 && index < 750 ? 40 : 0));
    const machine = { driftPpm: 0, jitterMs: late, stalls: [], lengthMs: 40_000 };
    const invented = sumOf(foundIn({ ...machine, losses: [] }));
    const found = sumOf(foundIn({ ...machine, losses: [{ atMs: 18_000, forMs: 100 }] }));
    expect(invented).toBeLessThanOrEqual(40);
    expect(Math.abs(found - 100)).toBeLessThanOrEqual(20);
  });
});
