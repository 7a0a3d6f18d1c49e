import { expect, test } from 'vitest';
import { troubleOf } from './upload-trouble.ts';

const answer = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code }), { status, headers: { 'content-type': 'application/problem+json', ...headers } });

test('S11: a server without connections or descriptors to spare is asked again, no sooner than it says', async () => {
  expect(await troubleOf(answer(503, 'overloaded', { 'retry-after': '2' }))).toMatchObject({ kind: 'server', retryAfterMs: 2000 });
});

test('S11: a body that did not arrive in time is sent in smaller pieces', async () => {
  expect(await troubleOf(answer(408, 'request-timeout'))).toMatchObject({ kind: 'too-large' });
});

test.each([[421, 'misdirected-request'], [431, 'headers-too-large'], [503, 'shutting-down']])('an answer of %d %s never ends a take: it is tried again', async (status, code) => {
  expect(await troubleOf(answer(status, code))).toMatchObject({ kind: 'server' });
});
