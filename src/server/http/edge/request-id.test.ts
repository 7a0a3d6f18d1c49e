import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '#server/http/app.ts';

/** Sends a request for nothing, through as many trusted proxies. */
async function ask(trustedProxyHops: number, requestId?: string) {
  const lines = new PassThrough();
  const app = createApp({
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops },
    routes: [],
    identify: { session: async () => null, uploadCapability: async () => null },
    logger: pino({ level: 'info' }, lines),
  });
  onTestFinished(() => app.close());
  const { headers, body } = await app.inject({
    url: '/api/nothing',
    headers: { host: 'localhost:3000', ...(requestId === undefined ? {} : { 'x-request-id': requestId }) },
  });
  const { instance } = JSON.parse(body) as { instance: string };
  const { requestId: logged } = JSON.parse(String(lines.read())) as { requestId: string };
  return { answered: headers['x-request-id'], instance, logged };
}

const uuid = /^[0-9a-f-]{36}$/;

test('names a request in its response, its problem and the log', async () => {
  const { answered, instance, logged } = await ask(0);
  expect(answered).toMatch(uuid);
  expect([instance, logged]).toEqual([`urn:uuid:${String(answered)}`, answered]);
});

test('uses the id of a trusted proxy', async () => {
  const id = '5f2b6c1e-9a0d-4e7f-8b3c-2d1a0f9e8d7c';
  expect(await ask(1, id)).toEqual({ answered: id, instance: `urn:uuid:${id}`, logged: id });
});

test.each([
  ['without a trusted proxy', 0, '5f2b6c1e-9a0d-4e7f-8b3c-2d1a0f9e8d7c'],
  ['that is too short', 1, 'a'],
  ['that is too long', 1, 'a'.repeat(65)],
  ['that is no UUID', 1, '../../../admin?a=b'],
  ['with more behind it', 1, '5f2b6c1e-9a0d-4e7f-8b3c-2d1a0f9e8d7c {"level":60}'],
])('replaces an id %s', async (_name, hops, id) => {
  const { answered, logged } = await ask(hops, id);
  expect(answered).toMatch(uuid);
  expect(answered).not.toBe(id);
  expect(logged).toBe(answered);
});
