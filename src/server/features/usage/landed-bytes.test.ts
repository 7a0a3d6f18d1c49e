import { expect, test, vi } from 'vitest';
import { apiOnSqlite, append, startTake } from '#tests/support/api-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { LandedBytes } from './landed-bytes.ts';

test.each([
  [true, 10],
  [false, 0],
])('with other writers (%s), counts what they appended within ten seconds', async (hasOtherWriters, seen) => {
  const api = await apiOnSqlite(new MemoryBlobStore({ hasOtherWriters }));
  const user = await api.signIn();
  const take = await startTake(api, user);
  let nowMs = 0;
  const landed = new LandedBytes(api.blobs, () => nowMs);
  const count = () => landed.uncountedOf(api.database.queries, user.id);
  expect(await count()).toBe(0);
  // The server of the API is another process for these counts.
  await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.alloc(10) });
  expect(await count()).toBe(0);
  nowMs = 10_000;
  expect(await count()).toBe(seen);
});

test('accounts that were first counted together are counted again at different times', async () => {
  const { queries } = await freshDatabase();
  const select = vi.spyOn(queries, 'selectFrom');
  let nowMs = 0;
  const landed = new LandedBytes(new MemoryBlobStore({ hasOtherWriters: true }), () => nowMs);
  const countedNow = async (): Promise<number> => {
    select.mockClear();
    for (let user = 0; user < 40; user += 1) await landed.uncountedOf(queries, `user-${user}`);
    return select.mock.calls.length;
  };
  const all = await countedNow();
  expect(all).toBeGreaterThanOrEqual(40);
  nowMs = 5000;
  const early = await countedNow();
  expect(early).toBeGreaterThan(0);
  expect(early).toBeLessThan(all);
  nowMs = 10_000;
  expect(await countedNow()).toBe(all - early);
});
