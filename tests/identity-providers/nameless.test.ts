import { beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '#tests/support/databases.ts';
import { appUnderTest, type AppUnderTest } from './app-under-test.ts';
import { honestIssuers } from './honest-issuers.ts';

const { settings } = honestIssuers();

let rig: AppUnderTest;
beforeEach(async () => {
  rig = appUnderTest(await freshDatabase(), { providers: settings });
});

describe('a new user', () => {
  it.each([
    ['parts', 'Grace Hopper', false],
    ['nick', 'Ducky', false],
    ['nameless', 'quiet.one', false],
    ['unproven', 'quiet.two', false],
    ['silent', 'Issuer one user', true],
    ['invisible', 'Issuer one user', true],
  ])(
    'who is %s at the provider is called %s, and is asked for a name: %s',
    async (account, displayName, needsName) => {
      const browser = rig.newBrowser();
      expect((await browser.signIn('one', account)).json()).toMatchObject({
        created: true,
        needsName,
        user: { displayName },
      });
      expect(await browser.whoAmI()).toMatchObject({ displayName });
    },
  );

  it.each([
    ['de', 'Nutzer von Issuer one'],
    ['ja', 'Issuer oneのユーザー'],
    ['ar', 'مستخدم من Issuer one'],
  ])('without a name gets one in the page’s language: %s, %s', async (locale, displayName) => {
    expect((await rig.newBrowser().signIn('one', 'silent', { locale })).json()).toMatchObject({
      user: { displayName },
    });
  });

  it('without a name has the generated name in every list of users', async () => {
    const admin = rig.newBrowser();
    await admin.signUp('admin@example.org');
    const browser = rig.newBrowser();
    await browser.signIn('one', 'silent');
    expect((await admin.send('GET', '/api/admin/users')).body).toContain('"displayName":"Issuer one user"');
  });

  it('keeps a chosen name, and is not asked again', async () => {
    const browser = rig.newBrowser();
    await browser.signIn('one', 'silent');
    await rig.database.queries.updateTable('users').set({ display_name: 'Chosen' }).execute();
    expect((await rig.newBrowser().signIn('one', 'silent')).json()).toMatchObject({
      needsName: false,
      user: { displayName: 'Chosen' },
    });
  });

  it('whom an earlier version named “–” gets a better name at the next sign-in', async () => {
    for (const [account, displayName] of [
      ['silent', 'Issuer one user'],
      ['ann', 'Ann Lovelace'],
    ] as const) {
      const {
        user: { id },
      } = (await rig.newBrowser().signIn('one', account)).json<{ user: { id: string } }>();
      await rig.database.queries
        .updateTable('users')
        .set({ display_name: '–' })
        .where('id', '=', id)
        .execute();
      expect((await rig.newBrowser().signIn('one', account)).json()).toMatchObject({
        created: false,
        user: { displayName },
      });
    }
  });
});
