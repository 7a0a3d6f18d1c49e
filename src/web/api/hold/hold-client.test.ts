import { beforeEach, describe, expect, it } from 'vitest';
import { Browser, Tab, failureOf, needsSession, ok, problem, settled, type Answer } from './tab.suite.ts';

let server: { who: string | null; answer: Answer };
beforeEach(() => {
  server = { who: null, answer: () => ok() };
  server.answer = needsSession(server);
});

describe('an episode', () => {
  it('emits login-required once for five requests that lost their session, and sends each once more', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const calls = [1, 2, 3, 4, 5].map((n) => tab.client.fetch(`/api/${n}`));
    await settled();
    expect(tab.count('login-required')).toBe(1);
    expect(tab.client.heldCount).toBe(5);
    server.who = 'alice';
    expect(await tab.client.confirm()).toBe(true);
    expect((await Promise.all(calls)).map((response) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect(tab.sent).toHaveLength(10);
    expect(tab.count('login-confirmed')).toBe(1);
  });

  it('continues after the held request that opened it was aborted', async () => {
    const tab = new Tab(server);
    const abort = new AbortController();
    const first = failureOf(tab.client.fetch('/api/1', { signal: abort.signal }));
    await settled();
    abort.abort('no longer needed');
    expect(await first).toBe('no longer needed');
    void failureOf(tab.client.fetch('/api/2'));
    await settled();
    expect(tab.count('login-required')).toBe(1);
  });

  it('is a new one after the last was confirmed', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const first = tab.client.fetch('/api/1');
    await settled();
    server.who = 'alice';
    await tab.client.confirm();
    await first;
    server.who = null;
    void failureOf(tab.client.fetch('/api/2'));
    await settled();
    expect(tab.count('login-required')).toBe(2);
  });

  it('starts for a signed-out user too, and the request then belongs to the user who signs in', async () => {
    const tab = new Tab(server);
    const call = tab.client.fetch('/api/1');
    await settled();
    expect(tab.sent[0]?.headers.get('x-expected-principal')).toBeNull();
    server.who = 'alice';
    await tab.client.confirm();
    expect((await call).status).toBe(200);
    expect(tab.sent[1]?.headers.get('x-expected-principal')).toBe('alice');
  });
});

describe('exactly once', () => {
  it('returns the second 401 to the caller after two attempts with the same key and opens a new episode', async () => {
    server.answer = () => problem(401, 'session-expired');
    const tab = new Tab(server);
    const call = tab.client.fetch('/api/1', {
      method: 'POST',
      body: 'x',
      headers: { 'idempotency-key': 'k1' },
    });
    await settled();
    server.who = 'alice';
    await tab.client.confirm();
    const response = await call;
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'session-expired' });
    expect(tab.sent.map((sent) => sent.headers.get('idempotency-key'))).toEqual(['k1', 'k1']);
    expect(tab.count('login-required')).toBe(2);
    expect(tab.client.heldCount).toBe(0);
  });

  it('retries a request whose 401 arrives after the sign-in at once, without another dialog', async () => {
    const slow = Promise.withResolvers<Response>();
    server.answer = ({ url }) =>
      url === '/api/slow' && server.who === null
        ? slow.promise
        : needsSession(server)({ url, init: {}, headers: new Headers() });
    const tab = new Tab(server, { believed: 'alice' });
    const late = tab.client.fetch('/api/slow');
    const early = tab.client.fetch('/api/early');
    await settled();
    server.who = 'alice';
    await tab.client.confirm();
    await early;
    slow.resolve(problem(401, 'session-expired'));
    expect((await late).status).toBe(200);
    expect(tab.count('login-required')).toBe(1);
  });

  it('sends held writes one after another in the order they were made, and reads in parallel', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const order: string[] = [];
    const calls = ['POST /w1', 'GET /r1', 'PATCH /w2', 'DELETE /w3'].map((line) => {
      const [method = '', url = ''] = line.split(' ');
      return tab.client.fetch(url, { method });
    });
    await settled();
    server.who = 'alice';
    const gate = Promise.withResolvers<void>();
    server.answer = async ({ url }) => {
      order.push(url);
      if (url === '/w1') await gate.promise;
      return ok();
    };
    await tab.client.confirm();
    await settled();
    expect(order).toEqual(['/r1', '/w1']);
    gate.resolve();
    await Promise.all(calls);
    expect(order).toEqual(['/r1', '/w1', '/w2', '/w3']);
  });
});

