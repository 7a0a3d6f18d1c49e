import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';

interface Reply {
  status: number;
  data: Record<string, unknown>;
}

/**
 * A client as the libraries of old were: five addresses, JSON, a trailing slash on one of them; a 401 is kept
 * until somebody has signed in and then sent once more, a 403 is not. Of its own it knows nothing of this
 * server; the browser around it keeps cookies and says where it comes from.
 */
class OldClient {
  readonly events: string[] = [];
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  #held: { request: () => Promise<Reply>; resolve: (reply: Reply) => void }[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  signup = (user: object): Promise<Reply> => this.#http('POST', '/auth/signup', user);
  login = (user: object): Promise<Reply> => this.#http('POST', '/auth/login', user);
  authenticate = (name: string, data: object = {}): Promise<Reply> =>
    this.#http('POST', `/auth/${name}`, data);
  unlink = (name: string): Promise<Reply> => this.#http('POST', '/auth/unlink/', { provider: name });

  /** A request of the app; held on 401. */
  async get(path: string): Promise<Reply> {
    const request = (): Promise<Reply> => this.#http('GET', path);
    const reply = await request();
    if (reply.status === 403) this.events.push('auth-forbidden');
    if (reply.status !== 401) return reply;
    if (this.#held.length === 0) this.events.push('auth-loginRequired');
    return new Promise((resolve) => {
      this.#held.push({ request, resolve });
    });
  }

  get heldCount(): number {
    return this.#held.length;
  }

  async loginConfirmed(): Promise<void> {
    this.events.push('auth-loginConfirmed');
    for (const { request, resolve } of this.#held.splice(0)) resolve(await request());
  }

  async #http(method: string, path: string, body?: object): Promise<Reply> {
    const answer = await fetch(this.#url + path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      headers: {
        accept: 'application/json, text/plain, */*',
        'x-requested-with': 'XMLHttpRequest',
        origin: this.#url,
        'sec-fetch-site': 'same-origin',
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    const text = await answer.text();
    return { status: answer.status, data: text === '' ? {} : JSON.parse(text) };
  }
}

const ann = { email: 'ann@example.org', password: 'kettle river umbrella noon' };

describe('a client as the libraries of old were', () => {
  let client: OldClient;
  let url: string;

  beforeEach(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'earshot-old-client-'));
    const server = await startServer(
      readConfig({
        PORT: '0',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        GITHUB_CLIENT_ID: 'an-id',
        GITHUB_CLIENT_SECRET: 'a-secret',
      }),
      { webDirectory: '/nowhere' },
    );
    onTestFinished(async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    url = server.url;
    client = new OldClient(url);
  });

  it('signs up with name, address and password, and is signed in at once', async () => {
    const { status, data } = await client.signup({ displayName: 'Ann', ...ann });
    expect([status, data['user']]).toEqual([
      201,
      expect.objectContaining({ displayName: 'Ann', email: ann.email }),
    ]);
    expect((await client.get('/api/recordings')).status).toBe(200);
  });

  it('is told 409 for a taken address', async () => {
    await client.signup(ann);
    expect((await new OldClient(url).signup(ann)).status).toBe(409);
  });

  it('signs in, and gets one and the same 401 for a wrong password and an unknown address', async () => {
    await client.signup(ann);
    const other = new OldClient(url);
    const [wrong, unknown] = [
      await other.login({ ...ann, password: 'wrong' }),
      await other.login({ ...ann, email: 'nobody@example.org' }),
    ];
    expect([wrong.status, unknown.status, wrong.data['title']]).toEqual([401, 401, unknown.data['title']]);
    expect((await other.login(ann)).status).toBe(200);
  });

  it('has no token to keep: the session is the cookie’s', async () => {
    const { data } = await client.signup(ann);
    expect(Object.keys(data).sort()).toEqual(['session', 'user']);
  });

  it('has what it asked for while signed out done once, after the sign-in, and is asked for it once', async () => {
    await new OldClient(url).signup(ann);
    const waiting = [client.get('/api/recordings'), client.get('/auth/sessions')];
    while (client.heldCount < 2)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    expect((await client.login({ ...ann, password: 'wrong' })).status).toBe(401);
    await client.login(ann);
    await client.loginConfirmed();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(client.events).toEqual(['auth-loginRequired', 'auth-loginConfirmed']);
  });

  it('gets a 403 back at once', async () => {
    await client.signup(ann);
    const member = new OldClient(url);
    await member.signup({ ...ann, email: 'bob@example.org' });
    expect((await member.get('/api/admin/users')).status).toBe(403);
    expect(member.events).toEqual(['auth-forbidden']);
  });

  it('begins at a provider by a post with its own idea of client and address, which nobody looks at', async () => {
    const { status, data } = await client.authenticate('github', {
      clientId: 'mine',
      redirectUri: 'https://evil.example/',
    });
    const asked = new URL(String(data['authorizationUrl']));
    expect([status, asked.origin, asked.searchParams.get('client_id')]).toEqual([
      200,
      'https://github.com',
      'an-id',
    ]);
    expect(asked.searchParams.get('redirect_uri')).not.toContain('evil.example');
  });

  it('is refused with 400 where it posts a code without the state it was given', async () => {
    for (const state of [{}, { state: 'made-up' }]) {
      expect(
        (
          await client.authenticate('github', {
            code: 'a-code',
            clientId: 'an-id',
            redirectUri: 'x',
            ...state,
          })
        ).status,
      ).toBe(400);
    }
  });

  it('unlinks at an address with a slash at its end: 400 for a provider nobody knows, 404 for one that is not linked, 401 for nobody', async () => {
    expect((await client.unlink('github')).status).toBe(401);
    await client.signup(ann);
    expect([(await client.unlink('myspace')).status, (await client.unlink('github')).status]).toEqual([
      400, 404,
    ]);
  });
});
