import { expect, test } from 'vitest';
import { ApiClient } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { expectNeighbourUnharmed, launchServer, setUpOf } from './attack.ts';

const publicUrl = 'https://ear.example';
const password = 'a quiet harbour at dusk 7';
const warning = 'TRUSTED_PROXY_HOPS do not match';

/** A client whose requests come through a proxy on this machine. */
class ProxiedClient {
  readonly #client: ApiClient;
  readonly #forwarded: Record<string, string>;
  readonly #setUp: { setUpCode?: string };
  readonly #cookies = new Map<string, string>();

  constructor(server: EarshotServer, forwardedFor: string | null) {
    this.#client = new ApiClient(server.url);
    this.#setUp = setUpOf(server);
    this.#forwarded = forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor };
  }

  async send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const answer = await this.#client.send({
      method,
      path,
      body: body && Buffer.from(JSON.stringify(body)),
      headers: {
        host: 'ear.example',
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
        'content-type': 'application/json',
        ...this.#forwarded,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split(/=(.*)/s) ?? [];
      this.#cookies.set(name, value);
    }
    return {
      status: answer.status,
      body: answer.body.length > 0 ? (JSON.parse(answer.body.toString()) as unknown) : null,
    };
  }

  signUp = (email: string) =>
    this.send('POST', '/auth/signup', { email, password, displayName: 'P', ...this.#setUp });
  logIn = (email: string, given = password) => this.send('POST', '/auth/login', { email, password: given });
}

const addresses = Array.from({ length: 25 }, (_, index) => `nobody${index}@example.org`);

test.each([
  {
    what: 'forwards addresses that are not trusted',
    hops: '0',
    stranger: '192.0.2.1',
    owner: '192.0.2.2',
    problem: 'untrusted',
  },
  { what: 'sends no address', hops: '1', stranger: null, owner: null, problem: 'header-missing' },
  {
    what: 'sends no address, and none is trusted',
    hops: '0',
    stranger: null,
    owner: null,
    problem: 'header-missing',
  },
  {
    what: 'forwards fewer addresses than are trusted',
    hops: '2',
    stranger: '192.0.2.1',
    owner: '192.0.2.2',
    problem: 'too-few',
  },
])(
  'S7: a stranger locks out no user behind a proxy that $what, and the administrator is warned',
  async ({ hops, stranger: strangersAddress, owner: ownersAddress, problem }) => {
    const server = await launchServer({ PUBLIC_URL: publicUrl, TRUSTED_PROXY_HOPS: hops });
    const [owner, stranger] = [
      new ProxiedClient(server, ownersAddress),
      new ProxiedClient(server, strangersAddress),
    ];
    expect((await owner.signUp('owner@example.org')).status).toBe(201);
    for (const email of addresses)
      expect((await stranger.logIn(email, 'a wrong password, long enough')).status).toBe(401);
    // From another device, and from the known one.
    expect((await new ProxiedClient(server, ownersAddress).logIn('owner@example.org')).status).toBe(200);
    expect((await owner.logIn('owner@example.org')).status).toBe(200);
    for (let count = 0; count < 11; count += 1) await stranger.signUp(`stranger${count}@example.org`);
    const member = new ProxiedClient(server, ownersAddress);
    expect((await member.signUp('member@example.org')).status).toBe(201);
    const forwardedCount = ownersAddress === null ? 0 : 1;
    expect((await owner.send('GET', '/api/admin/installation')).body).toMatchObject({
      proxy: { problem, trustedHops: Number(hops), forwardedCount },
    });
    expect((await member.send('GET', '/api/admin/installation')).status).toBe(403);
    expect(server.output.split(warning)).toHaveLength(2);
  },
);

test('S7: with the right hops, only the guessing network is throttled, and forged headers change nothing', async () => {
  const server = await launchServer({ PUBLIC_URL: publicUrl, TRUSTED_PROXY_HOPS: '1' });
  const owner = new ProxiedClient(server, '192.0.2.2');
  expect((await owner.signUp('owner@example.org')).status).toBe(201);
  const statuses = [];
  for (const [index, email] of addresses.entries())
    statuses.push(
      (
        await new ProxiedClient(server, `198.51.100.${index}, 192.0.2.1`).logIn(
          email,
          'a wrong password, long enough',
        )
      ).status,
    );
  expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429]);
  expect((await new ProxiedClient(server, '192.0.2.3').logIn('owner@example.org')).status).toBe(200);
  expect((await owner.send('GET', '/api/admin/installation')).body).toMatchObject({ proxy: null });
  expect(server.output).not.toContain(warning);
});

test('S7: a known device signs in while strangers in its network are throttled', async () => {
  const server = await launchServer({ PUBLIC_URL: publicUrl, TRUSTED_PROXY_HOPS: '1' });
  const owner = new ProxiedClient(server, '192.0.2.1');
  expect((await owner.signUp('owner@example.org')).status).toBe(201);
  const stranger = new ProxiedClient(server, '192.0.2.1');
  for (const email of addresses) await stranger.logIn(email, 'a wrong password, long enough');
  expect((await stranger.logIn('owner@example.org')).status).toBe(429);
  expect((await owner.logIn('owner@example.org')).status).toBe(200);
  // Guessing on that device is throttled too.
  const guesses = [];
  for (let count = 0; count < 7; count += 1)
    guesses.push((await owner.logIn('owner@example.org', 'a wrong password, long enough')).status);
  expect(guesses).toContain(429);
});

test('S7: a local server whose clients send X-Forwarded-For serves its other users as before', async () => {
  const server = await launchServer();
  await expectNeighbourUnharmed(server, async () => {
    const client = new ApiClient(server.url);
    for (const count of [1, 20, 1000]) {
      const answer = await client.send({
        method: 'GET',
        path: '/auth/session',
        headers: { 'x-forwarded-for': Array.from({ length: count }, () => '192.0.2.1').join(', ') },
      });
      expect(answer.status).toBe(200);
    }
  });
});
