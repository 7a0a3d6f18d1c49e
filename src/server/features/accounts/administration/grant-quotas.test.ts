import { expect, test } from 'vitest';
import { accountsUnderTest, answerOf, rejection, signUp } from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const quotas = '/api/admin/quotas';

  const start = async (config: { signUpQuotaBytes: number; quotaBytes?: number }) => {
    const under = await accountsUnderTest(await open(), config);
    const { queries } = under.database;
    const [admin, empty, full, limited, gone] = [
      await signUp(under),
      await signUp(under),
      await signUp(under),
      await signUp(under),
      await signUp(under),
    ];
    await queries.deleteFrom('quotas').execute();
    await queries.insertInto('quotas').values({ user_id: limited.id, quota_bytes: 5 }).execute();
    for (let recordings = 0; recordings < 2; recordings += 1)
      await storeRecording(queries, { owner_id: full.id, state: 'ready', stored_bytes: 600 });
    await storeRecording(queries, { owner_id: empty.id, state: 'ready', stored_bytes: 600 });
    expect((await gone.browser.send('DELETE', '/auth/account')).statusCode).toBe(204);
    const stored = async () =>
      Object.fromEntries(
        (await queries.selectFrom('quotas').selectAll().execute()).map(
          ({ user_id: id, quota_bytes: bytes }) => [id, Number(bytes)],
        ),
      );
    return { under, admin, empty, full, limited, stored };
  };

  test('X4: says how many accounts have no quota and how many are over it, before any gets one', async () => {
    const { admin, limited, stored } = await start({ signUpQuotaBytes: 1000 });
    expect(answerOf(await admin.browser.send('GET', quotas))).toEqual({
      quotaBytes: 1000,
      userCount: 2,
      overCount: 1,
    });
    expect(await stored()).toEqual({ [limited.id]: 5 });
  });

  test('X4: gives the quota to accounts without one, and deletes nothing', async () => {
    const { under, admin, empty, full, limited, stored } = await start({ signUpQuotaBytes: 1000 });
    const grant = async () => answerOf(await admin.browser.post(quotas, { quotaBytes: 1000 }));
    expect(await grant()).toEqual({ userCount: 2 });
    expect(await stored()).toEqual({ [empty.id]: 1000, [full.id]: 1000, [limited.id]: 5 });
    expect(await under.database.queries.selectFrom('recordings').select('id').execute()).toHaveLength(3);
    expect(await under.audit()).toContainEqual({
      action: 'quota.granted',
      detail: JSON.stringify({ quotaBytes: 1000, userCount: 2 }),
    });
    expect(await grant()).toEqual({ userCount: 0 });
    expect(answerOf(await admin.browser.send('GET', quotas))).toMatchObject({ userCount: 0, overCount: 0 });
  });

  test.for([
    ['new accounts get none', { signUpQuotaBytes: 0 }],
    ['one quota holds for every user', { signUpQuotaBytes: 1000, quotaBytes: 5000 }],
  ] as const)('offers nothing where %s', async ([, config]) => {
    const { admin } = await start(config);
    expect(answerOf(await admin.browser.send('GET', quotas))).toEqual({
      quotaBytes: null,
      userCount: 0,
      overCount: 0,
    });
  });

  test('is for administrators', async () => {
    const { empty } = await start({ signUpQuotaBytes: 1000 });
    for (const response of [
      await empty.browser.send('GET', quotas),
      await empty.browser.post(quotas, { quotaBytes: 1 }),
    ])
      expect(rejection(response).code).toBe('forbidden');
  });
});
