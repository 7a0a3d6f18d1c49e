import { connect } from 'node:net';
import { expect, describe, test } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { append, apiOnSqlite, startTake, newTake, problemOf } from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';

const start = async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  return { api, user, url: `/api/recordings/${newId()}` };
};

describe('identification', () => {
  test('answers session-required without a session and session-expired with an old one, both with a challenge', async () => {
    const { api, user } = await start();
    const nobody = await api.as(null, { url: '/api/recordings' });
    api.expireSession(user);
    const expired = await api.as(user, { url: '/api/recordings' });
    expect(
      [nobody, expired].map((answer) => [
        answer.statusCode,
        problemOf(answer).code,
        answer.headers['www-authenticate'],
      ]),
    ).toEqual([
      [401, 'session-required', 'Session realm="earshot"'],
      [401, 'session-expired', 'Session realm="earshot"'],
    ]);
  });

  test('rejects an unidentified caller before it reports anything about the body', async () => {
    const { api, url } = await start();
    expect(
      (
        await api.as(null, {
          method: 'PUT',
          url,
          headers: { 'content-type': 'text/plain' },
          payload: 'x'.repeat(serverLimits.jsonBodySizeBytes * 2),
        })
      ).statusCode,
    ).toBe(401);
  });

  test('rejects a request meant for another user', async () => {
    const { api, user } = await start();
    const answer = await api.as(user, {
      url: '/api/recordings',
      headers: { 'x-expected-principal': newId() },
    });
    expect([answer.statusCode, problemOf(answer).code]).toEqual([409, 'principal-changed']);
    expect(
      (await api.as(user, { url: '/api/recordings', headers: { 'x-expected-principal': user.id } }))
        .statusCode,
    ).toBe(200);
  });
});

