import { expect, test } from 'vitest';
import { createNote, listNotes } from '#contract/notes-api.ts';
import { getAudio } from '#contract/recordings-api.ts';
import { getShareAudio, getSharePage, startListen } from '#contract/share-links-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Principal } from '#server/http/principal.ts';
import { createRequestBudget } from './request-budget.ts';

const ofShare = (shareId: string): Principal => ({ kind: 'share-locked', shareId, lacks: 'password' });

test('writes and reads below a share are limited together for a network, not for others', async () => {
  for (const endpoint of [startListen, getSharePage]) {
    const budget = createRequestBudget(() => true);
    const send = (shareId: string, ip: string) => budget.admit({ principal: ofShare(shareId), ip }, endpoint);
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
      Array.from({ length: 900 }, () => budget.admit({ principal: ofShare('one'), ip }, getSharePage)),
    );
  const isRejected = ({ status }: PromiseSettledResult<void>) => status === 'rejected';
  expect((await flood('10.0.0.1')).some(isRejected)).toBe(false);
  expect((await flood('198.51.100.7')).some(isRejected)).toBe(true);
});

const mebibyte = 1024 ** 2;
const ofUser = (userId: string, sessionId: string): Principal => ({
  kind: 'session',
  userId,
  role: 'member',
  sessionId,
  tokenHash: '',
  authTimeMs: 0,
});

test('texts of a user are limited by their bytes in all sessions, while sound and writes are not', async () => {
  let nowMs = 0;
  const budget = createRequestBudget(
    () => true,
    () => nowMs,
  );
  const sender = (session: string, user = 'a') => ({ principal: ofUser(user, session), ip: '198.51.100.7' });
  budget.spend(sender('1'), 40 * mebibyte);
  await budget.admit(sender('1'), listNotes);
  budget.spend(sender('2'), 40 * mebibyte);
  await expect(budget.admit(sender('3'), listNotes)).rejects.toMatchObject({
    code: 'rate-limited',
    retryAfterSeconds: 4,
  });
  await budget.admit(sender('3'), getAudio);
  await budget.admit(sender('3'), createNote);
  await budget.admit(sender('4', 'b'), listNotes);
  nowMs += 4000;
  await budget.admit(sender('3'), listNotes);
});

test('texts of links are limited by their bytes per network at one link, per network, and per link', async () => {
  const budget = createRequestBudget(
    () => true,
    () => 0,
  );
  const at = (shareId: string, ip: string) => ({ principal: ofShare(shareId), ip });
  budget.spend(at('one', '198.51.100.7'), 33 * mebibyte);
  await expect(budget.admit(at('one', '198.51.100.7'), getSharePage)).rejects.toThrow(ProblemError);
  await budget.admit(at('one', '198.51.100.7'), getShareAudio);
  await budget.admit(at('two', '198.51.100.7'), getSharePage);
  await budget.admit(at('one', '198.51.100.8'), getSharePage);
  budget.spend(at('two', '198.51.100.7'), 32 * mebibyte);
  await expect(budget.admit(at('three', '198.51.100.7'), getSharePage)).rejects.toThrow(ProblemError);
  for (let network = 0; network < 30; network += 1)
    budget.spend(at('four', `203.0.113.${network}`), 9 * mebibyte);
  await expect(budget.admit(at('four', '192.0.2.1'), getSharePage)).rejects.toThrow(ProblemError);
});
