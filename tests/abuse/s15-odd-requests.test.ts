import { expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { ApiClient, newId } from '#tests/support/api-client.ts';
import { expectNeighbourUnharmed, launchServer, newUser } from './attack.ts';

const sameOrigin = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' };
const pathsOf = () =>
  Object.values(api).map(({ method, path }) => ({
    method,
    path: path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000'),
  }));

test('S15: a body nested 5,000 deep is a malformed request in every JSON operation, signed in or not', async () => {
  const server = await launchServer();
  const user = await newUser(server);
  const anonymous = new ApiClient(server.url);
  const nested = (depth: number) => `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;
  const credential = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  };
  const bodies = [
    nested(2500),
    nested(5000),
    '['.repeat(10_000),
    JSON.stringify({
      flow: 'x'.repeat(43),
      credential: { ...credential, clientExtensionResults: '#' },
    }).replace('"#"', nested(2500)),
  ];
  await expectNeighbourUnharmed(server, async () => {
    for (const { method, path } of pathsOf().filter((call) => !['GET', 'HEAD'].includes(call.method))) {
      for (const body of bodies) {
        for (const cookie of ['', user.cookie]) {
          const answer = await anonymous.send({
            method,
            path,
            headers: { ...sameOrigin, 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
            body: Buffer.from(body),
          });
          expect(answer.status, `${method} ${path}: ${answer.body.toString()}`).toBeLessThan(500);
        }
      }
    }
    const finish = await anonymous.send({
      method: 'POST',
      path: '/auth/passkeys/sign-in/finish',
      headers: { ...sameOrigin, 'content-type': 'application/json' },
      body: Buffer.from(bodies[3] ?? ''),
    });
    expect([finish.status, finish.body.toString()]).toEqual([
      400,
      expect.stringContaining('malformed-request'),
    ]);
  });
});

test('S15: brackets inside strings do not count as nesting', async () => {
  const user = await newUser(await launchServer());
  const [id, name] = [newId(), `\\"${'[{'.repeat(20)}`];
  expect(await user.json('POST', '/api/tags', { body: { id, name } })).toMatchObject({ id, name });
});

test('S15: an unsupported method returns 405 with Allow on every path, with or without a body', async () => {
  const client = new ApiClient((await launchServer()).url);
  const paths = [
    ...new Set([...pathsOf().map(({ path }) => path), '/', '/healthz', '/nothing/here', '/api/nothing']),
  ];
  for (const path of paths) {
    for (const method of ['QUERY', 'PROPFIND', 'M-SEARCH', 'LOCK', 'PURGE']) {
      for (const given of [
        {},
        { body: Buffer.from('x') },
        { headers: { 'content-type': ';;' }, body: Buffer.from('x') },
      ]) {
        const answer = await client.send({ method, path, ...given });
        expect([method, path, answer.status]).toEqual([method, path, 405]);
        expect(answer.headers['allow']).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
      }
    }
  }
});

test('S15: errors of the HTTP framework are reported as client errors', async () => {
  const client = new ApiClient((await launchServer()).url);
  const [oddType, encoded, unknown] = [
    await client.send({
      method: 'POST',
      path: '/auth/login',
      headers: { ...sameOrigin, 'content-type': ';;;' },
      body: Buffer.from('x'),
    }),
    await client.send({
      method: 'POST',
      path: '/nothing',
      headers: { ...sameOrigin, 'content-type': ';;;' },
      body: Buffer.from('x'),
    }),
    await client.send({ method: 'TRACE', path: '/auth/login', headers: sameOrigin }),
  ];
  expect([oddType.status, encoded.status, unknown.status]).toEqual([415, 415, 405]);
});
