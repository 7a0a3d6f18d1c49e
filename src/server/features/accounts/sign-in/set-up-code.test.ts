import { describe, expect, test } from 'vitest';
import { accountsUnderTest, goodPassword, rejection } from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { setUpCodeOf } from './set-up-code.ts';

const setUpCode = 'AB1D-E0GH-JKMN';
const account = { email: 'ann@example.org', password: goodPassword };

describe('the set-up code', () => {
  test('is stable for one installation and differs between two', () => {
    const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    expect(setUpCodeOf(one)).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(setUpCodeOf(one)).toBe(setUpCodeOf(one));
    expect(setUpCodeOf(one)).not.toBe(setUpCodeOf(two));
  });
});

eachDatabase((name, open) => {
  test(`on ${name}, only the first account needs the code`, async () => {
    const under = await accountsUnderTest(await open(), { setUpCode });
    const browser = under.browser();
    expect((await browser.send('GET', '/auth/session')).json()).toMatchObject({ needsSetUpCode: true });
    for (const given of [{}, { setUpCode: '' }, { setUpCode: 'AB1D-E0GH-JKMM' }]) {
      expect(rejection(await browser.post('/auth/signup', { ...account, ...given }))).toMatchObject({
        status: 422,
        code: 'set-up-code-invalid',
        errors: [{ pointer: '/setUpCode' }],
      });
    }
    expect(rejection(await browser.post('/auth/passkeys/sign-up/begin', { email: account.email })).code).toBe(
      'set-up-code-invalid',
    );
    // The code as a user might type it.
    expect(
      (await browser.post('/auth/signup', { ...account, setUpCode: ' ab1d eogh jkmn ' })).json(),
    ).toMatchObject({ user: { role: 'admin' } });
    expect((await under.browser().send('GET', '/auth/session')).json()).toMatchObject({
      needsSetUpCode: false,
    });
    expect(
      (await under.browser().post('/auth/signup', { ...account, email: 'bob@example.org' })).json(),
    ).toMatchObject({ user: { role: 'member' } });
  });

  test(`on ${name}, a sign-up with the right code creates the first account once its address is verified`, async () => {
    const under = await accountsUnderTest(await open(), { setUpCode, mail: true });
    const browser = under.browser();
    const { flow } = (await browser.post('/auth/signup', { ...account, setUpCode })).json<{ flow: string }>();
    await under.work();
    const code = /^\d{8}$/m.exec(under.post?.to(account.email).at(-1)?.text ?? '')?.[0];
    expect((await browser.post('/auth/signup/verify', { flow, code })).json()).toMatchObject({
      user: { role: 'admin' },
    });
  });

  test(`on ${name}, a sign-up from while accounts existed does not become the first after all have been deleted`, async () => {
    const under = await accountsUnderTest(await open(), { setUpCode, mail: true });
    await under.database.queries
      .insertInto('users')
      .values({
        id: '0190a000-0000-7000-8000-000000000001',
        display_name: 'Ann',
        role: 'admin',
        created_at: 0,
      })
      .execute();
    const browser = under.browser();
    const { flow } = (await browser.post('/auth/signup', account)).json<{ flow: string }>();
    await under.work();
    await under.database.queries.deleteFrom('users').execute();
    const code = /^\d{8}$/m.exec(under.post?.to(account.email).at(-1)?.text ?? '')?.[0];
    expect(rejection(await browser.post('/auth/signup/verify', { flow, code })).code).toBe(
      'set-up-code-invalid',
    );
  });
});
