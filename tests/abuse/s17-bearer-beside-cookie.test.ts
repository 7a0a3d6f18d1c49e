import { expect, test } from 'vitest';
import { ApiClient, beginTake, newId } from '../support/api-client.ts';
import { launchServer, newUser } from './attack.ts';

const tag = () => { const id = newId(); return Buffer.from(JSON.stringify({ id, name: `tag ${id}` })); };

test('S17: an Authorization header beside the cookie is no way around the rules for writes', async () => {
  const user = await newUser(await launchServer());
  const write = (headers: Record<string, string>) => user.send({ method: 'POST', path: '/api/tags', headers: { 'content-type': 'application/json', cookie: user.cookie, ...headers }, body: tag() });
  for (const authorization of ['Bearer x', 'bearer x', 'Basic eDp4', 'Bearer']) {
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'earshot' }, { 'sec-fetch-site': 'same-origin' }]) {
      expect([authorization, headers, (await write({ authorization, ...headers })).status]).toEqual([authorization, headers, 403]);
    }
    expect((await write({ authorization, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' })).status).toBe(201);
  }
});

test('S17: a call that its bearer token authorises needs no more, whatever cookie came along', async () => {
  const user = await newUser(await launchServer());
  const take = await beginTake(user);
  const path = `/api/recordings/${take.recordingId}/markers`;
  const marker = (label: string) => Buffer.from(JSON.stringify({ id: newId(), atMs: 0, label }));
  const send = (headers: Record<string, string>) => user.send({ method: 'POST', path, headers: { 'content-type': 'application/json', cookie: user.cookie, ...headers }, body: marker('x') });
  expect((await send({ authorization: `Bearer ${take.token}` })).status).toBe(201);
  expect((await send({ authorization: 'Bearer made-up' })).status).toBe(401);
  expect((await send({})).status).toBe(403);
});

test('S17: origins are compared whole, scheme included', async () => {
  const server = await launchServer({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  const client = new ApiClient(server.url);
  const login = (origin: string) => client.send({
    method: 'POST', path: '/auth/login', headers: { host: 'ear.example', 'x-forwarded-for': '192.0.2.1', origin, 'x-requested-with': 'earshot', 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ email: 'nobody@example.org', password: 'a quiet harbour at dusk 7' })),
  });
  expect((await login('https://ear.example')).status).toBe(401);
  for (const origin of ['http://ear.example', 'https://ear.example:8443', 'null', 'ear.example', 'https://ear.example.evil.example']) expect([origin, (await login(origin)).status]).toEqual([origin, 403]);
});
