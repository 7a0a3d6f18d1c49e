import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { errorStatus } from '#contract/errors.ts';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import {
  appHeaders,
  createCaller,
  digestField,
  sendRaw,
  sha256Hex,
  type Caller,
  type RawCall,
  type RawReply,
} from '#tests/support/raw-http.ts';

/** Starts the complete, listening server. A client that injects requests would normalise some of them. */
async function listeningServer(): Promise<{ url: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-bad-input-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const server = await startServer(readConfig({ PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent' }), {
    webDirectory: '/nowhere',
  });
  onTestFinished(() => server.stop());
  return server;
}

type Verdict = [number, keyof typeof errorStatus];
interface Case extends RawCall {
  name: string;
  status: number;
  code: keyof typeof errorStatus;
}

const take = {
  title: 'A',
  startedAt: '2026-11-21T09:00:00.000Z',
  timeZone: 'UTC',
  source: 'microphone',
  format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
};

function bodies(caller: Caller): Case[] {
  const headers = { ...appHeaders, cookie: caller.cookie, 'content-type': 'application/json' };
  const register = (
    name: string,
    body: string,
    verdict: Pick<Case, 'status' | 'code'> = { status: 422, code: 'validation' },
  ): Case => ({ name, method: 'PUT', path: `/api/recordings/${randomUUID()}`, headers, body, ...verdict });
  const malformed = { status: 400, code: 'malformed-request' } as const;
  const change = (name: string, body: unknown): Case => ({
    name,
    method: 'PATCH',
    path: `/api/recordings/${caller.recordingId}`,
    headers,
    body: JSON.stringify(body),
    status: 422,
    code: 'validation',
  });
  return [
    register('half a document', '{"title":', malformed),
    register('no document', '', malformed),
    register(
      'bytes that are no UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]).toString('latin1'),
      { status: 422, code: 'validation' },
    ),
    register('a number', '7'),
    register('null', 'null'),
    register('a list', '[]'),
    register('an unknown field', JSON.stringify({ ...take, owner: 'me' })),
    register('a prototype', '{"__proto__":{"title":"A"},"constructor":1}'),
    register('wrong types', JSON.stringify({ ...take, title: 7, format: 'ogg' })),
    register('a title of NUL', JSON.stringify({ ...take, title: 'a\0b' })),
    register('a device label with NUL', JSON.stringify({ ...take, deviceLabel: 'a\0b' })),
    register(
      'half a surrogate pair in the title',
      JSON.stringify({ ...take, title: 'x' }).replace('"x"', '"\\ud83d"'),
    ),
    register(
      'half a surrogate pair in the device label',
      JSON.stringify({ ...take, deviceLabel: 'x' }).replace('"x"', '"\\ud83d"'),
    ),
    register('an invalid instant', JSON.stringify({ ...take, startedAt: '2026-02-31T09:00:00.000Z' })),
    register('a body beyond the limit', JSON.stringify({ ...take, title: 'x'.repeat(300 * 1024) }), {
      status: 413,
      code: 'too-large',
    }),
    register('a deep document', `{"title":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, {
      status: 400,
      code: 'malformed-request',
    }),
    change('a title with a control character', { title: 'a\u0007b' }),
    change('another state', { state: 'ready' }),
    {
      name: 'text instead of JSON',
      method: 'PUT',
      path: `/api/recordings/${randomUUID()}`,
      headers: { ...headers, 'content-type': 'text/plain' },
      body: '{}',
      status: 415,
      code: 'unsupported-media-type',
    },
    {
      name: 'a compressed body',
      method: 'PUT',
      path: `/api/recordings/${randomUUID()}`,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: '{}',
      status: 415,
      code: 'unsupported-media-type',
    },
    {
      name: 'an invalid id',
      method: 'PUT',
      path: '/api/recordings/7',
      headers,
      body: JSON.stringify(take),
      status: 422,
      code: 'validation',
    },
    {
      name: 'a marker of NUL',
      method: 'POST',
      path: `/api/recordings/${caller.recordingId}/markers`,
      headers,
      body: JSON.stringify({ id: randomUUID(), atMs: 1, label: '\0' }),
      status: 422,
      code: 'validation',
    },
    {
      name: 'a marker before the start',
      method: 'POST',
      path: `/api/recordings/${caller.recordingId}/markers`,
      headers,
      body: JSON.stringify({ id: randomUUID(), atMs: -1 }),
      status: 422,
      code: 'validation',
    },
    {
      name: 'an e-mail of NUL',
      method: 'POST',
      path: '/auth/signup',
      headers: { ...appHeaders, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a\0@b', password: 'a quiet harbour at dusk 7' }),
      status: 422,
      code: 'validation',
    },
  ];
}

function addresses(caller: Caller): Case[] {
  const headers = { ...appHeaders, cookie: caller.cookie };
  const get = (path: string, [status, code]: Verdict, more: Record<string, string> = {}): Case => ({
    name: `GET ${path} ${JSON.stringify(more)}`,
    method: 'GET',
    path,
    headers: { ...headers, ...more },
    status,
    code,
  });
  const audio = `/api/recordings/${caller.recordingId}/audio`;
  return [
    get('/api/recordings?cursor=nonsense', [422, 'validation']),
    get('/api/recordings?cursor=%00', [422, 'validation']),
    get(`/api/recordings?cursor=${Buffer.from('{"startedAtMs":"x"}').toString('base64url')}`, [
      422,
      'validation',
    ]),
    get('/api/recordings?limit=0', [422, 'validation']),
    get('/api/recordings?limit=1e9', [422, 'validation']),
    get('/api/recordings?limit=1&limit=2', [422, 'validation']),
    get('/api/recordings?unknown=1', [422, 'validation']),
    get('/api/recordings?trashed=maybe', [422, 'validation']),
    get('/api/recordings?limit=0x10', [422, 'validation']),
    get('/api/recordings?limit=%20', [422, 'validation']),
    get('/api/recordings?search=a%00b', [422, 'validation']),
    get('/api/recordings/%ff', [400, 'malformed-request']),
    get('/api/recordings/%00', [404, 'not-found']),
    get('/api/recordings/..%2f..%2fetc%2fpasswd', [404, 'not-found']),
    get('/api/recordings/../../../etc/passwd', [404, 'not-found']),
    get('//api/recordings', [404, 'not-found']),
    get('/api//recordings', [404, 'not-found']),
    get('/api/nothing', [404, 'not-found']),
    get(`/api/recordings/${'x'.repeat(1000)}`, [404, 'not-found']),
    get('/assets/../../../../etc/passwd', [404, 'not-found']),
    get('/assets/..%2f..%2fpackage.json', [404, 'not-found']),
    get(audio, [416, 'range-not-satisfiable'], { range: 'bytes=99999999999999999999-' }),
    get(audio, [416, 'range-not-satisfiable'], { range: 'bytes=1000-2000' }),
    {
      name: 'POST to the list',
      method: 'POST',
      path: '/api/recordings',
      headers,
      status: 405,
      code: 'method-not-allowed',
    },
    {
      name: 'OPTIONS',
      method: 'OPTIONS',
      path: '/api/recordings',
      headers,
      status: 405,
      code: 'method-not-allowed',
    },
    {
      name: 'TRACE',
      method: 'TRACE',
      path: '/api/recordings',
      headers,
      status: 405,
      code: 'method-not-allowed',
    },
    {
      name: 'PROPFIND',
      method: 'PROPFIND',
      path: '/api/recordings',
      headers,
      status: 405,
      code: 'method-not-allowed',
    },
    {
      name: 'a page requested by POST',
      method: 'POST',
      path: '/library',
      headers,
      status: 404,
      code: 'not-found',
    },
  ];
}

function pieces(caller: Caller): Case[] {
  const bytes = Buffer.from('more');
  const tooLarge = Buffer.alloc(1024 * 1024 + 1);
  const path = `/api/uploads/${caller.uploadId}`;
  const good = {
    ...caller.bearer,
    'content-type': 'application/partial-upload',
    'upload-offset': '13',
    'upload-epoch': '1',
    'content-digest': digestField(bytes),
  };
  const patch = (name: string, headers: Record<string, string>, [status, code]: Verdict): Case => ({
    name,
    method: 'PATCH',
    path,
    headers: { ...good, ...headers },
    body: bytes,
    status,
    code,
  });
  const seal = (name: string, body: unknown, [status, code]: Verdict): Case => ({
    name,
    method: 'POST',
    path: `${path}/complete`,
    headers: { ...caller.bearer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    status,
    code,
  });
  return [
    patch('an offset behind', { 'upload-offset': '0' }, [409, 'offset-mismatch']),
    patch('an offset ahead', { 'upload-offset': '14' }, [409, 'offset-mismatch']),
    patch('an offset as a word', { 'upload-offset': 'thirteen' }, [422, 'validation']),
    patch('an offset in hexadecimal', { 'upload-offset': '0xd' }, [422, 'validation']),
    patch('an empty offset', { 'upload-offset': ' ' }, [422, 'validation']),
    patch('a digest of other bytes', { 'content-digest': digestField(Buffer.from('less')) }, [
      422,
      'checksum-mismatch',
    ]),
    patch('no digest', { 'content-digest': '' }, [422, 'validation']),
    patch('an epoch of zero', { 'upload-epoch': '0' }, [422, 'validation']),
    {
      ...patch('a request body too large', { 'content-digest': digestField(tooLarge) }, [413, 'too-large']),
      body: tooLarge,
    },
    patch('no token', { authorization: '' }, [401, 'upload-token-invalid']),
    patch('an unknown token', { authorization: 'Bearer x' }, [401, 'upload-token-invalid']),
    patch('a session instead of a token', { ...appHeaders, authorization: '', cookie: caller.cookie }, [
      401,
      'upload-token-invalid',
    ]),
    patch('another media type', { 'content-type': 'application/octet-stream' }, [
      415,
      'unsupported-media-type',
    ]),
    seal('a wrong length', { lengthBytes: 12, sha256: sha256Hex(caller.bytes), epoch: 1 }, [
      409,
      'offset-mismatch',
    ]),
    seal('a wrong hash', { lengthBytes: 13, sha256: sha256Hex(Buffer.from('x')), epoch: 1 }, [
      422,
      'checksum-mismatch',
    ]),
    seal('half a length', { lengthBytes: 12.5, sha256: sha256Hex(caller.bytes), epoch: 1 }, [
      422,
      'validation',
    ]),
    {
      name: 'reading with an upload token',
      method: 'GET',
      path: `/api/recordings/${caller.recordingId}`,
      headers: caller.bearer,
      status: 401,
      code: 'session-required',
    },
    {
      name: 'finishing before the end',
      method: 'POST',
      path: `/api/recordings/${caller.recordingId}/finish`,
      headers: { ...caller.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ durationMs: 1, segmentCount: 1, gaps: [], pauses: [] }),
      status: 409,
      code: 'offset-mismatch',
    },
    {
      name: 'a segment of another recording',
      method: 'PUT',
      path: `/api/uploads/${randomUUID()}`,
      headers: { ...caller.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({
        recordingId: randomUUID(),
        stream: 'audio',
        segmentIndex: 1,
        startMs: 0,
        epoch: 1,
      }),
      status: 403,
      code: 'forbidden',
    },
  ];
}

function verdictOf(reply: RawReply): string {
  const type = String(reply.headers['content-type']);
  if (!type.startsWith('application/problem+json'))
    return `${reply.status} ${type} ${reply.text.slice(0, 80)}`;
  const problem: unknown = JSON.parse(reply.text);
  return typeof problem === 'object' && problem !== null && 'code' in problem
    ? `${reply.status} ${String(problem.code)}`
    : `${reply.status} without a code`;
}

for (const [what, cases] of [
  ['bodies', bodies],
  ['addresses and methods', addresses],
  ['pieces, seals and tokens', pieces],
] as const) {
  test(`bad ${what} get the documented error and damage nothing`, async () => {
    const server = await listeningServer();
    const caller = await createCaller(server.url);
    const given: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const { name, status, code, ...call } of cases(caller)) {
      wanted[name] = `${status} ${code}`;
      given[name] = verdictOf(
        await sendRaw(server.url, call).catch((error: unknown) => ({
          status: 0,
          headers: {},
          text: String(error),
        })),
      );
    }
    expect(given).toEqual(wanted);
    const head = await sendRaw(server.url, {
      method: 'HEAD',
      path: `/api/uploads/${caller.uploadId}`,
      headers: caller.bearer,
    });
    expect([head.status, head.headers['upload-offset'], head.headers['repr-digest']]).toEqual([
      204,
      '13',
      digestField(caller.bytes),
    ]);
    const list = await sendRaw(server.url, {
      method: 'GET',
      path: '/api/recordings',
      headers: { cookie: caller.cookie },
    });
    expect((JSON.parse(list.text) as { items: { title: string }[] }).items.map(({ title }) => title)).toEqual(
      ['The well'],
    );
  });
}

test('every path works with a trailing slash, and HEAD responds as GET without a body', async () => {
  const server = await listeningServer();
  const caller = await createCaller(server.url);
  const headers = { ...appHeaders, cookie: caller.cookie };
  for (const path of [
    '/auth/session',
    '/api/recordings',
    `/api/recordings/${caller.recordingId}`,
    '/healthz',
  ]) {
    const [plain, slashed, head] = await Promise.all(
      [
        ['GET', path],
        ['GET', `${path}/`],
        ['HEAD', path],
      ].map(([method = '', address = '']) => sendRaw(server.url, { method, path: address, headers })),
    );
    expect([path, plain?.status, slashed?.status, slashed?.text, head?.status, head?.text]).toEqual([
      path,
      200,
      200,
      plain?.text,
      200,
      '',
    ]);
  }
  for (const path of ['/auth/login/', '/auth/signup/'])
    expect(
      verdictOf(
        await sendRaw(server.url, {
          method: 'POST',
          path,
          headers: { ...appHeaders, 'content-type': 'application/json' },
          body: '{}',
        }),
      ),
    ).toBe('422 validation');
  expect((await sendRaw(server.url, { method: 'POST', path: '/auth/logout/', headers })).status).toBe(204);
});
