import { QueryObserver } from '@tanstack/react-query';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authEvents } from './auth-events.ts';
import { call, callForBytes } from './call.ts';
import { isSignedOutHere, noteAuthTime, storeSignOut } from '#web/api/connection/pending-sign-out.ts';
import { queryClient, recordingKeys } from './queries/query-client.ts';
import { readSession } from './request.ts';
import { session, signOut, loadSession } from './session.ts';
import { setLeaving } from './session-state.ts';
import { cancelSignIn, confirmSignIn, requestSignIn } from './sign-in-prompt.ts';
import { userScope } from './user-scope.ts';
import { viewer } from '#device/takes/viewer.ts';
import { ownerOfNewTake } from '#web/recordings/owners/owner-of-new-take.ts';
import { denyTabOwner } from './viewer.ts';

const userOf = (name: string) => ({
  id: `0190b1a2-0000-7000-8000-00000000000${name.length}`,
  displayName: name,
  email: `${name}@example.org`,
  locale: null,
  role: 'member',
  createdAt: '2026-01-01T00:00:00.000Z',
});
const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
const lost = () =>
  new Response(
    JSON.stringify({
      type: '/problems/session-expired',
      title: '',
      status: 401,
      instance: 'urn:uuid:1',
      code: 'session-expired',
    }),
    { status: 401, headers: { 'content-type': 'application/problem+json' } },
  );

/** The server: the user of the browser's cookie, and the requests it received. */
const server = {
  who: null as string | null,
  asked: [] as string[],
  isGone: false,
  answer(url: string): Response {
    this.asked.push(url);
    if (this.isGone) throw new TypeError('Failed to fetch');
    if (url === '/auth/session')
      return json({
        user: this.who && userOf(this.who),
        session: null,
        signUp: 'open',
        hasMail: false,
        needsSetUpCode: false,
        methods: null,
        notices: [],
      });
    if (url === '/auth/logout') {
      this.who = null;
      return new Response(null, { status: 204 });
    }
    return this.who === null ? lost() : json({ items: [], nextCursor: null, total: 0 });
  },
};

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

async function arriveAs(who: string | null) {
  server.who = who;
  await readSession();
}

beforeAll(() => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('fetch', async (url: string) => server.answer(url));
  loadSession();
});

beforeEach(async () => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('fetch', async (url: string) => server.answer(url));
  server.isGone = false;
  cancelSignIn();
  await arriveAs(null);
  queryClient.clear();
  server.asked = [];
});

describe('the session', () => {
  it('is what the server says, and stays unchanged while the server cannot be reached', async () => {
    await arriveAs('alice');
    expect(session.getSnapshot()).toMatchObject({ status: 'signed-in', user: { displayName: 'alice' } });
    server.isGone = true;
    await expect(session.refresh()).rejects.toMatchObject({ code: 'offline' });
    expect(session.getSnapshot().status).toBe('signed-in');
  });

  it('is the response to the latest request, in whatever order the responses arrive', async () => {
    const slow = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => slow.promise);
    const first = readSession();
    vi.stubGlobal('fetch', async (url: string) => server.answer(url));
    await arriveAs('bob');
    slow.resolve(
      json({
        user: userOf('alice'),
        session: null,
        signUp: 'open',
        hasMail: false,
        needsSetUpCode: false,
        methods: null,
        notices: [],
      }),
    );
    await first;
    expect(session.getSnapshot().user?.displayName).toBe('bob');
  });

  it('is known to an earlier caller once the latest request has its response', async () => {
    const [early, late] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    const answer = (who: string) =>
      json({
        user: userOf(who),
        session: null,
        signUp: 'open',
        hasMail: false,
        needsSetUpCode: false,
        methods: null,
        notices: [],
      });
    vi.stubGlobal('fetch', () => early.promise);
    const first = readSession().then(() => session.getSnapshot().user?.displayName);
    vi.stubGlobal('fetch', () => late.promise);
    const second = readSession();
    early.resolve(answer('alice'));
    setTimeout(() => late.resolve(answer('bob')), 10);
    expect(await first).toBe('bob');
    await second;
  });

  it('is read again when a page comes back from the back-forward cache', async () => {
    server.who = 'alice';
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await expect.poll(() => session.getSnapshot().status).toBe('signed-in');
  });

  it('takes over a changed profile of the signed-in user only', async () => {
    await arriveAs('alice');
    const user = session.getSnapshot().user;
    if (!user) throw new Error('no user is signed in');
    session.updateUser({ ...user, displayName: 'Alice B.' });
    expect(session.getSnapshot().user?.displayName).toBe('Alice B.');
    session.updateUser({ ...user, id: 'someone-else', displayName: 'X' });
    expect(session.getSnapshot().user?.displayName).toBe('Alice B.');
  });
});

