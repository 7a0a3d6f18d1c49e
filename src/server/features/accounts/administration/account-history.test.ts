import { expect, test } from 'vitest';
import { day, minute } from '#base/duration.ts';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  signUp,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';

interface Notice {
  at: string;
  byName: string;
}
interface Entry {
  event: string;
  by: string;
  byName: string | null;
}

const newPassword = 'other lantern gravel six';
const noticesOf = async (browser: Browser) =>
  answerOf<{ notices: Notice[] }>(await browser.send('GET', '/auth/session')).notices;
const historyOf = async (browser: Browser) =>
  answerOf<{ items: Entry[] }>(await browser.send('GET', '/api/account/history')).items;

/** An administrator creates a reset link for a member and uses it to set a new password. */
async function takeOver(under: AccountsUnderTest) {
  const [admin, member] = [
    await signUp(under, { email: 'ann@example.org' }),
    await signUp(under, { email: 'bob@example.org' }),
  ];
  under.clock.advance(minute);
  const { url } = answerOf<{ url: string }>(
    await admin.browser.postEmpty(`/api/admin/users/${member.id}/reset-link`),
  );
  under.clock.advance(minute);
  await under.browser().post('/auth/password/reset', {
    token: url.split('#')[1],
    newPassword,
    keepIdentities: [],
    keepPasskeys: [],
  });
  const logIn = async () => {
    under.clock.advance(minute);
    const browser = under.browser();
    answerOf(await browser.post('/auth/login', { email: member.email, password: newPassword }));
    return browser;
  };
  return { admin, member, logIn };
}

eachDatabase((name, open) => {
  test(`on ${name}, a reset link by an admin is announced at sign-in, and to the owner even after its user acknowledged it`, async () => {
    const under = await accountsUnderTest(await open());
    const { logIn } = await takeOver(under);
    const thief = await logIn();
    const [notice] = await noticesOf(thief);
    expect(notice).toMatchObject({ byName: 'ann' });
    expect((await thief.post('/api/account/notices/seen', { until: notice?.at })).statusCode).toBe(204);
    expect(await noticesOf(thief)).toEqual([]);
    const owner = await logIn();
    expect(await noticesOf(owner)).toEqual([notice]);
    under.clock.advance(31 * day);
    expect(await noticesOf(await logIn())).toEqual([]);
  });

  test(`on ${name}, an unacknowledged reset link is announced however long the owner stays away`, async () => {
    const under = await accountsUnderTest(await open());
    const { logIn } = await takeOver(under);
    under.clock.advance(400 * day);
    expect(await noticesOf(await logIn())).toHaveLength(1);
  });

  test(`on ${name}, the history shows only the owner what changed who can sign in, and who changed it`, async () => {
    const under = await accountsUnderTest(await open());
    const { admin, member, logIn } = await takeOver(under);
    under.clock.advance(minute);
    await admin.browser.postEmpty(`/api/admin/users/${member.id}/disable`);
    under.clock.advance(minute);
    await admin.browser.postEmpty(`/api/admin/users/${member.id}/enable`);
    const owner = await logIn();
    await owner.post('/auth/password', { currentPassword: newPassword, newPassword: goodPassword });
    expect(await historyOf(owner)).toMatchObject([
      { event: 'password.changed', by: 'owner', byName: null },
      { event: 'account.enabled', by: 'admin', byName: 'ann' },
      { event: 'account.disabled', by: 'admin', byName: 'ann' },
      { event: 'password.reset', by: 'unknown', byName: null },
      { event: 'password.reset-link-made', by: 'admin', byName: 'ann' },
      { event: 'account.created', by: 'owner', byName: null },
    ]);
    expect((await historyOf(admin.browser)).map(({ event }) => event)).toEqual(['account.created']);
  });

  test(`on ${name}, the owner gets an email about the link`, async () => {
    const under = await accountsUnderTest(await open(), { mail: true });
    const { member } = await takeOver(under);
    await under.work();
    expect(under.post?.to(member.email).map(({ subject }) => subject)).toContain(
      'A password reset link was created for your account',
    );
  });
});
