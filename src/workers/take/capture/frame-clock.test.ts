import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountedBlock, FrameClock, type PlacedBlock } from './frame-clock.ts';

const rateHz = 48_000;
const blockMs = 20;
const framesPerBlock = (rateHz * blockMs) / 1000;

interface World {
  /** How much slower (positive) or faster the sound card's clock is, in ppm. */
  driftPpm: number;
  /** Delay of each block in milliseconds; repeats. */
  jitterMs: number[];
  /** The machine hangs at `atMs`. Sound captured meanwhile is delivered in a burst. */
  hangs: { atMs: number; forMs: number }[];
  /** The machine sleeps at `atMs`. Sound is lost, and sound that was being delivered arrives late. */
  sleeps: { atMs: number; forMs: number; underWayMs: number }[];
  lengthMs: number;
}

interface TakenBlock extends CountedBlock {
  takenAtMs: number;
}

/** Simulates a machine for a frame clock. Returns the real capture time of each block with the clock's result. */
function capturedIn({ driftPpm, jitterMs, hangs, sleeps, lengthMs }: World): PlacedBlock<TakenBlock>[] {
  const clock = new FrameClock<TakenBlock>(rateHz);
  const captured: PlacedBlock<TakenBlock>[] = [];
  const realBlockMs = blockMs * (1 + driftPpm / 1_000_000);
  let [nowMs, arrivedMs, frame, count] = [0, 0, 0, 0];
  while (nowMs < lengthMs) {
    const sleep = sleeps.find(({ atMs, forMs }) => nowMs >= atMs && nowMs < atMs + forMs);
    if (sleep) nowMs = sleep.atMs + sleep.forMs;
    nowMs += realBlockMs;
    const stalls = [
      ...hangs,
      ...sleeps.map(({ atMs, forMs, underWayMs }) => ({
        atMs: atMs - underWayMs,
        forMs: forMs + underWayMs,
      })),
    ];
    const stall = stalls.find(({ atMs, forMs }) => nowMs >= atMs && nowMs < atMs + forMs);
    const lateMs = jitterMs[count % jitterMs.length] ?? 0;
    arrivedMs = Math.max(arrivedMs, (stall ? stall.atMs + stall.forMs : nowMs) + lateMs + 35);
    captured.push(
      ...clock.push({ frame, frames: framesPerBlock, takenAtMs: nowMs - realBlockMs }, arrivedMs),
    );
    frame += framesPerBlock;
    count += 1;
  }
  return [...captured, ...clock.release()];
}

const quiet = { driftPpm: 0, jitterMs: [0], hangs: [], sleeps: [], lengthMs: 10_000 };
const lossesOf = (captured: PlacedBlock<TakenBlock>[]) => captured.filter(({ lostMs }) => lostMs > 0);
const jitter = fc
  .array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 40 })
  .map((delays) => [0, ...delays]);
const drift = fc.integer({ min: -500, max: 500 });

test('never reports late or jittery sound of a drifting card as lost, and preserves the order', () => {
  const hangs = fc.array(
    fc.record({ atMs: fc.integer({ min: 0, max: 20_000 }), forMs: fc.integer({ min: 0, max: 6000 }) }),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(drift, jitter, hangs, (driftPpm, jitterMs, all) => {
      const captured = capturedIn({ ...quiet, driftPpm, jitterMs, hangs: all, lengthMs: 30_000 });
      expect(lossesOf(captured)).toEqual([]);
      expect(captured.map(({ block }) => block.frame)).toEqual(
        captured.map((_, index) => index * framesPerBlock),
      );
    }),
    { numRuns: 60 },
  );
});

test('never reports sound as lost if a short stall lies between blocks that are late by chance', () => {
  const lossesAfter = (jitterMs: number[], hang: World['hangs'][number]) =>
    lossesOf(capturedIn({ ...quiet, jitterMs, hangs: [hang], lengthMs: 30_000 }));
  expect(lossesAfter([0, 0, 41, 61, 0, 61, 0, 60, 0, 0, 0], { atMs: 12_621, forMs: 159 })).toEqual([]);
  expect(lossesAfter([0, 61, 0, 61, 0, 61, 0, 56, 0, 0, 0], { atMs: 3211, forMs: 94 })).toEqual([]);
});

/** The greatest error in what the clock says about a sleep: its length, later losses, or its position. */
function sleepErrorMs(driftPpm: number, jitterMs: number[], asleep: World['sleeps'][number]): number {
  const lengthMs = asleep.atMs + asleep.forMs + 4000;
  const captured = capturedIn({ ...quiet, driftPpm, jitterMs, sleeps: [asleep], lengthMs });
  // A few milliseconds that the first estimate missed may follow it.
  const [first, ...more] = lossesOf(captured);
  const before = captured[captured.findIndex(({ lostMs }) => lostMs > 0) - 1]?.block.takenAtMs ?? 0;
  const placeMs = before < asleep.atMs ? before + blockMs : before + blockMs - asleep.forMs;
  return Math.max(
    Math.abs((first?.lostMs ?? 0) - asleep.forMs),
    more.reduce((sum, loss) => sum + loss.lostMs, 0),
    Math.abs(placeMs - asleep.atMs),
  );
}

