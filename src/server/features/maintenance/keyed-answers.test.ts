import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day, minute } from '#base/duration.ts';
import { uploadCapabilityHeader } from '#contract/uploads-api.ts';
import { createMarker } from '#contract/markers-api.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts';
import { newId, storeRecording, storeUser } from '#tests/support/factories.ts';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { createApp } from '#server/http/app.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database } from '#server/storage/database/database.ts';
import { route } from '#server/http/route.ts';
import { sessionCookieName } from '#server/http/session-cookie.ts';
import { createKeyedAnswers } from './keyed-answers.ts';

const publicUrl = 'http://localhost:3000';

eachDatabase((_name, open) => {
  let clock: FakeClock;
  let database: Database;
  let done: number;
  let work: () => Promise<void>;
  let send: (given?: {
    key?: string;
    body?: object;
    user?: string;
    capability?: string;
  }) => Promise<{ statusCode: number; body: string }>;
  let recordingId: string;
  const marker = { id: newId(), atMs: 1000 };

  beforeEach(async () => {
    clock = fakeClock();
    done = 0;
    work = () => Promise.resolve();
    database = await open();
    const { id: owner } = await storeUser(database.queries);
    ({ id: recordingId } = await storeRecording(database.queries, { owner_id: owner }));
    const app = createApp({
      keyedAnswers: createKeyedAnswers({ database, clock, secrets: createSecretBox(randomBytes(32)) }),
      config: { publicUrl, trustedProxyHops: 0 },
      routes: [
        route(createMarker, async ({ body, params }) => {
          await work();
          done += 1;
          return {
            status: 201,
            body: { ...body, recordingId: params.recordingId, createdAt: new Date(done).toISOString() },
          };
        }),
      ],
      identify: {
        session: async ({ cookieToken }) =>
          cookieToken === null
            ? null
            : {
                kind: 'session',
                userId: cookieToken,
                role: 'member',
                sessionId: 's',
                tokenHash: '',
                authTimeMs: 0,
              },
        uploadCapability: async (token) => ({
          kind: 'upload-capability',
          recordingId: token,
          deviceLabel: '',
        }),
      },
    });
    onTestFinished(() => app.close());
    send = ({ key, body = marker, user = 'ann', capability } = {}) =>
      app.inject({
        method: 'POST',
        url: `/api/recordings/${recordingId}/markers`,
        cookies: { [sessionCookieName(publicUrl)]: user },
        payload: body,
        headers: {
          'sec-fetch-site': 'same-origin',
          'x-requested-with': 'earshot',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(capability === undefined ? {} : { [uploadCapabilityHeader]: capability }),
        },
      });
  });

  describe('a request with an idempotency key', () => {
    it('is executed once, and every repetition gets the same response', async () => {
      const [first, again] = [await send({ key: 'k' }), await send({ key: 'k' })];
      expect([again.statusCode, again.body, done]).toEqual([201, first.body, 1]);
    });

    it('leaves nothing of its response in the database that can be read without the key', async () => {
      const { body } = await send({ key: 'k' });
      const rows = JSON.stringify(
        await database.queries.selectFrom('idempotency_keys').selectAll().execute(),
      );
      expect(rows).not.toContain(marker.id);
      expect(JSON.parse(body)).toMatchObject({ id: marker.id });
    });

    it('is executed again if its response was sealed with a key that is lost', async () => {
      await send({ key: 'k' });
      await database.queries.updateTable('idempotency_keys').set({ reply: 'AAAA' }).execute();
      expect((await send({ key: 'k' })).statusCode).toBe(409);
      expect([(await send({ key: 'k' })).statusCode, done]).toEqual([201, 2]);
    });

    it('loses its stored response with the purge of its recording', async () => {
      await send({ key: 'k' });
      await database.queries.deleteFrom('recordings').where('id', '=', recordingId).execute();
      expect(await database.queries.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
    });

    it('stores no response if its recording is purged while it is executed', async () => {
      work = async () => {
        await database.queries.deleteFrom('recordings').where('id', '=', recordingId).execute();
      };
      expect((await send({ key: 'k' })).statusCode).toBe(201);
      expect(await database.queries.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
    });

    it('is a different one with another key, from another user, or without a key', async () => {
      for (const given of [{ key: 'k' }, { key: 'l' }, { key: 'k', user: 'bob' }, {}, {}]) await send(given);
      expect(done).toBe(5);
    });

    it('is a different one from a capability for a recording with the same id as the user', async () => {
      await send({ key: 'k', user: recordingId });
      await send({ key: 'k', capability: recordingId });
      expect(done).toBe(2);
    });

    it('with another body is rejected', async () => {
      await send({ key: 'k' });
      const other = await send({ key: 'k', body: { ...marker, atMs: 2000 } });
      expect([other.statusCode, other.body, done]).toEqual([
        422,
        expect.stringContaining('idempotency-mismatch'),
        1,
      ]);
    });

    it('gets a conflict while the first one is in progress', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      work = () => {
        started.resolve();
        return promise;
      };
      const first = send({ key: 'k' });
      await started.promise;
      const second = await send({ key: 'k' });
      expect([second.statusCode, second.body]).toEqual([
        409,
        expect.stringContaining('idempotency-conflict'),
      ]);
      resolve();
      expect([(await first).statusCode, done]).toEqual([201, 1]);
    });

    it('may be repeated after a failure, or after its server died', async () => {
      work = () => Promise.reject(new ProblemError('not-found'));
      expect((await send({ key: 'k' })).statusCode).toBe(404);
      work = () => Promise.resolve();
      expect((await send({ key: 'k' })).statusCode).toBe(201);
      const started = Promise.withResolvers<void>();
      work = () => {
        started.resolve();
        return new Promise(() => undefined);
      };
      void send({ key: 'l' });
      await started.promise;
      clock.advance(minute);
      work = () => Promise.resolve();
      expect((await send({ key: 'l' })).statusCode).toBe(201);
    });

    it('stays claimed by its repetition when the first one fails after more than a minute', async () => {
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const running: Promise<void>[] = [first.promise, second.promise];
      const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let calls = 0;
      work = () => {
        const call = calls;
        calls += 1;
        started[call]?.resolve();
        return running[call] ?? Promise.resolve();
      };
      const slow = send({ key: 'k' });
      await started[0]?.promise;
      clock.advance(minute);
      const repeated = send({ key: 'k' });
      await started[1]?.promise;
      first.reject(new ProblemError('not-found'));
      expect((await slow).statusCode).toBe(404);
      expect((await send({ key: 'k' })).statusCode).toBe(409);
      second.resolve();
      expect([(await repeated).statusCode, done]).toEqual([201, 1]);
    });

    it('is forgotten after a day', async () => {
      await send({ key: 'k' });
      clock.advance(day);
      await send({ key: 'k' });
      expect(done).toBe(2);
    });

    it.each(['', 'a b', 'x'.repeat(129)])('whose key is %j is rejected', async (key) => {
      expect([(await send({ key })).statusCode, done]).toEqual([422, 0]);
    });
  });
});