describe('signing out', () => {
  it('leaves no user signed in and empties the caches', async () => {
    await arriveAs('alice');
    queryClient.setQueryData(recordingKeys.one('1'), { title: 'hers' });
    await signOut();
    expect(session.getSnapshot()).toMatchObject({ status: 'signed-out', user: null, isLeaving: false });
    expect(queryClient.getQueryData(recordingKeys.one('1'))).toBeUndefined();
  });

  it('leaves the user signed in if the request did not reach the server', async () => {
    await arriveAs('alice');
    server.isGone = true;
    await expect(signOut()).rejects.toMatchObject({ code: 'offline' });
    expect(session.getSnapshot()).toMatchObject({ status: 'signed-in', isLeaving: false });
  });
});

describe('what the page reads', () => {
  const settled = () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  const observe = () => {
    const observer = new QueryObserver(queryClient, {
      queryKey: recordingKeys.lists,
      queryFn: ({ signal }) => call('listRecordings', { signal }),
      retry: false,
    });
    return { observer, stop: observer.subscribe(() => undefined) };
  };
  const codeOf = (sent: Promise<unknown>) => sent.then(String, (error: { code: string }) => error.code);
  const params = { recordingId: '1' };

  /** Leaves every read unanswered. Returns how many the server has before it learns of the sign-out. */
  const leaveReadsUnanswered = () => {
    let reading = 0;
    const before = Promise.withResolvers<number>();
    vi.stubGlobal('fetch', async (url: string, { signal }: RequestInit) => {
      if (url === '/auth/logout') before.resolve(reading);
      if (!url.startsWith('/api/')) return server.answer(url);
      reading += 1;
      return new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => {
          reading -= 1;
          reject(signal.reason as Error);
        });
      });
    });
    return { count: () => reading, beforeSignOut: before.promise };
  };

  it('is cancelled before the server learns of a sign-out', async () => {
    await arriveAs('alice');
    const reads = leaveReadsUnanswered();
    const { stop } = observe();
    const track = codeOf(call('getRecording', { params }));
    const peaks = codeOf(callForBytes('getPeaks', { params }));
    await expect.poll(reads.count).toBe(3);
    await signOut();
    expect(await reads.beforeSignOut).toBe(0);
    expect([await track, await peaks]).toEqual(['login-cancelled', 'login-cancelled']);
    stop();
  });

  it('is not sent while a sign-out is under way, nor after it', async () => {
    await arriveAs('alice');
    const { observer, stop } = observe();
    await expect.poll(() => observer.getCurrentResult().status).toBe('success');
    server.asked = [];
    const signingOut = signOut();
    void queryClient.invalidateQueries();
    const track = codeOf(call('getRecording', { params }));
    const peaks = codeOf(callForBytes('getPeaks', { params }));
    await settled();
    await signingOut;
    await settled();
    stop();
    expect(server.asked).toEqual(['/auth/logout']);
    expect([await track, await peaks]).toEqual(['login-cancelled', 'login-cancelled']);
  });

  it('is sent after all if the sign-out has failed', async () => {
    await arriveAs('alice');
    const reads = leaveReadsUnanswered();
    const { observer, stop } = observe();
    await expect.poll(reads.count).toBe(1);
    const { promise: rejected, resolve: reject } = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', async (url: string) => (url === '/auth/logout' ? rejected : server.answer(url)));
    const signingOut = signOut();
    const search = call('listRecordings', { query: { search: 'tide' } });
    await settled();
    expect(server.asked).not.toContain('/api/recordings');
    reject(new Response('', { status: 500 }));
    await expect(signingOut).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(await search).toMatchObject({ items: [] });
    await expect.poll(() => observer.getCurrentResult().status).toBe('success');
    stop();
  });

  it('does not wait for a sign-out that is over', async () => {
    await arriveAs('alice');
    const reads = leaveReadsUnanswered();
    const list = call('listRecordings');
    await expect.poll(reads.count).toBe(1);
    vi.stubGlobal('fetch', async (url: string) => server.answer(url));
    setLeaving(true);
    setLeaving(false);
    expect(await list).toMatchObject({ items: [] });
  });

  it('is not cancelled by a sign-out once its response has begun', async () => {
    await arriveAs('alice');
    const body = new TransformStream<Uint8Array>();
    vi.stubGlobal('fetch', async (url: string, { signal }: RequestInit) =>
      url.startsWith('/api/')
        ? new Response(body.readable.pipeThrough(new TransformStream(), { ...(signal && { signal }) }))
        : server.answer(url),
    );
    const response = await callForBytes('getPeaks', { params });
    await signOut();
    void body.writable.close();
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });
});

