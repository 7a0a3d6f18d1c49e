import { expect, test, vi } from 'vitest';
import { connection, trackedFetch } from './connection.ts';

/** Stubs fetch with a response that counts as the server's own. */
const answer = (status: number) => vi.stubGlobal('fetch', async () => new Response(null, { status }));
const fail = (error: Error) =>
  vi.stubGlobal('fetch', async () => {
    throw error;
  });

const problem = (status: number, code: string) =>
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(JSON.stringify({ instance: 'urn:uuid:1', code }), {
        status,
        headers: { 'content-type': 'application/problem+json' },
      }),
  );
const page = (status: number) =>
  vi.stubGlobal(
    'fetch',
    async () => new Response('<h1>proxy</h1>', { status, headers: { 'content-type': 'text/html' } }),
  );

test('reports the server as reachable after its own response and as gone after a network error or a proxy’s error', async () => {
  for (const [status, code] of [
    [401, 'session-required'],
    [403, 'forbidden'],
    [503, 'overloaded'],
    [503, 'unavailable'],
    [504, 'provider-slow'],
  ] as const) {
    problem(status, code);
    await trackedFetch('/api/x');
    expect(connection.getSnapshot()).toBe('there');
  }
  fail(new TypeError('Failed to fetch'));
  await expect(trackedFetch('/api/x')).rejects.toThrow('Failed to fetch');
  expect(connection.getSnapshot()).toBe('gone');
  for (const status of [404, 500, 502, 503, 504]) {
    answer(200);
    await trackedFetch('/api/x');
    page(status);
    await expect(trackedFetch('/api/x')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(connection.getSnapshot()).toBe('gone');
  }
});

test('reports a server that is shutting down as gone', async () => {
  problem(503, 'shutting-down');
  await trackedFetch('/api/x');
  expect(connection.getSnapshot()).toBe('gone');
});

test.each([200, 302, 401, 403, 407, 511])(
  'reports a gate for a page or redirect with %d from a proxy, until the server itself responds',
  async (status) => {
    if (status === 302) answer(302);
    else page(status);
    await expect(trackedFetch('/api/x')).rejects.toMatchObject({ kind: 'gate' });
    expect(connection.getSnapshot()).toBe('gated');
    answer(204);
    await trackedFetch('/api/x');
    expect(connection.getSnapshot()).toBe('there');
  },
);

test('does not change the connection state when a request is aborted', async () => {
  answer(204);
  await trackedFetch('/api/x');
  fail(new DOMException('called back', 'AbortError'));
  await expect(trackedFetch('/api/x')).rejects.toThrow('called back');
  expect(connection.getSnapshot()).toBe('there');
});
