import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { holdLease, type LeaseTerms } from './held-lease.ts';

const never = new Promise<never>(() => undefined);

describe('a lease of a minute', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const held = (renew: LeaseTerms['renew'], options: Partial<LeaseTerms> = {}) =>
    holdLease({ leaseMs: minute, takenAtMs: performance.now(), renew, ...options });
  const lostAfter = async (signal: AbortSignal, maxMs: number): Promise<number | null> => {
    for (let passedMs = 0; passedMs <= maxMs; passedMs += second) {
      if (signal.aborted) return passedMs;
      await vi.advanceTimersByTimeAsync(second);
    }
    return null;
  };

  it('is held for as long as renewals are confirmed', async () => {
    const { signal, stop } = held(async () => true);
    expect(await lostAfter(signal, 10 * minute)).toBeNull();
    stop();
  });

  it('is lost ten seconds before it could run out, while a renewal hangs', async () => {
    expect(await lostAfter(held(() => never).signal, 2 * minute)).toBe(50 * second);
  });

  it('is lost when renewals fail for as long', async () => {
    const errors: unknown[] = [];
    const { signal } = held(() => Promise.reject(new Error('no connection')), {
      onError: (error) => errors.push(error),
    });
    expect(await lostAfter(signal, 2 * minute)).toBe(50 * second);
    expect(errors).toHaveLength(2);
  });

  it('counts a renewal from when it was sent, however late it is confirmed', async () => {
    let isFirst = true;
    const { signal } = held(async () => {
      if (!isFirst) return never;
      isFirst = false;
      await new Promise((resolve) => {
        setTimeout(resolve, 25 * second);
      });
      return true;
    });
    // It was sent after twenty seconds and confirmed after forty-five.
    expect(await lostAfter(signal, 2 * minute)).toBe(70 * second);
  });

  it('is lost at once when another process has it, or when it was granted too late', async () => {
    expect(await lostAfter(held(async () => false).signal, minute)).toBe(20 * second);
    expect(held(async () => true, { takenAtMs: performance.now() - minute }).signal.aborted).toBe(true);
  });

  it('sends nothing after it was stopped or lost', async () => {
    let sent = 0;
    const renew = async (): Promise<boolean> => {
      sent += 1;
      return false;
    };
    held(renew).stop();
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(sent).toBe(0);
    held(renew);
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(sent).toBe(1);
  });
});
