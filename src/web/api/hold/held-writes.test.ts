import { beforeEach, describe, expect, it } from 'vitest';
import { Tab, failureOf, needsSession, ok, problem, settled, type Answer } from './tab.suite.ts';

let server: { who: string | null; answer: Answer };
beforeEach(() => {
  server = { who: null, answer: () => ok() };
  server.answer = needsSession(server);
});

describe('a write that needs a recent proof', () => {
  /** The responses of a server that allows this only shortly after a proof of identity. */
  const needsProof =
    (state: { isFresh: boolean }): Answer =>
    () =>
      state.isFresh ? ok() : problem(403, 'reauthentication-required');

  it('waits for it, emits its own event once, and is sent once more with the same key', async () => {
    const state = { isFresh: false };
    server.answer = needsProof(state);
    server.who = 'alice';
    const tab = new Tab(server, { believed: 'alice' });
    const calls = [
      tab.client.fetch('/auth-settings/1', { method: 'POST' }),
      tab.client.fetch('/auth-settings/2', { method: 'DELETE' }),
    ];
    await settled();
    expect(tab.events).toEqual([{ type: 'reauthentication-required', url: '/auth-settings/1' }]);
    state.isFresh = true;
    await tab.client.confirm();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    expect(tab.sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'key-1',
      null,
      'key-1',
      null,
    ]);
  });

  it('abuse case 23: prompts for no sign-in, and declining the proof rejects nothing that waits for a session', async () => {
    server.answer = ({ url }) =>
      url === '/api/settings' ? problem(403, 'reauthentication-required') : problem(401, 'session-expired');
    const tab = new Tab(server, { believed: 'alice' });
    const change = failureOf(tab.client.fetch('/api/settings', { method: 'POST' }));
    await settled();
    expect(tab.count('login-required')).toBe(0);
    void failureOf(tab.client.fetch('/api/list'));
    await settled();
    tab.client.cancel('step-up');
    expect(await change).toBe('reauthentication-cancelled');
    expect(tab.client.heldCount).toBe(1);
    expect(tab.count('login-cancelled')).toBe(0);
  });

  it('returns a second rejection to its caller', async () => {
    server.answer = needsProof({ isFresh: false });
    server.who = 'alice';
    const tab = new Tab(server, { believed: 'alice' });
    const call = tab.client.fetch('/api/1', { method: 'POST' });
    await settled();
    await tab.client.confirm();
    expect((await call).status).toBe(403);
    expect(tab.sent).toHaveLength(2);
    expect(tab.count('reauthentication-required')).toBe(1);
  });
});

describe('an old write', () => {
  const waitLong = (tab: Tab) => {
    tab.nowMs += 120_001;
  };

  it('is sent only after the user confirmed it, together with every later write', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const first = tab.client.fetch('/api/1', { method: 'PUT' });
    await settled();
    waitLong(tab);
    const [second, read] = [tab.client.fetch('/api/2', { method: 'PUT' }), tab.client.fetch('/api/3')];
    await settled();
    server.who = 'alice';
    await tab.client.confirm();
    expect((await read).status).toBe(200);
    expect(tab.asked.map(({ writes }) => writes)).toEqual([1]);
    expect(tab.client.heldCount).toBe(2);
    tab.asked[0]?.answer(true);
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(tab.sent.map(({ url }) => url)).toEqual([
      '/api/1',
      '/api/2',
      '/api/3',
      '/api/3',
      '/api/1',
      '/api/2',
    ]);
  });

  it('is rejected with hold-declined if the user declines it, and newer writes are sent', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const old = failureOf(tab.client.fetch('/api/1', { method: 'PUT' }));
    await settled();
    waitLong(tab);
    const fresh = tab.client.fetch('/api/2', { method: 'PUT' });
    await settled();
    server.who = 'alice';
    await tab.client.confirm();
    tab.asked[0]?.answer(false);
    expect(await old).toBe('hold-declined');
    expect((await fresh).status).toBe(200);
  });

  it('can still be aborted while the user is being asked', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const abort = new AbortController();
    const old = failureOf(tab.client.fetch('/api/1', { method: 'PUT', signal: abort.signal }));
    await settled();
    waitLong(tab);
    server.who = 'alice';
    await tab.client.confirm();
    abort.abort('closed');
    expect(await old).toBe('closed');
    tab.asked[0]?.answer(true);
    await settled();
    expect(tab.sent).toHaveLength(1);
  });
});

