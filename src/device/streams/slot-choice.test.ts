import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agedAfterMs, freeSlots, oldestFree, planPool, untilAgedMs } from './slot-choice.ts';
import type { SlotRecord } from '#device/records/slot-record.ts';

const hourMs = 3_600_000;
const slot = fc.record<SlotRecord>({
  name: fc.stringMatching(/^[a-f]{2}$/),
  createdAtMs: fc.nat(10 * hourMs),
  takenBy: fc.option(fc.stringMatching(/^[u-z]$/)),
  takenAtMs: fc.option(fc.nat(10 * hourMs)),
});
const slots = fc.uniqueArray(slot, { selector: ({ name }) => name, maxLength: 20 });

test('chooses the oldest free slot', () => {
  fc.assert(
    fc.property(slots, (all) => {
      const free = all.filter(({ takenBy }) => takenBy === null);
      const oldestMs = free.length > 0 ? Math.min(...free.map(({ createdAtMs }) => createdAtMs)) : undefined;
      const chosen = oldestFree(all);
      expect(chosen?.createdAtMs).toBe(oldestMs);
      expect(chosen?.takenBy ?? null).toBe(null);
    }),
  );
});

test('treats a slot as safe 90 s after its creation, and one with a future date as new', () => {
  expect(untilAgedMs({ createdAtMs: 1000 }, 1000)).toBe(agedAfterMs);
  expect(untilAgedMs({ createdAtMs: 1000 }, 31_000)).toBe(agedAfterMs - 30_000);
  expect(untilAgedMs({ createdAtMs: 1000 }, 91_000)).toBe(0);
  expect(untilAgedMs({ createdAtMs: 1000 }, 0)).toBe(agedAfterMs);
});

describe('filling the pool', () => {
  const found = fc.record({
    files: fc.uniqueArray(fc.stringMatching(/^[a-f]{2}$/)),
    uploadIds: fc.uniqueArray(fc.stringMatching(/^[u-z]$/)),
    nowMs: fc.nat(10 * hourMs),
  });

  test('leaves enough free slots, and reclaims none that a take uses or that was claimed within an hour', () => {
    fc.assert(
      fc.property(slots, found, (all, { files, uploadIds, nowMs }) => {
        const plan = planPool(all, { files, uploadIds: new Set(uploadIds), receipted: new Set(), nowMs });
        const free = all.filter(({ name, takenBy }) => takenBy === null && files.includes(name));
        expect(free.length + plan.adopt.length + plan.make).toBeGreaterThanOrEqual(freeSlots);
        for (const { takenBy, takenAtMs } of plan.reclaim) {
          expect(uploadIds).not.toContain(takenBy);
          expect(Math.abs(nowMs - (takenAtMs ?? 0))).toBeGreaterThan(hourMs);
        }
        for (const name of plan.forget) expect(all.find((known) => known.name === name)?.takenBy).toBe(null);
        for (const name of plan.adopt) expect(all.map((known) => known.name)).not.toContain(name);
      }),
    );
  });

  test('removes a log once the server and a file older than 90 s have its stream', () => {
    const taken = (createdAtMs: number, takenBy: string): SlotRecord => ({
      name: takenBy,
      createdAtMs,
      takenBy,
      takenAtMs: createdAtMs,
    });
    const all = [taken(0, 'old'), taken(0, 'unsent'), taken(hourMs - 1000, 'fresh')];
    const known = {
      files: ['old', 'unsent', 'fresh'],
      uploadIds: new Set(['old', 'unsent', 'fresh']),
      receipted: new Set(['old', 'fresh']),
      nowMs: hourMs,
    };
    expect(planPool(all, known).settled).toEqual(['old']);
  });
});
