import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LiveEvent } from '#contract/events-api.ts';
import {
  apiOnSqlite,
  append,
  startTake,
  problemOf,
  type ApiUnderTest,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { createApp } from '#server/http/app.ts';
import { createChangeAnnouncer } from './change-announcer.ts';
import { createLiveHub } from './live-hub.ts';
import { liveRoutes } from './live-routes.ts';

/** Reads events from a real socket, one at a time; null when the stream has ended. */
async function listen(
  api: ApiUnderTest,
  user: TestUser,
): Promise<{ response: Response; next: () => Promise<LiveEvent | null> }> {
  const address = api.app.server.listening
    ? api.app.listeningOrigin
    : await api.app.listen({ host: '127.0.0.1', port: 0 });
  const response = await fetch(`${address}/api/events`, { headers: { cookie: `sid=${user.cookie}` } });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<LiveEvent | null> => {
    for (;;) {
      const match = /data: (.*)\n\n/.exec(text);
      if (match) {
        text = text.slice(match.index + match[0].length);
        return JSON.parse(match[1] ?? '') as LiveEvent;
      }
      const { value, done } = await reader.read();
      if (done) return null;
      text += value;
    }
  };
  return { response, next };
}

describe('the event stream', () => {
  test('greets, then reports changes to their owner only', async () => {
    const api = await apiOnSqlite();
    const [anna, ben] = [await api.signIn(), await api.signIn()];
    const [forAnna, forBen] = [await listen(api, anna), await listen(api, ben)];
    expect(forAnna.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(await forAnna.next()).toEqual({ type: 'hello' });
    expect(await forBen.next()).toEqual({ type: 'hello' });
    const take = await startTake(api, anna);
    expect(await forAnna.next()).toEqual({ type: 'recording-changed', recordingId: take.recordingId });
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from('x') });
    expect(await forAnna.next()).toEqual({ type: 'recording-changed', recordingId: take.recordingId });
    api.hub.publish(ben.id, { type: 'profile-changed' });
    expect(await forBen.next()).toEqual({ type: 'profile-changed' });
  });

  test('reports that the session has ended, and ends', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const stream = await listen(api, user);
    await stream.next();
    api.hub.endSession(`session-of-${user.id}`);
    expect([await stream.next(), await stream.next()]).toEqual([{ type: 'session-ended' }, null]);
    expect(api.hub.clientCount).toBe(0);
  });

  test('ends when the server stops, and rejects a late client', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const stream = await listen(api, user);
    await stream.next();
    api.hub.closeAll();
    expect(await stream.next()).toBeNull();
    let isClosed = false;
    const late = { userId: user.id, sessionId: 'late', send: () => undefined };
    api.hub.join({
      ...late,
      close: () => {
        isClosed = true;
      },
    });
    expect([isClosed, api.hub.sessionIds()]).toEqual([true, []]);
  });

  test('is dropped if the client leaves during the lookup of its session', async () => {
    const hub = createLiveHub();
    const [asked, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const app = createApp({
      routes: liveRoutes(hub),
      config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
      identify: {
        session: async () => {
          asked.resolve(undefined);
          await gate.promise;
          return {
            kind: 'session',
            userId: 'anna',
            role: 'member',
            sessionId: 's',
            tokenHash: '',
            authTimeMs: 0,
          };
        },
        uploadCapability: async () => null,
      },
    });
    onTestFinished(() => app.close());
    const closed = new Promise((resolve) => {
      app.server.once('request', (_, response) => {
        response.once('close', resolve);
      });
    });
    const leaving = new AbortController();
    const left = fetch(`${await app.listen({ host: '127.0.0.1', port: 0 })}/api/events`, {
      signal: leaving.signal,
    });
    await asked.promise;
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await closed;
    gate.resolve(undefined);
    await sleep(100);
    expect(hub.clientCount).toBe(0);
  });

  test('requires a signed-in user', async () => {
    const api = await apiOnSqlite();
    expect(problemOf(await api.as(null, { url: '/api/events' })).code).toBe('session-required');
  });
});

describe('a growing recording', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is announced at most every two seconds, and its last growth is always announced', () => {
    vi.useFakeTimers();
    const hub = createLiveHub();
    const said: LiveEvent[] = [];
    hub.join({
      userId: 'anna',
      sessionId: 's',
      send: (event) => {
        said.push(event);
      },
      close: () => undefined,
    });
    const announce = createChangeAnnouncer(hub);
    for (let count = 0; count < 10; count += 1) announce.recordingGrew('anna', 'r');
    expect(said).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    expect(said).toHaveLength(2);
    vi.advanceTimersByTime(60_000);
    expect(said).toHaveLength(2);
  });
});