describe('the current screen', () => {
  it('is not refetched when the session ends, and is refetched after a sign-in', async () => {
    await arriveAs('alice');
    const observer = new QueryObserver(queryClient, {
      queryKey: recordingKeys.lists,
      queryFn: () => call('listRecordings'),
      retry: false,
    });
    const stop = observer.subscribe(() => undefined);
    await expect.poll(() => observer.getCurrentResult().status).toBe('success');
    server.asked = [];
    await signOut();
    expect(observer.getCurrentResult().data).toBeUndefined();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(server.asked).toEqual(['/auth/logout']);
    await arriveAs('alice');
    await expect.poll(() => observer.getCurrentResult().status).toBe('success');
    stop();
  });
});

describe('the person at this tab', () => {
  const loseSession = async () => {
    await arriveAs('alice');
    await arriveAs(null);
  };

  it('owns what is recorded after the session has ended elsewhere, also after closing the sign-in', async () => {
    await loseSession();
    expect(ownerOfNewTake()).toBe(userOf('alice').id);
    await arriveAs('alice');
    server.who = null;
    const list = call('listRecordings').catch(() => undefined);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    cancelSignIn();
    await list;
    await expect.poll(() => session.getSnapshot().status).toBe('signed-out');
    expect(ownerOfNewTake()).toBe(userOf('alice').id);
  });

  it('is nobody after a sign-out, and after saying so', async () => {
    await arriveAs('alice');
    await signOut();
    expect(ownerOfNewTake()).toBe(null);
    await loseSession();
    let left = 0;
    userScope.onUserLeft(() => {
      left += 1;
    });
    left = 0;
    denyTabOwner();
    expect([ownerOfNewTake(), viewer.getSnapshot().tab.ownerId, left]).toEqual([null, null, 1]);
  });

  it('is another user who signs in', async () => {
    await loseSession();
    await arriveAs('bob');
    expect(viewer.getSnapshot()).toMatchObject({
      userId: userOf('bob').id,
      tab: { ownerId: userOf('bob').id },
    });
  });
});

describe('another user in the same browser', () => {
  it('finds the caches empty, and the app gets the ids of both users', async () => {
    await arriveAs('alice');
    queryClient.setQueryData(recordingKeys.lists, { items: ['hers'] });
    let cachedWhenTold: unknown = 'not told';
    const told: unknown[] = [];
    const stop = authEvents.on('principal-changed', (detail) => {
      told.push(detail);
      cachedWhenTold = queryClient.getQueryData(recordingKeys.lists);
    });
    await arriveAs('bob');
    stop();
    expect(told).toEqual([{ from: userOf('alice').id, to: userOf('bob').id }]);
    expect(cachedWhenTold).toBeUndefined();
  });
});

describe('a sign-out', () => {
  it('ends the user scope also if the session is read while the request is under way', async () => {
    await arriveAs('alice');
    let left = 0;
    userScope.onUserLeft(() => {
      left += 1;
    });
    left = 0;
    const { promise: isLoggedOut, resolve: logOut } = Promise.withResolvers<void>();
    vi.stubGlobal('fetch', async (url: string) => {
      if (url === '/auth/logout') await isLoggedOut;
      return server.answer(url);
    });
    const signingOut = signOut();
    await readSession();
    expect(session.getSnapshot()).toMatchObject({ status: 'signed-in', isLeaving: true });
    logOut();
    await signingOut;
    expect([session.getSnapshot().isLeaving, left, userScope.userId]).toEqual([false, 1, null]);
  });
});

describe('a sign-in after a sign-out', () => {
  const toldBy = async (act: () => Promise<void>) => {
    const told: unknown[] = [];
    const stop = authEvents.on('principal-changed', (detail) => {
      told.push(detail);
    });
    await act();
    stop();
    return told;
  };

  it('notifies the app if it is another user', async () => {
    await arriveAs('alice');
    expect(
      await toldBy(async () => {
        await signOut();
        await arriveAs('bob');
      }),
    ).toEqual([{ from: userOf('alice').id, to: userOf('bob').id }]);
  });

  it('does not notify the app if the same user comes back', async () => {
    await arriveAs('alice');
    expect(
      await toldBy(async () => {
        await signOut();
        await arriveAs('alice');
      }),
    ).toEqual([]);
  });
});

