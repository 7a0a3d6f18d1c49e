import type { FastifyReply } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endlessBytes, expectCut, startReading } from '#tests/support/endless-response.ts';
import { createApp } from './app.ts';
import { route } from './route.ts';
import { OpenRequests } from './open-requests.ts';
import type { Principal } from './principal.ts';

test('abuse case 29: aborts the open responses of a session when it ends, and of no other session', async () => {
  const openRequests = new OpenRequests();
  const endless = {
    method: 'GET',
    path: '/api/endless',
    access: 'session',
    summary: 'Bytes without an end.',
    replyKind: 'bytes',
    statuses: [200],
    errors: [],
  } as const satisfies Endpoint;
  const app = createApp({
    openRequests,
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
    routes: [
      route(endless, async ({ reply }) => {
        void reply.type('application/octet-stream').send(endlessBytes());
        return 'sent';
      }),
    ],
    identify: {
      session: async ({ cookieToken }) =>
        cookieToken === null
          ? null
          : {
              kind: 'session',
              userId: 'u',
              role: 'member',
              sessionId: cookieToken,
              tokenHash: '',
              authTimeMs: 0,
            },
      uploadCapability: async () => null,
    },
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const start = (session: string) => startReading(`${url}/api/endless`, { cookie: `sid-3000=${session}` });
  const [ofA, ofB] = [await start('a'), await start('b')];
  openRequests.end('session', 'b');
  await expectCut(ofB);
  expect((await ofA.read()).done).toBe(false);
  await ofA.cancel();
});

test('does not register a response whose client disconnected while the session was looked up', async () => {
  const [asked, gate, entered] = [
    Promise.withResolvers<undefined>(),
    Promise.withResolvers<undefined>(),
    Promise.withResolvers<FastifyReply['raw']>(),
  ];
  class Watched extends OpenRequests {
    override enter(principal: Principal, reply: FastifyReply): void {
      super.enter(principal, reply);
      entered.resolve(reply.raw);
    }
  }
  const openRequests = new Watched();
  const bytes = {
    method: 'GET',
    path: '/api/bytes',
    access: 'session',
    summary: 'Bytes.',
    replyKind: 'bytes',
    statuses: [200],
    errors: [],
  } as const satisfies Endpoint;
  const app = createApp({
    openRequests,
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
    routes: [
      route(bytes, async ({ reply }) => {
        void reply.send(Buffer.alloc(10));
        return 'sent';
      }),
    ],
    identify: {
      session: async () => {
        asked.resolve(undefined);
        await gate.promise;
        return { kind: 'session', userId: 'u', role: 'member', sessionId: 'a', tokenHash: '', authTimeMs: 0 };
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
  const left = fetch(`${await app.listen({ host: '127.0.0.1', port: 0 })}/api/bytes`, {
    signal: leaving.signal,
  });
  await asked.promise;
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  await closed;
  gate.resolve(undefined);
  const cut = vi.spyOn(await entered.promise, 'destroy');
  openRequests.end('session', 'a');
  expect(cut).not.toHaveBeenCalled();
});
