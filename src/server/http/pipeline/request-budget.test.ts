import { expect, test } from 'vitest';
import { getSharePage, startListen } from '#contract/share-links-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Principal } from '#server/http/principal.ts';
import { createRequestBudget } from './request-budget.ts';

const ofShare = (shareId: string): Principal => ({ kind: 'share-locked', shareId, lacks: 'password' });

test('writes and reads below a share are limited together for a network, not for others', async () => {
  for (const endpoint of [startListen, getSharePage]) {
    const budget = createRequestBudget(() => true);
    const send = (shareId: string, ip: string) => budget({ principal: ofShare(shareId), ip }, endpoint);
    const flood = await Promise.allSettled(Array.from({ length: 900 }, () => send('one', '2001:db8::1')));
    const rejected = flood.filter(({ status }) => status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThan(900);
    await expect(send('one', '2001:db8::2')).rejects.toThrow(ProblemError);
    await send('one', '2001:db8:0:1::1');
    await send('one', '198.51.100.7');
    await send('two', '2001:db8::1');
  }
});

test('listeners whose networks a proxy hides do not share one limit', async () => {
  const budget = createRequestBudget((ip) => ip !== '10.0.0.1');
  const flood = (ip: string) =>
    Promise.allSettled(
      Array.from({ length: 900 }, () => budget({ principal: ofShare('one'), ip }, getSharePage)),
    );
  const isRejected = ({ status }: PromiseSettledResult<void>) => status === 'rejected';
  expect((await flood('10.0.0.1')).some(isRejected)).toBe(false);
  expect((await flood('198.51.100.7')).some(isRejected)).toBe(true);
});
