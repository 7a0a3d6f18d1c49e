import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { day } from '#base/duration.ts';
import type { Database } from '#server/storage/database/database.ts';
import { type ApiUnderTest, apiUnderTest, type Installed, type TestUser } from './api-under-test.ts';

/** An account, and days later another server with a user who has no data yet. */
export async function twoServers(open: () => Promise<Database>, installed: Installed = {}) {
  const [api, elsewhere] = [
    await apiUnderTest(await open()),
    await apiUnderTest(await open(), undefined, installed),
  ];
  elsewhere.clock.advance(5 * day);
  return { api, user: await api.signIn(), elsewhere, newcomer: await elsewhere.signIn() };
}

/** Sends a request that must succeed. */
export async function insist(api: ApiUnderTest, user: TestUser, request: InjectOptions): Promise<void> {
  const { statusCode, body } = await api.as(user, request);
  expect([request.url, statusCode < 300 ? '' : body]).toEqual([request.url, '']);
}
