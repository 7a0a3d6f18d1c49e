import { expect, test } from 'vitest';
import { uploadErrorOf } from './upload-error.ts';

const answer = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  new Response(
    JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code }),
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

test('does not treat a success of the server as an error', async () => {
  expect(await uploadErrorOf(Response.json({ offset: 0 }))).toBeNull();
  expect(
    await uploadErrorOf(new Response(null, { status: 204, headers: { 'upload-offset': '5' } })),
  ).toBeNull();
});

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<h1>Sign in</h1>', { status, headers: { 'content-type': 'text/html', ...headers } });

test.each([200, 401, 403, 407, 511])(
  'makes a take wait for sign-in on a %d page in front of the server, without rejecting anything',
  async (status) => {
    expect(await uploadErrorOf(page(status, { 'retry-after': '86400' }))).toMatchObject({
      kind: 'gate',
      code: null,
      retryAfterMs: 0,
    });
  },
);

test('makes a take wait for sign-in on a redirect', async () => {
  expect(
    await uploadErrorOf(
      new Response(null, { status: 302, headers: { location: 'https://sign-in.example/' } }),
    ),
  ).toMatchObject({ kind: 'gate' });
});

test.each([
  [400, 'server'],
  [404, 'server'],
  [405, 'server'],
  [409, 'server'],
  [422, 'server'],
  [429, 'server'],
  [500, 'server'],
  [502, 'server'],
  [503, 'server'],
  [504, 'server'],
  [507, 'server'],
  [408, 'too-large'],
  [413, 'too-large'],
])('treats a proxy page with %d as %s, never as final', async (status, kind) => {
  expect(await uploadErrorOf(page(status, { 'retry-after': '86400' }))).toMatchObject({
    kind,
    code: null,
    retryAfterMs: 0,
  });
});

test('retries a server without its database as it does an overloaded one', async () => {
  expect(await uploadErrorOf(answer(503, 'unavailable', { 'retry-after': '10' }))).toMatchObject({
    kind: 'server',
    retryAfterMs: 10_000,
  });
});

test('S11: retries an overloaded server no sooner than it says', async () => {
  expect(await uploadErrorOf(answer(503, 'overloaded', { 'retry-after': '2' }))).toMatchObject({
    kind: 'server',
    retryAfterMs: 2000,
  });
});

test('S11: sends a body that did not arrive in time in smaller pieces', async () => {
  expect(await uploadErrorOf(answer(408, 'request-timeout'))).toMatchObject({ kind: 'too-large' });
  // A marker or note that can never be stored blocks nothing.
  expect(await uploadErrorOf(answer(413, 'too-much-text'))).toMatchObject({ kind: 'invalid' });
});

test.each([
  [421, 'misdirected-request'],
  [431, 'headers-too-large'],
  [503, 'shutting-down'],
])('retries after %d %s and never ends a take', async (status, code) => {
  expect(await uploadErrorOf(answer(status, code))).toMatchObject({ kind: 'server' });
});