describe('holding', () => {
  it.each([
    'invalid-credentials',
    'upload-token-invalid',
    'mfa-invalid',
    'share-password-required',
    'share-password-wrong',
  ])('does not hold a 401 with the code %s', async (code) => {
    server.answer = () => problem(401, code);
    const tab = new Tab(server);
    expect((await tab.client.fetch('/api/x')).status).toBe(401);
    expect(tab.events).toEqual([]);
  });

  it('never holds a sign-in call, and sends it without an expected principal', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const response = await tab.client.fetch('/auth/login', { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({ code: 'session-expired' });
    expect(tab.events).toEqual([]);
    expect(tab.sent[0]?.headers.get('x-expected-principal')).toBeNull();
    expect(tab.sent[0]?.headers.get('x-requested-with')).toBe('earshot');
  });

  it.each([401, 403])(
    'returns a %d without a problem of the server’s to its caller, without an event',
    async (status) => {
      server.answer = () =>
        new Response('<h1>proxy</h1>', { status, headers: { 'content-type': 'text/html' } });
      const tab = new Tab(server);
      expect((await tab.client.fetch('/api/x')).status).toBe(status);
      expect(tab.events).toEqual([]);
    },
  );

  it('sends forms, blobs, bytes and parameters again as they were when the request was made', async () => {
    const received: Record<string, string[]> = {};
    server.answer = async ({ url, init }) => {
      (received[url] ??= []).push(
        await new Response(init.body).text().then((text) => text.replaceAll(/-{4,}\S+|boundary=\S+/g, '#')),
      );
      return server.who ? ok() : problem(401, 'session-required');
    };
    const form = new FormData();
    form.append('file', new Blob(['sound'.repeat(1000)]), 'a.ogg');
    const bytes = new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4);
    const params = new URLSearchParams({ a: '1' });
    const bodies: BodyInit[] = [form, new Blob(['blob']), bytes, params, 'text'];
    const tab = new Tab(server);
    const calls = bodies.map((body, index) => tab.client.fetch(`/api/${index}`, { method: 'POST', body }));
    await expect.poll(() => tab.client.heldCount).toBe(5);
    form.append('late', 'change');
    bytes.fill(9);
    params.set('a', '2');
    server.who = 'alice';
    await tab.client.confirm();
    await Promise.all(calls);
    for (const [first, second, ...more] of Object.values(received)) {
      expect(second).toBe(first);
      expect(more).toEqual([]);
    }
    expect(received['/api/0']?.[1]).toContain('filename="a.ogg"');
    expect(received['/api/1']?.[1]).toBe('blob');
    expect(received['/api/2']?.[1]).toBe('\u0002\u0003\u0004');
    expect(received['/api/3']?.[1]).toBe('a=1');
  });

  it('rejects a stream before anything is sent', async () => {
    const tab = new Tab(server);
    expect(await failureOf(tab.client.fetch('/api/x', { method: 'POST', body: new ReadableStream() }))).toBe(
      'not-replayable',
    );
    expect(tab.sent).toEqual([]);
  });
});

describe('a held request', () => {
  it('ends with login-cancelled on cancel, also if its 401 arrives later', async () => {
    const slow = Promise.withResolvers<Response>();
    server.answer = ({ url }) => (url === '/api/slow' ? slow.promise : problem(401, 'session-expired'));
    const tab = new Tab(server);
    const late = failureOf(tab.client.fetch('/api/slow'));
    const calls = [
      failureOf(tab.client.fetch('/api/1')),
      failureOf(tab.client.fetch('/api/2', { method: 'POST' })),
    ];
    await settled();
    tab.client.cancel();
    expect(await Promise.all(calls)).toEqual(['login-cancelled', 'login-cancelled']);
    slow.resolve(problem(401, 'session-expired'));
    expect(await late).toBe('login-cancelled');
    expect(tab.events.map((event) => event.type)).toEqual(['login-required', 'login-cancelled']);
    expect(tab.timers).toEqual([]);
  });

  it('ends with hold-timeout after the longest wait, without affecting others', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const [first, second] = [failureOf(tab.client.fetch('/api/1')), tab.client.fetch('/api/2')];
    await settled();
    expect(tab.timers.map((timer) => timer.delayMs)).toEqual([900_000, 900_000]);
    tab.timers[0]?.action();
    expect(await first).toBe('hold-timeout');
    server.who = 'alice';
    await tab.client.confirm();
    expect((await second).status).toBe(200);
    expect(tab.sent).toHaveLength(3);
  });

  it('ends with hold-overflow if too many requests are waiting', async () => {
    const tab = new Tab(server, { max: 2 });
    void failureOf(tab.client.fetch('/api/1'));
    void failureOf(tab.client.fetch('/api/2'));
    await settled();
    expect(await failureOf(tab.client.fetch('/api/3'))).toBe('hold-overflow');
    expect(tab.client.heldCount).toBe(2);
  });

  it('ends with the abort’s reason and is not sent again', async () => {
    const tab = new Tab(server);
    const abort = new AbortController();
    const call = failureOf(tab.client.fetch('/api/1', { signal: abort.signal }));
    await settled();
    abort.abort('closed');
    expect(await call).toBe('closed');
    server.who = 'alice';
    await tab.client.confirm();
    await settled();
    expect(tab.sent).toHaveLength(1);
    expect(tab.timers).toEqual([]);
  });
});

