import { describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { scheduleSuite, type CiSuite } from './ci-schedule.ts';

const suite = (minutes: number, more: Partial<CiSuite> = {}): CiSuite => ({
  command: ['npm', 'run', 'suite'],
  minutes,
  ...more,
});

describe('the schedule of a CI run', () => {
  it('runs a suite that fits into the remaining time, and skips one that does not', () => {
    expect(scheduleSuite(suite(5), { leftMs: 5 * minute, later: [] })).toMatchObject({ run: true });
    expect(scheduleSuite(suite(5), { leftMs: 5 * minute - 1, later: [] })).toEqual({ run: false });
  });

  it('runs a required suite however little time is left', () => {
    expect(scheduleSuite(suite(5, { isRequired: true }), { leftMs: 0, later: [] })).toMatchObject({
      run: true,
    });
  });

  it('ends a suite that takes three times as long as usual', () => {
    expect(scheduleSuite(suite(5), { leftMs: 60 * minute, later: [] })).toMatchObject({
      timeoutMs: 15 * minute,
    });
  });

  it('ends a suite that is not required soon after the time is over', () => {
    expect(scheduleSuite(suite(5), { leftMs: 6 * minute, later: [] })).toMatchObject({
      timeoutMs: 11 * minute,
    });
    expect(scheduleSuite(suite(5, { isRequired: true }), { leftMs: 6 * minute, later: [] })).toMatchObject({
      timeoutMs: 15 * minute,
    });
  });

  it('grants extra minutes only from time that no later suite needs', () => {
    const faults = suite(4, { extraMinutes: 8 });
    const command = (granted: number) => ['npm', 'run', 'suite', '--minutes', String(granted)];
    expect(scheduleSuite(faults, { leftMs: 60 * minute, later: [suite(10)] })).toMatchObject({
      command: command(12),
    });
    expect(scheduleSuite(faults, { leftMs: 17 * minute, later: [suite(10)] })).toMatchObject({
      command: command(7),
    });
    expect(scheduleSuite(faults, { leftMs: 10 * minute, later: [suite(10)] })).toMatchObject({
      command: command(4),
    });
  });
});
