import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, callForBytes, urlOf } from './call.ts';

const recordingId = '0190b1a2-0000-7000-8000-000000000001';
const markerId = '0190b1a2-0000-7000-8000-000000000002';
const marker = {
  id: markerId,
  recordingId,
  atMs: 1200,
  label: 'here',
  colour: 'blue',
  createdAt: '2026-01-01T00:00:00.000Z',
};

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const problem = (status: number, code: string, more: object = {}) =>
  new Response(
    JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:7', code, ...more }),
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});

describe('urlOf', () => {
  it('encodes parameters and leaves out undefined query values', () => {
    expect(urlOf('getRecording', { params: { recordingId: 'a/b' } })).toBe('/api/recordings/a%2Fb');
    expect(urlOf('listRecordings', { query: { search: 'ä & b', cursor: undefined, limit: 5 } })).toBe(
      '/api/recordings?search=%C3%A4+%26+b&limit=5',
    );
  });
});

describe('call', () => {
  it('sends its body as JSON and returns the reply', async () => {
    fetched.mockResolvedValue(json(marker, 201));
    expect(
      await call('createMarker', {
        params: { recordingId },
        body: { id: markerId, atMs: 1200, label: 'here' },
      }),
    ).toEqual(marker);
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe(`/api/recordings/${recordingId}/markers`);
    expect(init).toMatchObject({
      method: 'POST',
      body: JSON.stringify({ id: markerId, atMs: 1200, label: 'here' }),
    });
    expect(new Headers(init?.headers).get('content-type')).toBe('application/json');
    expect(new Headers(init?.headers).get('x-requested-with')).toBe('earshot');
  });

  it('sends no content type without a body and returns undefined for an empty reply', async () => {
    fetched.mockResolvedValue(new Response(null, { status: 204 }));
    expect(await call('removeMarker', { params: { recordingId, markerId } })).toBeUndefined();
    expect(new Headers(fetched.mock.calls[0]?.[1].headers).get('content-type')).toBeNull();
  });

  it('rejects with the code and the problem of an error response', async () => {
    fetched.mockResolvedValue(problem(429, 'rate-limited', { retryAfter: 8 }));
    await expect(call('logIn', { body: { email: 'a@b', password: 'x' } })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'rate-limited',
      status: 429,
      problem: { retryAfter: 8 },
    });
  });

  it('rejects as offline if no response arrives or the body breaks off', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(call('getSession')).rejects.toMatchObject({ code: 'offline', status: 0, problem: null });
    fetched.mockResolvedValueOnce(
      new Response(
        new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) }),
      ),
    );
    await expect(call('getSession')).rejects.toMatchObject({ code: 'offline' });
  });

  it.each([[401], [403], [511], [200]])(
    'reports a page with status %i from a proxy as a closed gate',
    async (status) => {
      fetched.mockResolvedValue(
        new Response('<h1>Sign in</h1>', { status, headers: { 'content-type': 'text/html' } }),
      );
      await expect(call('listRecordings')).rejects.toMatchObject({
        code: 'gate-closed',
        status: 0,
        problem: null,
      });
    },
  );

  it('reports a redirect as a closed gate and does not follow it', async () => {
    fetched.mockResolvedValue(
      new Response(null, { status: 302, headers: { location: 'https://sign-in.example/' } }),
    );
    await expect(call('listRecordings')).rejects.toMatchObject({ code: 'gate-closed', status: 0 });
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual' });
  });

  it('reports a success that is not JSON as an unreachable server', async () => {
    fetched.mockResolvedValue(
      new Response('welcome', { headers: { 'content-type': 'application/octet-stream' } }),
    );
    await expect(call('listRecordings')).rejects.toMatchObject({ code: 'server-unreachable', status: 0 });
  });

  it.each([
    [502, 'server-unreachable', 0],
    [504, 'server-unreachable', 0],
    [413, 'too-large', 413],
    [429, 'rate-limited', 429],
    [500, 'server-unreachable', 0],
    [404, 'server-unreachable', 0],
  ])('turns status %i of a response that is not the server’s own into %s', async (answered, code, status) => {
    fetched.mockResolvedValue(
      new Response('<h1>proxy</h1>', { status: answered, headers: { 'content-type': 'text/html' } }),
    );
    await expect(call('listRecordings')).rejects.toMatchObject({ code, status, problem: null });
  });

  it('rejects with the abort’s reason without sending anything', async () => {
    const abort = new AbortController();
    const reason = new Error('left the page');
    abort.abort(reason);
    await expect(call('listRecordings', { signal: abort.signal })).rejects.toBe(reason);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('rejects a reply that does not match the contract, in development', async () => {
    fetched.mockResolvedValue(json({ ...marker, atMs: 'soon' }));
    await expect(
      call('changeMarker', { params: { recordingId, markerId }, body: { label: 'x' } }),
    ).rejects.toThrow(/changeMarker/);
  });
});

describe('callForBytes', () => {
  it('sends the range and returns the response itself', async () => {
    fetched.mockResolvedValue(new Response(new Uint8Array([1, 2, 3]), { status: 206 }));
    const response = await callForBytes('getPeaks', {
      params: { recordingId },
      query: { points: 100 },
      range: 'bytes=0-2',
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
    expect(fetched.mock.calls[0]?.[0]).toBe(`/api/recordings/${recordingId}/peaks?points=100`);
    expect(new Headers(fetched.mock.calls[0]?.[1].headers).get('range')).toBe('bytes=0-2');
  });

  it('rejects with the problem’s code', async () => {
    fetched.mockResolvedValue(problem(416, 'range-not-satisfiable'));
    await expect(callForBytes('getPeaks', { params: { recordingId } })).rejects.toMatchObject({
      code: 'range-not-satisfiable',
    });
  });
});
