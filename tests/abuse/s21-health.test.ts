import { expect, test } from 'vitest';
import { ApiClient } from '#tests/support/api-client.ts';
import { launchServer } from './attack.ts';

const token = 'a-token-for-metrics';

test('S21: version, database, mail and damage are shown only to this machine and to holders of the token', async () => {
  const client = new ApiClient((await launchServer({ METRICS_TOKEN: token })).url);
  const health = async (headers: Record<string, string>) =>
    JSON.parse((await client.send({ method: 'GET', path: '/healthz', headers })).body.toString()) as object;
  const details = {
    status: 'ok',
    version: expect.any(String),
    database: 'sqlite',
    blobs: 'disk',
    email: false,
    damaged: 0,
    backup: { startedAt: null, isOverdue: false, hasFailed: false },
  };
  expect(await health({})).toEqual(details);
  expect(await health({ host: 'ear.example', authorization: `Bearer ${token}` })).toEqual(details);
  for (const headers of [
    { 'x-forwarded-for': '192.0.2.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '192.0.2.1' },
    { host: 'evil.example' },
  ])
    expect([headers, await health(headers)]).toEqual([headers, { status: 'ok' }]);
});