describe('cross-site writes', () => {
  const own = 'http://localhost';
  test.for([
    ['fetch metadata says cross-site', { 'sec-fetch-site': 'cross-site', origin: own }],
    ['fetch metadata says same-site', { 'sec-fetch-site': 'same-site', origin: own }],
    ['the origin is foreign', { origin: 'https://evil.example' }],
    ['the origin is opaque', { origin: 'null' }],
    ['neither metadata nor origin came, but a cookie did', { origin: undefined }],
    ['a cookie came without X-Requested-With', { 'x-requested-with': undefined }],
    ['the origin has another scheme', { origin: 'https://localhost' }],
    [
      'a bearer token came with the cookie, without the other headers',
      { authorization: 'Bearer x', 'x-requested-with': undefined },
    ],
  ] as const)('are rejected when %s', async ([, headers]) => {
    const { api, user, url } = await start();
    const sent = Object.fromEntries(
      Object.entries({
        origin: own,
        'x-requested-with': 'earshot',
        cookie: `sid=${user.cookie}`,
        ...headers,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const answer = await api.app.inject({ method: 'PUT', url, headers: sent, payload: newTake });
    expect([answer.statusCode, problemOf(answer).code]).toEqual([403, 'cross-site']);
  });

  test.for([
    ['fetch metadata says same-origin', { 'sec-fetch-site': 'same-origin', origin: 'http://somewhere.else' }],
    ['the origin is the configured one', { origin: own }],
    ['the origin is the host itself', { origin: 'http://127.0.0.1:4000', host: '127.0.0.1:4000' }],
  ] as const)('do not include a request where %s', async ([, headers]) => {
    const { api, user, url } = await start();
    expect((await api.as(user, { method: 'PUT', url, headers, payload: newTake })).statusCode).toBe(201);
  });

  test('a program with a bearer token needs neither header', async () => {
    const { api, user } = await start();
    const take = await startTake(api, user);
    expect(
      (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from('x') })).statusCode,
    ).toBe(204);
  });
});

test('answers not-found for a path segment that is too long', async () => {
  const { api, user } = await start();
  const answer = await api.as(user, { url: `/api/recordings/${'a'.repeat(700)}` });
  expect([answer.statusCode, problemOf(answer).code]).toEqual([404, 'not-found']);
});

describe('request bodies', () => {
  test.for([
    ['['.repeat(5000), 400, 'malformed-request'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 400, 'malformed-request'],
    [`${'['.repeat(32)}${']'.repeat(32)}`, 422, 'validation'],
    [`{"title":"\\"${'['.repeat(99)}"}`, 422, 'validation'],
    ['{', 400, 'malformed-request'],
    ['', 400, 'malformed-request'],
    ['[]', 422, 'validation'],
    ['null', 422, 'validation'],
    ['"x"', 422, 'validation'],
    ['{"__proto__":{"title":"x"}}', 422, 'validation'],
    [Buffer.from([0x22, 0xff, 0x22]), 400, 'malformed-request'],
  ] as const)('a body of %j is answered %d %s', async ([payload, status, code]) => {
    const { api, user, url } = await start();
    const answer = await api.as(user, {
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect([answer.statusCode, problemOf(answer).code]).toEqual([status, code]);
  });

  test.for(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'rejects a body of type %s',
    async (type) => {
      const { api, user, url } = await start();
      const answer = await api.as(user, {
        method: 'PUT',
        url,
        headers: { 'content-type': type },
        payload: '{}',
      });
      expect([answer.statusCode, problemOf(answer).code]).toEqual([415, 'unsupported-media-type']);
    },
  );

  test('rejects a huge body as too large', async () => {
    const { api, user, url } = await start();
    const answer = await api.as(user, {
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ title: 'x'.repeat(serverLimits.jsonBodySizeBytes) }),
    });
    expect([answer.statusCode, problemOf(answer).code]).toEqual([413, 'too-large']);
  });

  test('names every rejected field, not only the first', async () => {
    const { api, user, url } = await start();
    const answer = await api.as(user, {
      method: 'PUT',
      url,
      payload: { ...newTake, title: 'x'.repeat(201), 'a/b~c': 1, timeZone: 7 },
    });
    expect(
      problemOf(answer)
        .errors?.map(({ pointer, code }) => `${pointer} ${code}`)
        .sort(),
    ).toEqual(['/a~1b~0c unknown-field', '/timeZone type', '/title too-long']);
  });

  test('stores nothing of an append that is cut off in the middle', async () => {
    const { api, user } = await start();
    const take = await startTake(api, user);
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from('whole') });
    const address = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
    const arrived = new Promise((resolve) => {
      api.app.server.once('request', (request) => request.once('close', resolve));
    });
    const socket = connect(Number(address.port), '127.0.0.1');
    socket.write(
      `PATCH /api/uploads/${take.audioId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${take.token}\r\nContent-Type: application/partial-upload\r\nUpload-Offset: 5\r\nUpload-Epoch: 1\r\nContent-Digest: sha-256=:${'A'.repeat(43)}=:\r\nContent-Length: 1000\r\n\r\nonly the beginning`,
      () => setImmediate(() => socket.destroy()),
    );
    await arrived;
    const next = await append(api, take, {
      uploadId: take.audioId,
      offset: 5,
      bytes: Buffer.from(' and more'),
    });
    expect([next.statusCode, next.headers['upload-offset']]).toEqual([204, '14']);
  });
});

describe('every response', () => {
  test('has the security headers', async () => {
    const { api } = await start();
    const { headers } = await api.as(null, { url: '/api/recordings' });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'permissions-policy': expect.stringContaining('microphone=(self)'),
    });
  });

  test('that is a problem has its code, its status and the request id', async () => {
    const { api } = await start();
    const answer = await api.as(null, { url: '/api/nothing/here' });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(problemOf(answer)).toEqual({
      type: '/problems/not-found',
      title: expect.any(String),
      status: 404,
      code: 'not-found',
      instance: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    });
  });

  test('to a wrong method lists the allowed ones, with or without a trailing slash', async () => {
    const { api, user } = await start();
    for (const url of ['/api/recordings', '/api/recordings/']) {
      const answer = await api.as(user, { method: 'DELETE', url });
      expect([answer.statusCode, problemOf(answer).code, answer.headers['allow']]).toEqual([
        405,
        'method-not-allowed',
        'GET',
      ]);
      expect((await api.as(user, { url })).statusCode).toBe(200);
    }
  });

  test('to a URL that cannot be decoded is malformed-request', async () => {
    const { api, user } = await start();
    const answer = await api.as(user, { url: '/api/recordings/%E0%A4%A' });
    expect([answer.statusCode, problemOf(answer).code]).toEqual([400, 'malformed-request']);
  });
});
