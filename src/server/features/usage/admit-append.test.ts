import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { apiUnderTest } from '#tests/support/api-under-test.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { newId } from '#tests/support/factories.ts';
import type { Database } from '#server/storage/database/database.ts';
import { createDiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import { createAppendAdmission } from './admit-append.ts';
import { LandedBytes } from './landed-bytes.ts';
import { createQuota } from './quota.ts';

/** The admission of a server with this many users, and how often it asked the database for sums. */
async function admissionOf(database: Database, userCount: number) {
  const api = await apiUnderTest(database, new MemoryBlobStore());
  const users = await Promise.all(Array.from({ length: userCount }, () => api.signIn()));
  const landed = new LandedBytes(api.blobs, () => performance.now());
  const reserve = createDiskReserve({
    blobs: api.blobs,
    clock: api.clock,
    reserveBytes: 0,
    onCrossed: () => undefined,
  });
  const quota = createQuota(database, { defaultBytes: 1000, landed, reserve });
  const countedOf = vi.fn<typeof quota.countedOf>(quota.countedOf);
  const admission = createAppendAdmission({
    queries: database.queries,
    clock: api.clock,
    landed,
    quota: { countedOf },
    reserve,
  });
  const admit = (ownerId: string) =>
    admission.admit({
      ownerId,
      recordingId: newId(),
      isTake: true,
      announcedBytes: null,
      beganAtMs: api.clock.nowMs(),
      registeredAtMs: api.clock.nowMs(),
      sizeBytes: 10,
    });
  return { admission, admit, countedOf, userIds: users.map(({ id }) => id) };
}

eachDatabase((_, open) => {
  test('appends of one account that arrive together share one read of its sum', async () => {
    const { admit, countedOf, userIds } = await admissionOf(await open(), 1);
    const [id = ''] = userIds;
    await Promise.all(Array.from({ length: 50 }, () => admit(id)));
    await admit(id);
    expect(countedOf).toHaveBeenCalledTimes(1);
  });

  test('accounts whose appends arrive together share few reads', async () => {
    const { admit, countedOf, userIds } = await admissionOf(await open(), 20);
    await Promise.all(userIds.map((id) => admit(id)));
    expect(countedOf.mock.calls.length).toBeLessThan(10);
    expect(new Set(countedOf.mock.calls.flatMap(([, ids]) => ids)).size).toBe(20);
  });

  test('a sum that is forgotten while it is read is read again', async () => {
    const { admission, admit, countedOf, userIds } = await admissionOf(await open(), 1);
    const [id = ''] = userIds;
    const read = countedOf.getMockImplementation();
    countedOf.mockImplementationOnce(async (queries, ownerIds) => {
      await nextTurn();
      await admission.forget(id, newId());
      return (await read?.(queries, ownerIds)) ?? new Map();
    });
    await admit(id);
    await admit(id);
    expect(countedOf).toHaveBeenCalledTimes(2);
  });

  test('a read that fails is not remembered', async () => {
    const { admit, countedOf, userIds } = await admissionOf(await open(), 1);
    const [id = ''] = userIds;
    countedOf.mockRejectedValueOnce(new Error('no database'));
    await expect(admit(id)).rejects.toThrow('no database');
    await admit(id);
    expect(countedOf).toHaveBeenCalledTimes(2);
  });
});
