import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentFragment, parseMoment, parseTime, rangeFragment } from './moment.ts';

describe('a moment in a link', () => {
  test.each([
    ['#t=83.5', 83_500],
    ['#t=75', 75_000],
    ['#t=75s', 75_000],
    ['#t=1m15s', 75_000],
    ['#t=1h', 3_600_000],
    ['#t=1h2m3s', 3_723_000],
    ['#t=1:23', 83_000],
    ['#t=1:02:03.5', 3_723_500],
    ['#t=0:05', 5_000],
    ['t=9', 9_000],
    ['#x=1&t=4', 4_000],
    ['#t=npt:10', 10_000],
  ])('parses %s', (fragment, fromMs) => {
    expect(parseMoment(fragment)).toEqual({ fromMs, toMs: null });
  });

  test.each(['', '#', '#t=', '#t=abc', '#t=-5', '#t=1:99', '#t=s', '#t=1m2', '#t=NaN', '#t=1e3', '#title=3'])(
    'rejects %s',
    (fragment) => {
      expect(parseMoment(fragment)).toBeNull();
    },
  );

  test('parses a range, and drops an end that is not after the start', () => {
    expect(parseMoment('#t=10,20')).toEqual({ fromMs: 10_000, toMs: 20_000 });
    expect(parseMoment('#t=,20')).toEqual({ fromMs: 0, toMs: 20_000 });
    expect(parseMoment('#t=20,10')).toEqual({ fromMs: 20_000, toMs: null });
  });

  test('opens a copied link within 50 ms of the copied position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400_000 }), (atMs) => {
        const fromMs = parseMoment(momentFragment(atMs))?.fromMs ?? Number.NaN;
        expect(Math.abs(fromMs - atMs)).toBeLessThanOrEqual(50);
      }),
    );
  });

  test('adds up hours, minutes and seconds in every spelling', () => {
    const part = fc.integer({ min: 0, max: 59 });
    fc.assert(
      fc.property(part, part, part, (h, m, s) => {
        const ms = ((h * 60 + m) * 60 + s) * 1000;
        expect(parseTime(`${h}h${m}m${s}s`)).toBe(ms);
        expect(parseTime(`${h}:${m}:${s}`)).toBe(ms);
        expect(parseTime(String(ms / 1000))).toBe(ms);
      }),
    );
  });
});

test('writes a range so that parsing returns the same range', () => {
  expect(rangeFragment({ fromMs: 83_500, toMs: 90_000 })).toBe('#t=83.5,90');
  expect(parseMoment(rangeFragment({ fromMs: 0, toMs: 1200 }))).toEqual({ fromMs: 0, toMs: 1200 });
});
