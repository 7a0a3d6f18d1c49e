import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ApiClient } from '#tests/support/api-client.ts';
import { anonymousStatus, launchServer } from './attack.ts';

const account = Buffer.from(
  JSON.stringify({ email: 'first@example.org', password: 'a quiet harbour at dusk 7', displayName: 'First' }),
);
const signUp = (host: string) => ({
  method: 'POST',
  path: '/auth/signup',
  headers: {
    host,
    'sec-fetch-site': 'same-origin',
    'x-requested-with': 'earshot',
    'content-type': 'application/json',
  },
  body: account,
});

test('S16: a page that rebinds its host name to this machine gets no data and creates no account', async () => {
  const server = await launchServer();
  const client = new ApiClient(server.url);
  const rejected = await client.send(signUp('evil.example'));
  expect([rejected.status, JSON.parse(rejected.body.toString())]).toEqual([
    421,
    expect.objectContaining({ code: 'misdirected-request' }),
  ]);
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '192.168.1.2',
    'localhost@evil.example',
    'evil.example:3000',
  ]) {
    for (const path of [
      '/',
      '/api/recordings',
      '/auth/session',
      '/assets/nothing.js',
      '/nothing',
      '/api/openapi.json',
    ])
      expect([host, path, await anonymousStatus(server, { path, headers: { host } })]).toEqual([
        host,
        path,
        421,
      ]);
  }
  // This is the installation's first account: the rejected attempt created none.
  expect((await client.send(signUp(new URL(server.url).host))).status).toBe(201);
});

/** Sends these lines as a request. Returns the status of the answer. */
async function rawStatus(url: string, lines: readonly string[]): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1]);
}

test('X8g: a request with two hosts is malformed, and the host of its target counts more than the header', async () => {
  const { url } = await launchServer();
  const { host } = new URL(url);
  for (const [lines, status] of [
    [['GET /auth/session HTTP/1.1', `Host: ${host}`], 200],
    [['GET /auth/session HTTP/1.1', `Host: ${host}`, 'Host: evil.example'], 400],
    [['GET /auth/session HTTP/1.1', `Host: ${host}`, `host: ${host}`], 400],
    [['GET http://evil.example/auth/session HTTP/1.1', `Host: ${host}`], 421],
    [[`GET http://${host}/auth/session HTTP/1.1`, 'Host: evil.example'], 200],
  ] as const)
    expect([lines, await rawStatus(url, lines)]).toEqual([lines, status]);
});

test('S16: a server for this machine responds under every loopback name, with any port', async () => {
  const server = await launchServer();
  for (const host of ['localhost', 'LOCALHOST:5173', '127.0.0.1:3000', '[::1]:3000', 'app.localhost'])
    expect([host, await anonymousStatus(server, { path: '/auth/session', headers: { host } })]).toEqual([
      host,
      200,
    ]);
});

test('S16: a server with a public URL responds under that host only', async () => {
  const server = await launchServer({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  const asked = (host: string) =>
    anonymousStatus(server, { path: '/auth/session', headers: { host, 'x-forwarded-for': '192.0.2.1' } });
  for (const host of ['ear.example', 'EAR.example', 'ear.example:443'])
    expect([host, await asked(host)]).toEqual([host, 200]);
  for (const host of [
    'localhost',
    '127.0.0.1',
    'ear.example:8443',
    'ear.example.',
    'www.ear.example',
    '10.0.0.7:3000',
  ])
    expect([host, await asked(host)]).toEqual([host, 421]);
});

test('S16: health checks by IP address or container name get the state and nothing else', async () => {
  const server = await launchServer({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  const client = new ApiClient(server.url);
  for (const host of ['10.0.0.7:3000', 'earshot:3000', 'evil.example']) {
    const [alive, ready] = [
      await client.send({ method: 'GET', path: '/healthz', headers: { host } }),
      await client.send({ method: 'GET', path: '/readyz', headers: { host } }),
    ];
    expect([alive.status, JSON.parse(alive.body.toString())]).toEqual([200, { status: 'ok' }]);
    expect(ready.status).toBe(200);
  }
});

test('S16: a user at a wrong host reads the right URL in their language, on a page without any privileges', async () => {
  const server = await launchServer({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  const client = new ApiClient(server.url);
  const open = (method: string, headers: Record<string, string>) =>
    client.send({
      method,
      path: '/library',
      headers: { host: 'evil.example', accept: 'text/html,application/xhtml+xml', ...headers },
    });
  const page = await open('GET', { 'accept-language': 'de' });
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    421,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers['set-cookie']).toBeUndefined();
  expect(page.body.toString()).toContain('<html lang="de" dir="ltr">');
  expect(page.body.toString()).toContain('href="https://ear.example/"');
  expect(page.body.toString()).not.toContain('evil.example');
  expect((await open('POST', {})).headers['content-type']).toContain('application/problem+json');
  expect((await open('GET', { accept: '*/*' })).headers['content-type']).toContain(
    'application/problem+json',
  );
});

/** The server's log entries about wrong hosts. */
const wrongHosts = (output: string): { host?: string | null; expected: string }[] =>
  output
    .split('\n')
    .filter((line) => line.includes('are refused with 421'))
    .map((line) => JSON.parse(line) as { host?: string | null; expected: string });

test('S16: logs requests under a wrong host once per host, without any other part of them', async () => {
  const server = await launchServer({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  for (let count = 0; count < 3; count += 1) {
    for (const host of ['10.0.0.7:3000', 'Wrong.Example', 'wrong.example', 'ann:secret@evil.example'])
      await anonymousStatus(server, {
        path: '/auth/session?token=secret',
        headers: { host, cookie: 'sid=secret' },
      });
    // Health checks may use any name.
    await anonymousStatus(server, { path: '/healthz', headers: { host: 'pod' } });
  }
  await expect
    .poll(() => wrongHosts(server.output).map(({ host, expected }) => [host, expected]))
    .toEqual([
      ['10.0.0.7:3000', 'ear.example'],
      ['wrong.example', 'ear.example'],
      [null, 'ear.example'],
    ]);
  expect(server.output).not.toContain('secret');
});

test('S16: forged host names fill neither the log nor the memory', async () => {
  const server = await launchServer();
  for (let count = 0; count < 200; count += 1)
    await anonymousStatus(server, { path: '/', headers: { host: `h${count}-${'x'.repeat(2000)}.example` } });
  const logged = wrongHosts(server.output);
  expect(logged).toHaveLength(21);
  expect(Math.max(...logged.map(({ host }) => host?.length ?? 0))).toBeLessThan(300);
  expect(logged.at(-1)).not.toHaveProperty('host');
});
