import { describe, expect, it } from 'vitest';
import { balance, type NamedGap } from './account.ts';
import { sampleRateHz, synthesize } from './coded-signal.ts';
import { readCodes } from './read-codes.ts';

const rate = sampleRateHz;
const at = (ms: number) => Math.round((ms * rate) / 1000);
const cut = (signal: Float32Array, fromMs: number, toMs: number) => signal.subarray(at(fromMs), at(toMs));

function join(...parts: Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

const eightSeconds = synthesize(30, 110);
const account = (
  samples: Float32Array,
  gaps: NamedGap[] = [],
  expectedEndMs = (samples.length / rate) * 1000,
) => balance(readCodes(samples, rate), gaps, { timelineMs: (samples.length / rate) * 1000, expectedEndMs });

describe('the time-coded signal', () => {
  it('is one piece at the right time if nothing is missing', () => {
    const pieces = readCodes(eightSeconds, rate);
    expect(pieces).toHaveLength(1);
    expect(Math.abs((pieces[0]?.offsetMs ?? 0) - 3000)).toBeLessThanOrEqual(5);
    expect(account(eightSeconds)).toMatchObject({ unexplainedMs: 0, repeatedMs: 0, worstLossMs: 0 });
  });

  for (const [lossMs, fromMs] of [
    [60, 3020],
    [100, 3000],
    [100, 3037],
    [160, 4471],
    [1000, 2290],
  ] as const) {
    it(`detects ${lossMs} ms missing at ${fromMs} ms`, () => {
      const found = account(join(cut(eightSeconds, 0, fromMs), cut(eightSeconds, fromMs + lossMs, 8000)));
      expect(Math.abs(found.unexplainedMs - lossMs)).toBeLessThanOrEqual(20);
    });

    it(`detects ${lossMs} ms of silence at ${fromMs} ms, and accepts them as a named gap`, () => {
      const silenced = join(
        cut(eightSeconds, 0, fromMs),
        new Float32Array(at(lossMs)),
        cut(eightSeconds, fromMs + lossMs, 8000),
      );
      expect(Math.abs(account(silenced).unexplainedMs - lossMs)).toBeLessThanOrEqual(30);
      expect(account(silenced, [{ atMs: fromMs, durationMs: lossMs, cause: 'unknown' }]).unexplainedMs).toBe(
        0,
      );
    });
  }

  it('accepts missing audio that takes no time as a named loss up to half a second away', () => {
    const samples = join(cut(eightSeconds, 0, 3000), cut(eightSeconds, 3400, 8000));
    const loss = { durationMs: 0, cutMs: 400, cause: 'browser-busy' };
    const named = account(samples, [{ ...loss, atMs: 3450 }], 8000);
    expect([named.unexplainedMs, named.namedGapsMs]).toEqual([0, 400]);
    expect(account(samples, [{ ...loss, atMs: 3600 }]).unexplainedMs).toBeGreaterThan(350);
  });

  it('detects repeated audio, and audio in the wrong order', () => {
    expect(
      account(join(cut(eightSeconds, 0, 3000), cut(eightSeconds, 2500, 8000))).repeatedMs,
    ).toBeGreaterThan(450);
    expect(
      account(
        join(
          cut(eightSeconds, 0, 2000),
          cut(eightSeconds, 3000, 4000),
          cut(eightSeconds, 2000, 3000),
          cut(eightSeconds, 4000, 8000),
        ),
      ).repeatedMs,
    ).toBeGreaterThan(1900);
  });

  it('detects a missing end', () => {
    expect(Math.abs(account(cut(eightSeconds, 0, 7000), [], 8000).unexplainedMs - 1000)).toBeLessThanOrEqual(
      30,
    );
  });

  it('counts the real loss of a kill, not the upper bound of its gap', () => {
    const found = account(
      cut(eightSeconds, 0, 7000),
      [{ atMs: 7000, durationMs: 300, cause: 'page-killed' }],
      7090,
    );
    expect(found.unexplainedMs).toBe(0);
    expect(Math.abs(found.worstLossMs - 90)).toBeLessThanOrEqual(30);
    expect(
      account(cut(eightSeconds, 0, 7000), [{ atMs: 7000, durationMs: 300, cause: 'page-killed' }], 8000)
        .unexplainedMs,
    ).toBeGreaterThan(650);
  });

  it('blames the microphone for a named silence if the signal stopped, and the fault if it continued', () => {
    const silence = new Float32Array(at(180));
    const gap = { atMs: 3000, durationMs: 180, cause: 'unknown' };
    const stoodStill = join(cut(eightSeconds, 0, 3000), silence, cut(eightSeconds, 3000, 8000));
    expect(account(stoodStill, [gap])).toMatchObject({ unexplainedMs: 0, worstLossMs: 0 });
    expect(account(stoodStill).unexplainedMs).toBeGreaterThan(150);
    expect(account(stoodStill, [{ ...gap, cause: 'microphone-lost' }]).worstLossMs).toBe(180);
    const wentOn = join(cut(eightSeconds, 0, 3000), silence, cut(eightSeconds, 3180, 8000));
    expect(account(wentOn, [gap]).worstLossMs).toBe(180);
  });

  it('accepts a gap that is named elsewhere only if the caller allows that distance', () => {
    const samples = join(cut(eightSeconds, 0, 3000), cut(eightSeconds, 3300, 8000));
    const gaps = [{ atMs: 3450, durationMs: 300, cause: 'browser-busy' }];
    const within = (placeMs: number) =>
      balance(readCodes(samples, rate), gaps, { timelineMs: 7700, expectedEndMs: 7700, placeMs })
        .unexplainedMs;
    expect(within(500)).toBe(0);
    expect(within(300)).toBeGreaterThan(250);
  });

  it('accepts a reopened device as a new start if the time between is named', () => {
    const again = join(cut(eightSeconds, 0, 4000), new Float32Array(at(900)), synthesize(1, 30));
    expect(account(again, [{ atMs: 4000, durationMs: 900, cause: 'microphone-lost' }])).toMatchObject({
      unexplainedMs: 0,
      repeatedMs: 0,
    });
    expect(account(again).unexplainedMs).toBeGreaterThan(850);
  });
});
