import { expect, test } from 'vitest';
import { ApiClient, startTake, newId } from '#tests/support/api-client.ts';
import { launchServer, newUser } from './attack.ts';

const tag = () => {
  const id = newId();
  return Buffer.from(JSON.stringify({ id, name: `tag ${id}` }));
};

test('S17: an Authorization header beside the cookie does not bypass the CSRF checks', async () => {
  const user = await newUser(await launchServer());
  const write = (headers: Record<string, string>) =>
    user.send({
      method: 'POST',
      path: '/api/tags',
      headers: { 'content-type': 'application/json', cookie: user.cookie, ...headers },
      body: tag(),
    });
  for (const authorization of ['Bearer x', 'bearer x', 'Basic eDp4', 'Bearer']) {
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'earshot' },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      expect([authorization, headers, (await write({ authorization, ...headers })).status]).toEqual([
        authorization,
        headers,
        403,
      ]);
    }
    expect(
      (await write({ authorization, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' })).status,
    ).toBe(201);
  }
});

test('S17: a request authorised by its bearer token needs nothing else, whatever cookie it carries', async () => {
  const user = await newUser(await launchServer());
  const take = await startTake(user);
  const path = `/api/recordings/${take.recordingId}/markers`;
  const marker = (label: string) => Buffer.from(JSON.stringify({ id: newId(), atMs: 0, label }));
  const send = (headers: Record<string, string>) =>
    user.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', cookie: user.cookie, ...headers },
      body: marker('x'),
    });
  expect((await send({ authorization: `Bearer ${take.token}` })).status).toBe(201);
  expect((await send({ authorization: `Bearer ${'x'.repeat(43)}` })).status).toBe(401);
  // A token of another form belongs to a proxy: the cookie decides, with all CSRF checks.
  expect((await send({ authorization: 'Bearer made-up' })).status).toBe(403);
  expect(
    (
      await send({
        authorization: 'Basic eDp4',
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
      })
    ).status,
  ).toBe(201);
  expect((await send({})).status).toBe(403);
});

test('S17: a capability in its own header decides alone: a session beside it adds no permission', async () => {
  const server = await launchServer();
  const [owner, other] = [await newUser(server), await newUser(server)];
  const take = await startTake(owner);
  const body = Buffer.from(JSON.stringify({ gaps: [] }));
  const nameGaps = (headers: Record<string, string>) =>
    owner.send({
      method: 'PUT',
      path: `/api/recordings/${take.recordingId}/gaps`,
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
        ...headers,
      },
      body,
    });
  expect((await nameGaps({ 'upload-capability': take.token })).status).toBe(204);
  expect((await nameGaps({ 'upload-capability': take.token, cookie: other.cookie })).status).toBe(204);
  // An invalid capability is rejected, also beside the owner's session or a valid bearer token.
  for (const capability of ['', 'made-up', 'x'.repeat(43), `${take.token}, ${take.token}`]) {
    expect([
      capability,
      (
        await nameGaps({
          'upload-capability': capability,
          cookie: owner.cookie,
          authorization: `Bearer ${take.token}`,
        })
      ).status,
    ]).toEqual([capability, 401]);
  }
});

test('S17: a capability allows no session operation, and bypasses no CSRF check', async () => {
  const server = await launchServer();
  const user = await newUser(server);
  const take = await startTake(user);
  const capability = { 'upload-capability': take.token };
  expect(
    (await user.send({ method: 'GET', path: `/api/recordings/${take.recordingId}`, headers: capability }))
      .status,
  ).toBe(401);
  const write = (headers: Record<string, string>) =>
    user.send({
      method: 'POST',
      path: '/api/tags',
      headers: { ...capability, 'content-type': 'application/json', cookie: user.cookie, ...headers },
      body: tag(),
    });
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'earshot' },
    { 'sec-fetch-site': 'same-origin' },
  ])
    expect([headers, (await write(headers)).status]).toEqual([headers, 403]);
  const append = await user.send({
    method: 'PATCH',
    path: `/api/uploads/${take.audioId}`,
    headers: {
      ...capability,
      cookie: user.cookie,
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/partial-upload',
    },
    body: Buffer.from('x'),
  });
  expect(append.status).toBe(403);
});

test('S17: compares origins completely, including the scheme', async () => {
  const server = await launchServer({ PUBLIC_URL: 'https://ear.example', TRUSTED_PROXY_HOPS: '1' });
  const client = new ApiClient(server.url);
  const login = (origin: string) =>
    client.send({
      method: 'POST',
      path: '/auth/login',
      headers: {
        host: 'ear.example',
        'x-forwarded-for': '192.0.2.1',
        origin,
        'x-requested-with': 'earshot',
        'content-type': 'application/json',
      },
      body: Buffer.from(
        JSON.stringify({ email: 'nobody@example.org', password: 'a quiet harbour at dusk 7' }),
      ),
    });
  expect((await login('https://ear.example')).status).toBe(401);
  for (const origin of [
    'http://ear.example',
    'https://ear.example:8443',
    'null',
    'ear.example',
    'https://ear.example.evil.example',
  ])
    expect([origin, (await login(origin)).status]).toEqual([origin, 403]);
});
