import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { problemSchema } from '#contract/errors.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { appUnderTest, password, proofIsOldMs, type AppUnderTest, type Browser } from './app-under-test.ts';
import { honestIssuers } from './honest-issuers.ts';

const { settings } = honestIssuers();
const rejection = (response: LightMyRequestResponse): [number, string] => [
  response.statusCode,
  problemSchema.parse(response.json()).code,
];
const userIdIn = (response: LightMyRequestResponse): string =>
  response.json<{ user: { id: string } }>().user.id;

eachDatabase((_name, open) => {
  let rig: AppUnderTest;
  beforeEach(async () => {
    rig = appUnderTest(await open(), { providers: settings });
  });
  const newest = () =>
    rig.database.queries
      .selectFrom('sessions')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();

  it('abuse case 14: a provider sign-in never enters an account made in advance with the user’s address', async () => {
    const attacker = rig.newBrowser();
    const theirs = userIdIn(await attacker.signUp('ann@example.org'));
    const victim = rig.newBrowser();
    const response = await victim.signIn('one', 'ann');
    expect(response.json()).toMatchObject({ created: true });
    expect(userIdIn(response)).not.toBe(theirs);
    await rig.newBrowser().post('/auth/login', { email: 'ann@example.org', password });
    expect(await victim.identities()).toHaveLength(1);
    expect(await attacker.identities()).toEqual([]);
  });

  it.each(['unverified', 'unsaid', 'as-text'])(
    'abuse case 18: an address that the provider calls %s matches no account, is not stored and reveals nothing',
    async (account) => {
      await rig.newBrowser().signIn('one', 'ann');
      const response = await rig.newBrowser().signIn('one', account);
      expect(response.json()).toMatchObject({ created: true, user: { email: null } });
      expect(response.body).not.toContain('methods');
      expect(await rig.count('users')).toBe(2);
    },
  );

  it('abuse case 18: an issuer that is not trusted for addresses verifies none', async () => {
    await rig.newBrowser().signIn('one', 'ann');
    const response = await rig.newBrowser().signIn('two', 'ann');
    expect(response.json()).toMatchObject({ created: true, user: { email: null } });
  });

  it('abuse case 20: the same subject at two issuers is two users (ASVS 6.8.1)', async () => {
    const [one, two] = [
      await rig.newBrowser().signIn('one', 'bob'),
      await rig.newBrowser().signIn('two', 'bob'),
    ];
    expect(userIdIn(one)).not.toBe(userIdIn(two));
    expect(await rig.count('identities')).toBe(2);
  });

  it('abuse case 21: a provider account linked to one user cannot be linked to another, and nothing changes', async () => {
    const bob = rig.newBrowser();
    await bob.signIn('one', 'bob');
    const alice = rig.newBrowser();
    await alice.signUp('alice@example.org');
    const session = alice.cookies.get('sid');
    expect(rejection(await alice.signIn('one', 'bob', { intent: 'link' }))).toEqual([
      409,
      'identity-linked-elsewhere',
    ]);
    expect([await alice.identities(), (await bob.identities()).length]).toEqual([[], 1]);
    expect(alice.cookies.get('sid')).toBe(session);
    expect(await rig.rejections()).toContain('identity-linked-elsewhere');
  });

  describe('the last sign-in method', () => {
    const withTwo = async (account: string): Promise<Browser> => {
      const browser = rig.newBrowser();
      await browser.signIn('one', account);
      await browser.signIn('two', account, { intent: 'link' });
      return browser;
    };

    it('abuse case 22: cannot be removed', async () => {
      const browser = await withTwo('ann');
      expect((await browser.post('/auth/unlink', { provider: 'two' })).statusCode).toBe(200);
      expect(rejection(await browser.post('/auth/unlink', { provider: 'one' }))).toEqual([
        409,
        'last-credential',
      ]);
      expect(await browser.identities()).toHaveLength(1);
    });

    it('abuse case 22: may be a password', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      await browser.signIn('one', 'ann', { intent: 'link' });
      expect((await browser.post('/auth/unlink', { provider: 'one' })).statusCode).toBe(200);
    });

    it('abuse case 22: remains, even if the last two are removed simultaneously from two devices', async () => {
      const phone = await withTwo('ann');
      const laptop = rig.newBrowser();
      await laptop.signIn('two', 'ann');
      const identities = await rig.database.queries.selectFrom('identities').selectAll().execute();
      const sessions = await rig.database.queries.selectFrom('sessions').selectAll().execute();
      const sameAs = (device: Browser): Browser => {
        const browser = rig.newBrowser();
        for (const [name, value] of device.cookies) browser.cookies.set(name, value);
        return browser;
      };
      for (let round = 0; round < 100; round += 1) {
        const responses = await Promise.all([
          sameAs(phone).post('/auth/unlink', { provider: 'one' }),
          sameAs(laptop).post('/auth/unlink', { provider: 'two' }),
        ]);
        expect(responses.map(({ statusCode }) => statusCode).toSorted((x, y) => x - y)).toEqual([200, 409]);
        expect(await rig.count('identities')).toBe(1);
        for (const table of ['identities', 'sessions'] as const)
          await rig.database.queries.deleteFrom(table).execute();
        await rig.database.queries.insertInto('identities').values(identities).execute();
        await rig.database.queries.insertInto('sessions').values(sessions).execute();
      }
    });
  });

  it('a pending sign-in by a provider that is unlinked meanwhile creates no session', async () => {
    await rig.newBrowser().signIn('one', 'ann');
    const { database } = rig;
    const losing = appUnderTest(
      {
        ...database,
        async transaction(work) {
          const done = await database.transaction(work);
          await database.queries.deleteFrom('identities').execute();
          return done;
        },
      },
      { providers: settings },
    );
    const before = await rig.count('sessions');
    expect(rejection(await losing.newBrowser().signIn('one', 'ann'))).toEqual([404, 'link-not-found']);
    expect(await rig.count('sessions')).toBe(before);
  });

  it('unlinking a provider ends the sessions it started elsewhere, with or without a second factor, but no others', async () => {
    const browser = rig.newBrowser();
    await browser.signIn('one', 'ann');
    await browser.signIn('two', 'ann', { intent: 'link' });
    const [byOne, withCode, byTwo] = [rig.newBrowser(), rig.newBrowser(), rig.newBrowser()];
    await byTwo.signIn('two', 'ann');
    await withCode.signIn('two', 'ann');
    await rig.database.queries
      .updateTable('sessions')
      .set({ method: 'one+totp' })
      .where('id', '=', (await newest()).id)
      .execute();
    await byOne.signIn('one', 'ann');
    expect((await browser.post('/auth/unlink', { provider: 'one' })).statusCode).toBe(200);
    expect(
      [await browser.whoAmI(), await byOne.whoAmI(), await withCode.whoAmI(), await byTwo.whoAmI()].map(
        (who) => who !== null,
      ),
    ).toEqual([true, false, false, true]);
    expect(rig.ended).toHaveLength(2);
  });

  it('abuse case 23: unlinking after an old authentication requires a new one', async () => {
    const browser = rig.newBrowser();
    await browser.signIn('one', 'ann');
    await browser.signIn('two', 'ann', { intent: 'link' });
    rig.clock.advance(proofIsOldMs);
    expect(rejection(await browser.post('/auth/unlink', { provider: 'two' }))).toEqual([
      403,
      'reauthentication-required',
    ]);
    expect(await browser.identities()).toHaveLength(2);
  });
});
