import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { day, hour, minute, second } from '#base/duration.ts';
import { ProblemError } from '#server/http/problem.ts';
import { LoginThrottle, type LoginTry } from './login-throttle.ts';

const clock = { nowMs: () => Date.now() };

/** The seconds to wait; 0 if the attempt was allowed. */
async function waitOf(work: Promise<void>): Promise<number> {
  try {
    await work;
    return 0;
  } catch (error) {
    const isRejection =
      error instanceof ProblemError &&
      error.code === 'rate-limited' &&
      error.headers['Retry-After'] === String(error.retryAfterSeconds);
    if (!isRejection) throw error;
    return error.retryAfterSeconds ?? -1;
  }
}

describe('the throttle', () => {
  let throttle: LoginThrottle;
  let networks = 0;
  const from = (emailKey: string, given: Partial<LoginTry> = {}): LoginTry => ({
    emailKey,
    device: null,
    ip: `10.1.${Math.floor(networks / 250)}.${(networks += 1) % 250}`,
    ...given,
  });
  const attempt = (login: LoginTry) => waitOf(throttle.consumeLogin(login));

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) });
    throttle = new LoginThrottle({ clock });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('allows five failures per account, then doubles the wait from one second to fifteen minutes', async () => {
    const waits: number[] = [];
    for (let failure = 1; failure <= 20; failure += 1) {
      expect(await attempt(from('ann'))).toBe(0);
      const waitSeconds = await attempt(from('ann'));
      waits.push(waitSeconds);
      vi.setSystemTime(Date.now() + waitSeconds * second);
    }
    expect(waits.slice(2, 14)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('allows only the free guesses of concurrent ones from many networks', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => attempt(from('ann'))));
    expect(results.filter((wait) => wait === 0)).toHaveLength(5);
  });

  it('clears an account’s failures after the right password', async () => {
    for (let failure = 1; failure <= 4; failure += 1) await attempt(from('ann'));
    const right = from('ann');
    await throttle.consumeLogin(right);
    await throttle.succeeded(right);
    for (let failure = 1; failure <= 5; failure += 1) expect(await attempt(from('ann'))).toBe(0);
    expect(await attempt(from('ann'))).toBe(1);
  });

  it('clears an account’s failures after a day without any', async () => {
    for (let failure = 1; failure <= 5; failure += 1) await attempt(from('ann'));
    vi.setSystemTime(Date.now() + day);
    for (let failure = 1; failure <= 5; failure += 1) expect(await attempt(from('ann'))).toBe(0);
  });

  it('counts a known device separately from strangers', async () => {
    for (let failure = 1; failure <= 6; failure += 1) await attempt(from('ann'));
    expect(await attempt(from('ann', { device: 'laptop' }))).toBe(0);
    for (let failure = 1; failure <= 4; failure += 1) await attempt(from('ann', { device: 'laptop' }));
    expect(await attempt(from('ann', { device: 'laptop' }))).toBe(1);
  });

  it('counts clients whose network is not known together, twenty times as many, and no known device', async () => {
    throttle = new LoginThrottle({ clock, isClientNetwork: () => false });
    for (let failure = 1; failure < 400; failure += 1) expect(await attempt(from(`user ${failure}`))).toBe(0);
    const right = from('bob');
    expect(await attempt(right)).toBe(0);
    await throttle.succeeded(right);
    expect(await attempt(from('ann'))).toBe(0);
    expect(await attempt(from('eve'))).toBeGreaterThan(0);
    expect(await attempt(from('eve', { device: 'laptop' }))).toBe(0);
    vi.setSystemTime(Date.now() + 10 * minute);
    expect(await attempt(from('eve'))).toBe(0);
  });

  it('allows twenty failures per network in ten minutes, over all accounts', async () => {
    for (let failure = 1; failure <= 20; failure += 1)
      expect(await attempt(from(`p${failure}`, { ip: '192.0.2.1' }))).toBe(0);
    expect(await attempt(from('another', { ip: '192.0.2.1' }))).toBe(600);
    expect(await attempt(from('another', { ip: '192.0.2.2' }))).toBe(0);
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(await attempt(from('yet another', { ip: '192.0.2.1' }))).toBe(0);
  });

  it('counts the addresses of one IPv6 connection as one network', async () => {
    for (let failure = 1; failure <= 20; failure += 1)
      await attempt(from(`p${failure}`, { ip: `2001:db8:1:2::${failure}` }));
    expect(await attempt(from('another', { ip: '2001:db8:1:2:ffff::1' }))).toBeGreaterThan(0);
    expect(await attempt(from('another', { ip: '2001:db8:1:3::1' }))).toBe(0);
  });

  it('does not count a successful sign-in against its network', async () => {
    for (let time = 1; time <= 60; time += 1) {
      const login = from(`p${time}`, { ip: '192.0.2.1' });
      expect(await attempt(login)).toBe(0);
      await throttle.succeeded(login);
    }
  });

  it('allows ten sign-ups an hour per network and three per address', async () => {
    for (let index = 1; index <= 3; index += 1)
      expect(await waitOf(throttle.consumeSignUp({ ip: `192.0.2.${index}`, emailKey: 'ann' }))).toBe(0);
    expect(await waitOf(throttle.consumeSignUp({ ip: '192.0.2.4', emailKey: 'ann' }))).toBe(3600);
    for (let index = 1; index <= 10; index += 1)
      expect(await waitOf(throttle.consumeSignUp({ ip: '198.51.100.1', emailKey: `p${index}` }))).toBe(0);
    expect(await waitOf(throttle.consumeSignUp({ ip: '198.51.100.1', emailKey: 'p11' }))).toBe(3600);
    await vi.advanceTimersByTimeAsync(hour);
    expect(await waitOf(throttle.consumeSignUp({ ip: '198.51.100.1', emailKey: 'p11' }))).toBe(0);
  });
});
