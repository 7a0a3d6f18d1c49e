import { expect, test } from 'vitest';
import { anonymousStatus, launchServer } from './attack.ts';

const token = 'a-token-for-metrics';
const publicUrl = 'https://ear.example';

test('S12: without a token, metrics are readable only from this machine, on a server for this machine', async () => {
  const server = await launchServer();
  expect(await anonymousStatus(server, { path: '/metrics' })).toBe(200);
  for (const headers of [
    { 'x-forwarded-for': '192.0.2.1' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-real-ip': '192.0.2.1' },
    { via: '1.1 proxy' },
    { forwarded: 'for=192.0.2.1' },
    { host: 'evil.example' },
    { authorization: 'Bearer ' },
  ])
    expect([headers, await anonymousStatus(server, { path: '/metrics', headers })]).toEqual([
      headers,
      'authorization' in headers ? 200 : 404,
    ]);
});

test('S12: a server with a public URL never shows its metrics without a token', async () => {
  const server = await launchServer({ PUBLIC_URL: publicUrl });
  for (const headers of [{}, { host: 'ear.example' }])
    expect(await anonymousStatus(server, { path: '/metrics', headers })).toBe(404);
});

test('S12: if a token is set, every reader needs it, also on loopback', async () => {
  for (const environment of [{ METRICS_TOKEN: token }, { METRICS_TOKEN: token, PUBLIC_URL: publicUrl }]) {
    const server = await launchServer(environment);
    expect(await anonymousStatus(server, { path: '/metrics' })).toBe(404);
    expect(
      await anonymousStatus(server, { path: '/metrics', headers: { authorization: 'Bearer guess' } }),
    ).toBe(404);
    // A scraper uses a host's or container's name, or a proxy.
    for (const headers of [{}, { host: 'earshot:3000' }, { 'x-forwarded-for': '192.0.2.1' }]) {
      expect(
        await anonymousStatus(server, {
          path: '/metrics',
          headers: { ...headers, authorization: `Bearer ${token}` },
        }),
      ).toBe(200);
    }
  }
});
