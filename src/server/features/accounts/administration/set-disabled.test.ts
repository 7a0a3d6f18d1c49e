import { expect, test } from 'vitest';
import { accountsUnderTest, goodPassword, rejection, signUp } from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import type { Database } from '#server/storage/database/database.ts';
import { setAdmin } from './admin-role.ts';

const path = (id: string, action: 'disable' | 'enable') => `/api/admin/users/${id}/${action}`;

async function withPeople(database: Database) {
  const under = await accountsUnderTest(database, { mail: true });
  return { under, admin: await signUp(under), member: await signUp(under) };
}

eachDatabase((name, open) => {
  test(`on ${name}, an admin disables an account and enables it again, and both are recorded`, async () => {
    const { under, admin, member } = await withPeople(await open());
    expect((await admin.browser.postEmpty(path(member.id, 'disable'))).json()).toMatchObject({
      id: member.id,
      disabledAt: expect.any(String),
    });
    expect((await admin.browser.postEmpty(path(member.id, 'disable'))).statusCode).toBe(200);
    expect(await member.browser.whoAmI()).toBeNull();
    expect(under.ended).toHaveLength(1);
    under.clock.advance(1000);
    expect((await admin.browser.postEmpty(path(member.id, 'enable'))).json()).toMatchObject({
      disabledAt: null,
    });
    expect(
      (await member.browser.post('/auth/login', { email: member.email, password: goodPassword })).statusCode,
    ).toBe(200);
    expect(
      (await under.audit()).map(({ action }) => action).filter((action) => action.endsWith('abled')),
    ).toEqual(['account.disabled', 'account.enabled']);
  });

  test(`on ${name}, a reset link from before an account was disabled stays invalid after it is enabled again`, async () => {
    const { under, admin, member } = await withPeople(await open());
    const { url } = (await admin.browser.postEmpty(`/api/admin/users/${member.id}/reset-link`)).json<{
      url: string;
    }>();
    const token = url.split('#')[1];
    await admin.browser.postEmpty(path(member.id, 'disable'));
    await admin.browser.postEmpty(path(member.id, 'enable'));
    const reset = await under.browser().post('/auth/password/reset', {
      token,
      newPassword: 'another long phrase 42',
      keepIdentities: [],
      keepPasskeys: [],
    });
    expect(rejection(reset).code).toBe('code-expired');
  });

  test(`on ${name}, only an admin with a recent proof disables an account, never their own or an unknown one`, async () => {
    const { under, admin, member } = await withPeople(await open());
    expect(rejection(await member.browser.postEmpty(path(admin.id, 'disable'))).code).toBe('forbidden');
    expect(rejection(await admin.browser.postEmpty(path(admin.id, 'disable'))).code).toBe('own-account');
    expect(
      rejection(await admin.browser.postEmpty(path('0190a000-0000-7000-8000-000000000000', 'disable'))).code,
    ).toBe('not-found');
    under.clock.advance(11 * 60_000);
    expect(rejection(await admin.browser.postEmpty(path(member.id, 'disable'))).code).toBe(
      'reauthentication-required',
    );
  });

  test(`on ${name}, of two admins who disable each other concurrently, one stays enabled`, async () => {
    const { under, admin, member } = await withPeople(await open());
    await setAdmin(under, member.email, true);
    const replies = await Promise.all([
      admin.browser.postEmpty(path(member.id, 'disable')),
      member.browser.postEmpty(path(admin.id, 'disable')),
    ]);
    expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1);
    const left = await under.database.queries
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('disabled_at', 'is', null)
      .execute();
    expect(left).toHaveLength(1);
  });
});