describe('another user', () => {
  it('never sends the waiting requests of the first user', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const calls = [
      failureOf(tab.client.fetch('/api/1')),
      failureOf(tab.client.fetch('/api/2', { method: 'POST' })),
    ];
    await settled();
    server.who = 'bob';
    await tab.client.confirm();
    expect(await Promise.all(calls)).toEqual(['principal-changed', 'principal-changed']);
    expect(tab.sent).toHaveLength(2);
  });

  it('never sends the waiting requests of the first user in another tab', async () => {
    const browser = new Browser();
    const alices = new Tab(server, { believed: 'alice', browser });
    const bobs = new Tab(server, { browser });
    const call = failureOf(alices.client.fetch('/api/1', { method: 'POST' }));
    await settled();
    server.who = 'bob';
    await bobs.client.confirm();
    expect(await call).toBe('principal-changed');
    expect(alices.sent).toHaveLength(1);
  });

  it('never sends a request of the first user whose 401 arrives after the sign-in', async () => {
    const slow = Promise.withResolvers<Response>();
    server.answer = () => slow.promise;
    const tab = new Tab(server, { believed: 'alice' });
    const call = failureOf(tab.client.fetch('/api/1'));
    await settled();
    server.who = 'bob';
    await tab.client.confirm();
    slow.resolve(problem(401, 'session-expired'));
    expect(await call).toBe('principal-changed');
    expect(tab.sent).toHaveLength(1);
  });

  it('never sends background work that continues for the first user after a sign-out', async () => {
    const tab = new Tab(server);
    const call = failureOf(tab.client.fetch('/api/1', { method: 'POST' }, { owner: 'alice' }));
    await settled();
    server.who = 'bob';
    await tab.client.confirm();
    expect(await call).toBe('principal-changed');
    expect(tab.sent).toHaveLength(1);
  });

  it('behind a silently changed cookie is reported by the server, to the caller and as an event', async () => {
    server.who = 'bob';
    const tab = new Tab(server, { believed: 'alice' });
    expect((await tab.client.fetch('/api/1')).status).toBe(409);
    expect(tab.events).toEqual([{ type: 'principal-changed', url: '/api/1' }]);
  });

  it('is not reported for a call that expects no user, whatever a proxy answers', async () => {
    server.answer = () => problem(409, 'principal-changed');
    const tab = new Tab(server, { believed: 'alice' });
    expect((await tab.client.fetch('/auth/session')).status).toBe(409);
    expect(tab.events).toEqual([]);
  });
});

describe('several tabs', () => {
  it('are all released by a sign-in in one of them', async () => {
    const browser = new Browser();
    const [a, b] = [
      new Tab(server, { believed: 'alice', browser }),
      new Tab(server, { believed: 'alice', browser }),
    ];
    const call = a.client.fetch('/api/1');
    await settled();
    server.who = 'alice';
    await b.client.confirm();
    expect((await call).status).toBe(200);
    expect(a.count('login-confirmed')).toBe(1);
  });

  it('do not trust a hint: a forged one only makes them ask the server', async () => {
    const browser = new Browser();
    const tab = new Tab(server, { believed: 'alice', browser });
    void failureOf(tab.client.fetch('/api/1'));
    await settled();
    browser.forge('confirmed');
    browser.forge({ type: 'confirmed', userId: 'mallory' });
    await settled();
    expect(tab.questions).toBe(1);
    expect(tab.client.heldCount).toBe(1);
    expect(tab.sent).toHaveLength(1);
  });

  it('cancel independently of each other', async () => {
    const browser = new Browser();
    const [a, b] = [new Tab(server, { browser }), new Tab(server, { browser })];
    void failureOf(a.client.fetch('/api/1'));
    void failureOf(b.client.fetch('/api/1'));
    await settled();
    b.client.cancel();
    expect([a.client.heldCount, b.client.heldCount]).toEqual([1, 0]);
  });
});

describe('confirm', () => {
  it('releases nothing and leaves the episode open if the server knows no session', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    void failureOf(tab.client.fetch('/api/1'));
    await settled();
    expect(await tab.client.confirm()).toBe(false);
    expect(tab.client.heldCount).toBe(1);
    expect(tab.count('login-confirmed')).toBe(0);
  });

  it('is announced before anything is sent again', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const call = tab.client.fetch('/api/1');
    await settled();
    server.who = 'alice';
    const confirming = tab.client.confirm();
    server.answer = () => (tab.count('login-confirmed') === 1 ? ok() : problem(401, 'session-expired'));
    await confirming;
    expect((await call).status).toBe(200);
  });
});

describe('a 403', () => {
  it('emits forbidden and is returned to the caller', async () => {
    server.answer = () => problem(403, 'account-disabled');
    const tab = new Tab(server);
    const response = await tab.client.fetch('/api/1');
    expect(await response.json()).toMatchObject({ code: 'account-disabled' });
    expect(tab.events).toEqual([{ type: 'forbidden', code: 'account-disabled', url: '/api/1' }]);
  });
});
