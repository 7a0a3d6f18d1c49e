import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ElapsedClock } from './elapsed-clock.ts';

function clockOf() {
  const now = { monotonicMs: 1000, wallMs: 1_700_000_000_000 };
  const clock = new ElapsedClock({ monotonicMs: () => now.monotonicMs, wallMs: () => now.wallMs });
  const pass = (monotonicMs: number, wallMs = monotonicMs) => {
    now.monotonicMs += monotonicMs;
    now.wallMs += wallMs;
  };
  return { clock, pass };
}

test('counts time as it passes', () => {
  const { clock, pass } = clockOf();
  pass(20);
  expect(clock.nowMs()).toBe(20);
  pass(5000);
  expect(clock.nowMs()).toBe(5020);
});

test('counts a sleep during which the monotonic clock stopped', () => {
  const { clock, pass } = clockOf();
  pass(20);
  clock.nowMs();
  pass(300, 3_600_300);
  expect(clock.nowMs()).toBe(3_600_320);
});

test('ignores a wall clock that is set forward or back while the worker runs', () => {
  const { clock, pass } = clockOf();
  for (const jumpMs of [3_600_000, -7_200_000, 300, -300]) {
    pass(20, 20 + jumpMs);
    clock.nowMs();
  }
  expect(clock.nowMs()).toBe(80);
});

test('never goes back and never runs slower than the monotonic clock', () => {
  const steps = fc.array(
    fc.record({ monotonicMs: fc.nat(2000), wallMs: fc.integer({ min: -10_000_000, max: 10_000_000 }) }),
  );
  fc.assert(
    fc.property(steps, (all) => {
      const { clock, pass } = clockOf();
      for (const { monotonicMs, wallMs } of all) {
        const beforeMs = clock.nowMs();
        pass(monotonicMs, wallMs);
        expect(clock.nowMs() - beforeMs).toBeGreaterThanOrEqual(monotonicMs);
      }
    }),
  );
});
