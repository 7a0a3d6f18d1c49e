import { expect, test } from 'vitest';
import { ApiClient } from '#tests/support/api-client.ts';
import { launchServer, newUser } from './attack.ts';

test('S14: a response has the same headers however its path is encoded', async () => {
  const server = await launchServer();
  const user = await newUser(server);
  for (const [plain, encoded] of [
    ['/api/recordings', '/%61pi/recordings'],
    ['/api/recordings', '/ap%69/%72ecordings/'],
    ['/auth/session', '/%61uth/session'],
    ['/api/nothing', '/%61pi/nothing'],
    ['/healthz', '/%68ealthz'],
  ] as const) {
    const [usual, odd] = [
      await user.send({ method: 'GET', path: plain, headers: { cookie: user.cookie } }),
      await user.send({ method: 'GET', path: encoded, headers: { cookie: user.cookie } }),
    ];
    expect([
      encoded,
      odd.status,
      odd.headers['cache-control'],
      odd.headers['content-security-policy'],
    ]).toEqual([encoded, usual.status, 'no-store', usual.headers['content-security-policy']]);
  }
});

test('S14: an error response outside any route has the headers of every response', async () => {
  const client = new ApiClient((await launchServer()).url);
  for (const [path, headers, status] of [
    ['/api/%E0%A4%A', {}, 400],
    ['/api/nothing', {}, 404],
    ['/', { cookie: 'x'.repeat(20_000) }, 431],
  ] as const) {
    const answer = await client.send({ method: 'GET', path, headers });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'content-type': expect.stringContaining('application/problem+json'),
    });
  }
});
