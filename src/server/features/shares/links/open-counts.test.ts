import { expect, test } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { type ApiUnderTest, apiOnSqlite, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { share } from '#tests/support/sharing.ts';
import { OpenCounts } from './open-counts.ts';

interface World {
  api: ApiUnderTest;
  owner: TestUser;
  shares: readonly [Share, Share];
}

async function world(): Promise<World> {
  const api = await apiOnSqlite();
  const owner = await api.signIn();
  const { recordingId } = await recordTake(api, owner, 2);
  const made = () => share({ api, user: owner }, recordingId);
  return { api, owner, shares: [await made(), await made()] };
}

const opensOf = async ({ api, shares }: World): Promise<number[]> => {
  const rows = await api.database.queries.selectFrom('shares').select(['id', 'open_count']).execute();
  return shares.map(({ id }) => rows.find((row) => row.id === id)?.open_count ?? -1);
};

test('stores the first opening at once, and all others together in one commit', async () => {
  const made = await world();
  const { api, shares } = made;
  let commits = 0;
  const database = new Proxy(api.database, {
    get(target, name) {
      if (name === 'transaction') commits += 1;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const counts = new OpenCounts({ database, clock: api.clock });
  await counts.add(shares[0].id);
  expect(await opensOf(made)).toEqual([1, 0]);
  for (let opening = 0; opening < 50; opening += 1) {
    await counts.add(shares[0].id);
    await counts.add(shares[1].id);
  }
  expect(commits).toBe(1);
  await expect.poll(() => opensOf(made), { timeout: 5000 }).toEqual([51, 50]);
  expect(commits).toBe(2);
  await counts.stop();
});

test('stores at the stop what waits, also after an opening that could not be stored', async () => {
  const made = await world();
  const { api, shares } = made;
  let isBroken = true;
  const database = new Proxy(api.database, {
    get(target, name) {
      if (name === 'transaction' && isBroken) return () => Promise.reject(new Error('the disk is full'));
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const counts = new OpenCounts({ database, clock: api.clock });
  await expect(counts.add(shares[0].id)).rejects.toThrow('the disk is full');
  isBroken = false;
  await counts.add(shares[1].id);
  await counts.stop();
  expect(await opensOf(made)).toEqual([0, 1]);
});

test('stores at the stop what waits, without those of a link that was deleted', async () => {
  const made = await world();
  const { api, shares } = made;
  const counts = new OpenCounts({ database: api.database, clock: api.clock });
  for (const { id } of [shares[0], ...shares]) await counts.add(id);
  await api.database.queries.deleteFrom('shares').where('id', '=', shares[0].id).execute();
  await counts.stop();
  expect(await opensOf(made)).toEqual([-1, 1]);
});
