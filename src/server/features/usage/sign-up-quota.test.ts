import { expect, test } from 'vitest';
import { accountsUnderTest, signUp } from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { defaultSignUpQuotaBytes } from './sign-up-quota.ts';

eachDatabase((_name, open) => {
  test.for([
    ['the default', { signUpQuotaBytes: null }, 50_000_000_000],
    ['a stated quota', { signUpQuotaBytes: 7 }, 7],
    ['none', { signUpQuotaBytes: 0 }, null],
    ['none where one quota holds for every user', { signUpQuotaBytes: 7, quotaBytes: 5 }, null],
  ] as const)('X4: an account that signs up gets its own quota: %s', async ([, config, expected]) => {
    const database = await open();
    const under = await accountsUnderTest(database, config);
    await signUp(under);
    const { id } = await signUp(under);
    const rows = await database.queries.selectFrom('quotas').selectAll().execute();
    // The first account is the administrator's.
    expect(rows.map(({ user_id: userId, quota_bytes: bytes }) => [userId, Number(bytes)])).toEqual(
      expected === null ? [] : [[id, expected]],
    );
  });
});

test.for([
  ['a fifth of a small disk', 10_000_000_000, false, 2_000_000_000],
  ['50 GB of a large one', 10 ** 12, false, 50_000_000_000],
  ['50 GB of a store that several servers share', 10_000_000_000, true, 50_000_000_000],
] as const)('the default quota of a sign-up is %s', async ([, totalBytes, hasOtherWriters, expected]) => {
  const blobs = new MemoryBlobStore({ hasOtherWriters });
  blobs.space = () => Promise.resolve({ freeBytes: 1, totalBytes });
  expect(await defaultSignUpQuotaBytes(blobs)).toBe(expected);
});