describe('a request', () => {
  it('carries a new idempotency key for POST and PATCH, or the caller’s own key', async () => {
    server.who = 'alice';
    const tab = new Tab(server, { believed: 'alice' });
    await tab.client.fetch('/api/1', { method: 'POST' });
    await tab.client.fetch('/api/2', { method: 'PATCH', headers: { 'Idempotency-Key': 'mine' } });
    await tab.client.fetch('/api/3', { method: 'PUT' });
    await tab.client.fetch('/auth/login', { method: 'POST' });
    expect(tab.sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'key-1',
      'mine',
      null,
      null,
    ]);
  });

  it('with noHold returns every rejection to its caller, and still names its user', async () => {
    const tab = new Tab(server, { believed: 'alice' });
    const response = await tab.client.fetch('/api/1', {}, { noHold: true });
    expect(response.status).toBe(401);
    expect(tab.sent[0]?.headers.get('x-expected-principal')).toBe('alice');
    expect(tab.events).toEqual([]);
  });

  it('may have a shorter timeout than others', async () => {
    const tab = new Tab(server);
    void failureOf(tab.client.fetch('/api/1', {}, { maxHoldMs: 1000 }));
    await settled();
    expect(tab.timers.map(({ delayMs }) => delayMs)).toEqual([1000]);
  });

  it('may create its body again for each attempt, also as a stream', async () => {
    const received: string[] = [];
    server.answer = async ({ init }) => {
      received.push(await new Response(init.body).text());
      return server.who ? ok() : problem(401, 'session-expired');
    };
    const tab = new Tab(server);
    const call = tab.client.fetch(
      '/api/1',
      { method: 'POST' },
      { bodyFactory: () => new Blob(['once']).stream() },
    );
    await expect.poll(() => tab.client.heldCount).toBe(1);
    server.who = 'alice';
    await tab.client.confirm();
    await call;
    expect(received).toEqual(['once', 'once']);
  });

  it('is rejected if the waiting bodies together become too large', async () => {
    const tab = new Tab(server, { maxBytes: 1000 });
    void failureOf(tab.client.fetch('/api/1', { method: 'POST', body: new Blob(['x'.repeat(600)]) }));
    await settled();
    expect(
      await failureOf(tab.client.fetch('/api/2', { method: 'POST', body: new Blob(['x'.repeat(600)]) })),
    ).toBe('hold-overflow');
    void failureOf(tab.client.fetch('/api/3', { method: 'POST', body: 'y'.repeat(200) }));
    await settled();
    expect(tab.client.heldCount).toBe(2);
  });
});

describe('writes', () => {
  it('are sent in the order they were made, in whatever order they were rejected', async () => {
    const rejections = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    server.answer = ({ url }) =>
      server.who === null ? (rejections[Number(url.at(-1))]?.promise ?? ok()) : ok();
    const tab = new Tab(server, { believed: 'alice' });
    const calls = [
      tab.client.fetch('/api/0', { method: 'PUT' }),
      tab.client.fetch('/api/1', { method: 'PUT' }),
    ];
    rejections[1]?.resolve(problem(401, 'session-expired'));
    await settled();
    rejections[0]?.resolve(problem(401, 'session-expired'));
    await settled();
    server.who = 'alice';
    await tab.client.confirm();
    await Promise.all(calls);
    expect(tab.sent.slice(2).map(({ url }) => url)).toEqual(['/api/0', '/api/1']);
  });

  it('made while released writes are being sent are sent after them', async () => {
    const slow = Promise.withResolvers<Response>();
    const tab = new Tab(server, { believed: 'alice' });
    const held = tab.client.fetch('/api/held', { method: 'PUT' });
    await settled();
    server.who = 'alice';
    server.answer = ({ url }) => (url === '/api/held' ? slow.promise : ok());
    await tab.client.confirm();
    const later = tab.client.fetch('/api/later', { method: 'PUT' });
    await settled();
    expect(tab.sent.map(({ url }) => url)).toEqual(['/api/held', '/api/held']);
    slow.resolve(ok());
    await Promise.all([held, later]);
    expect(tab.sent.at(-1)?.url).toBe('/api/later');
  });
});
