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
 * An HTTP client in the style of old AngularJS auth libraries: five URLs, JSON, one of them with a trailing slash.
 * It holds a 401 until the user has signed in and then sends the request once more; a 403 is not held. The client
 * knows nothing of this server; the browser around it stores cookies and sends its origin.
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

  /** A request of the app, held on 401. */
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

describe('a client in the style of old auth libraries', () => {
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

  it('signs up with name, e-mail address and password, and is signed in immediately', async () => {
    const { status, data } = await client.signup({ displayName: 'Ann', ...ann });
    expect([status, data['user']]).toEqual([
      201,
      expect.objectContaining({ displayName: 'Ann', email: ann.email }),
    ]);
    expect((await client.get('/api/recordings')).status).toBe(200);
  });

  it('gets 409 for a taken e-mail address', async () => {
    await client.signup(ann);
    expect((await new OldClient(url).signup(ann)).status).toBe(409);
  });

  it('signs in, and gets the same 401 for a wrong password and an unknown e-mail address', async () => {
    await client.signup(ann);
    const other = new OldClient(url);
    const [wrong, unknown] = [
      await other.login({ ...ann, password: 'wrong' }),
      await other.login({ ...ann, email: 'nobody@example.org' }),
    ];
    expect([wrong.status, unknown.status, wrong.data['title']]).toEqual([401, 401, unknown.data['title']]);
    expect((await other.login(ann)).status).toBe(200);
  });

  it('gets no token to store: the cookie carries the session', async () => {
    const { data } = await client.signup(ann);
    expect(Object.keys(data).sort()).toEqual(['session', 'user']);
  });

  it('repeats requests made while signed out once after the sign-in, and asks for it only once', async () => {
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

  it('gets a 403 back immediately', async () => {
    await client.signup(ann);
    const member = new OldClient(url);
    await member.signup({ ...ann, email: 'bob@example.org' });
    expect((await member.get('/api/admin/users')).status).toBe(403);
    expect(member.events).toEqual(['auth-forbidden']);
  });

  it('starts a provider sign-in, where its own client id and redirect URI are ignored', async () => {
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

  it('gets 400 for a code without the state that was issued', async () => {
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

  it('unlink with a trailing slash returns 401 signed out, 400 for an unknown provider, 404 if not linked', async () => {
    expect((await client.unlink('github')).status).toBe(401);
    await client.signup(ann);
    expect([(await client.unlink('myspace')).status, (await client.unlink('github')).status]).toEqual([
      400, 404,
    ]);
  });
});