test('finds a sleep with its position and length within a tenth of a second', () => {
  const sleep = fc.record({
    atMs: fc.integer({ min: 3000, max: 9000 }),
    forMs: fc.integer({ min: 450, max: 60_000 }),
    underWayMs: fc.integer({ min: 0, max: 60 }),
  });
  const delays = jitter.map((all) => all.map((delayMs) => Math.min(60, delayMs)));
  fc.assert(
    fc.property(drift, delays, sleep, (driftPpm, jitterMs, asleep) => {
      expect(sleepErrorMs(driftPpm, jitterMs, asleep)).toBeLessThanOrEqual(100);
    }),
    { numRuns: 100 },
  );
});

test('finds a sleep at its position if all blocks just after it arrive late', () => {
  const cycle = [0, 60, 60, 60, 60, 60, 0, 0];
  expect(sleepErrorMs(-1, cycle, { atMs: 7200, forMs: 450, underWayMs: 41 })).toBeLessThanOrEqual(100);
  const lateFor400Ms = Array.from({ length: 400 }, (_, index) => (index >= 249 && index < 269 ? 75 : 0));
  expect(sleepErrorMs(0, lateFor400Ms, { atMs: 5000, forMs: 3000, underWayMs: 0 })).toBeLessThanOrEqual(100);
});

test('reports two sleeps as two losses', () => {
  const sleeps = [
    { atMs: 3000, forMs: 1000, underWayMs: 20 },
    { atMs: 6000, forMs: 5000, underWayMs: 20 },
  ];
  const losses = lossesOf(capturedIn({ ...quiet, sleeps, lengthMs: 16_000 })).map(
    ({ lostMs }) => Math.round(lostMs / 50) * 50,
  );
  expect(losses).toEqual([1000, 5000]);
});

test('loses nothing in twelve hours on a card that is 300 ppm slow', () => {
  const clock = new FrameClock<CountedBlock>(rateHz);
  let lostMs = 0;
  for (let index = 0; index < (12 * 3600 * 1000) / blockMs; index++) {
    for (const placed of clock.push(
      { frame: index * framesPerBlock, frames: framesPerBlock },
      (index + 1) * blockMs * 1.0003 + (index % 7),
    ))
      lostMs += placed.lostMs;
  }
  expect(lostMs).toBe(0);
});

test('passes on sound that arrives faster than real time as it arrives', () => {
  const clock = new FrameClock<CountedBlock>(rateHz);
  let passed = 0;
  for (let index = 0; index < 10_000; index++)
    passed += clock.push(
      { frame: index * framesPerBlock, frames: framesPerBlock },
      index * 0.1 + Math.floor(index / 500) * 300,
    ).length;
  expect(passed + clock.release().length).toBe(10_000);
  expect(passed).toBeGreaterThan(9900);
});

test('reports a hole in the frame count as a loss of exactly that length and position', () => {
  const clock = new FrameClock<CountedBlock>(rateHz);
  const captured: PlacedBlock<CountedBlock>[] = [];
  for (let index = 0; index < 100; index++) {
    const frame = index * framesPerBlock + (index >= 50 ? 4800 : 0);
    captured.push(
      ...clock.push({ frame, frames: framesPerBlock }, ((frame + framesPerBlock) * 1000) / rateHz),
    );
  }
  expect(captured.map(({ lostMs }, index) => [index, lostMs]).filter(([, lostMs]) => lostMs !== 0)).toEqual([
    [50, 100],
  ]);
});

test('dates blocks that waited in their port before the worker listened by their capture time', () => {
  const clock = new FrameClock<CountedBlock>(rateHz);
  const captured: PlacedBlock<CountedBlock>[] = [];
  // The first half second starts at 1000 and arrives all at once at 1500.
  for (let index = 0; index < 50; index++) {
    captured.push(
      ...clock.push(
        { frame: index * framesPerBlock, frames: framesPerBlock },
        Math.max(1500, 1000 + (index + 1) * blockMs),
      ),
    );
  }
  expect(captured[0]?.beganAtMs).toBeCloseTo(1000, 0);
  expect(captured).toHaveLength(50);
});

test('drops the snippet that a source delivers before it really starts', () => {
  const clock = new FrameClock<CountedBlock>(rateHz);
  const captured = clock.push({ frame: 0, frames: 128 }, 3);
  for (let index = 0; index < 50; index++) {
    const frame = 2048 + index * framesPerBlock;
    captured.push(
      ...clock.push({ frame, frames: framesPerBlock }, ((frame + framesPerBlock) * 1000) / rateHz),
    );
  }
  expect(captured[0]?.block.frame).toBe(2048);
  expect(captured.every(({ lostMs }) => lostMs === 0)).toBe(true);
});