describe('the first sign-in of a page', () => {
  it('does not notify the app', async () => {
    vi.resetModules();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    const fresh = {
      session: await import('./session.ts'),
      events: await import('./auth-events.ts'),
      request: await import('./request.ts'),
    };
    fresh.session.loadSession();
    const told: unknown[] = [];
    fresh.events.authEvents.on('principal-changed', (detail) => {
      told.push(detail);
    });
    await fresh.request.readSession();
    server.who = 'bob';
    await fresh.request.readSession();
    expect(fresh.session.session.getSnapshot().user?.displayName).toBe('bob');
    expect(told).toEqual([]);
  });
});

describe('a call without a session', () => {
  it('waits for the sign-in and then returns its reply', async () => {
    await arriveAs('alice');
    server.who = null;
    server.asked = [];
    const required = Promise.withResolvers<{ code: string }>();
    const stop = authEvents.on('login-required', required.resolve);
    const list = call('listRecordings');
    expect(await required.promise).toMatchObject({ code: 'session-expired', url: '/api/recordings' });
    stop();
    server.who = 'alice';
    expect(await confirmSignIn()).toBe(true);
    expect(await list).toEqual({ items: [], nextCursor: null, total: 0 });
    // The first request checks whether the session was only replaced by a newer one.
    expect(server.asked).toEqual(['/api/recordings', '/auth/session', '/auth/session', '/api/recordings']);
  });

  it('rejects as login-cancelled when the dialog is closed, and the page then shows no user', async () => {
    await arriveAs('alice');
    server.who = null;
    const list = call('listRecordings');
    const failure = list.catch((error: unknown) => error);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    cancelSignIn();
    expect(await failure).toMatchObject({ name: 'ApiError', code: 'login-cancelled', status: 0 });
    await expect.poll(() => session.getSnapshot().status).toBe('signed-out');
  });

  it('continues to wait after a sign-in whose cookie the browser did not store', async () => {
    await arriveAs('alice');
    server.who = null;
    const list = call('listRecordings');
    const failure = list.catch((error: unknown) => error);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(await confirmSignIn()).toBe(false);
    requestSignIn();
    cancelSignIn();
    expect(await failure).toMatchObject({ code: 'login-cancelled' });
  });
});

describe('a sign-out without the server', () => {
  const store = new Map<string, string>();
  beforeEach(() => {
    store.clear();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => store.get(name) ?? null,
      setItem: (name: string, text: string) => store.set(name, text),
      removeItem: (name: string) => store.delete(name),
    });
  });
  const isStored = () => store.has('earshot.pending-sign-out');

  it('hides the user at once, and ends the session with the next answer of the server', async () => {
    await arriveAs('alice');
    server.isGone = true;
    expect(await signOut()).toBe('pending');
    expect([session.getSnapshot().status, isStored(), server.who]).toEqual(['signed-out', true, 'alice']);
    server.isGone = false;
    await readSession();
    expect([session.getSnapshot().status, isStored(), server.who]).toEqual(['signed-out', false, null]);
  });

  it('is forgotten when another user has signed in', async () => {
    await arriveAs('alice');
    server.isGone = true;
    await signOut();
    server.isGone = false;
    await arriveAs('bob');
    expect([session.getSnapshot().user?.displayName, isStored(), server.who]).toEqual(['bob', false, 'bob']);
  });

  it('does not end a later sign-in of the same user', () => {
    const at = (time: string) => ({ authTime: `2026-01-01T00:00:${time}.000Z` });
    noteAuthTime(at('10'));
    storeSignOut('alice');
    expect([at('09'), at('10'), at('11'), null].map((one) => isSignedOutHere('alice', one))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(isSignedOutHere('bob', at('10'))).toBe(false);
  });

  it('is a failure where the browser blocks storage: the user is still signed in', async () => {
    await arriveAs('alice');
    vi.stubGlobal('localStorage', undefined);
    server.isGone = true;
    await expect(signOut()).rejects.toMatchObject({ code: 'offline' });
    expect(session.getSnapshot().user?.displayName).toBe('alice');
  });
});
