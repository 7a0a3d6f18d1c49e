import { beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { problemSchema } from '#contract/errors.ts';
import { insertPasskey } from '#server/features/accounts/credentials/passkeys-store.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { appUnderTest, password, proofIsOldMs, publicUrl, type AppUnderTest } from './app-under-test.ts';
import { honestIssuers } from './honest-issuers.ts';

const { settings } = honestIssuers();
const codeOf = (response: { json(): unknown }): string => problemSchema.parse(response.json()).code;

eachDatabase((_name, open) => {
  let rig: AppUnderTest;
  beforeEach(async () => {
    rig = appUnderTest(await open(), { providers: settings });
  });

  describe('signing in with a provider', () => {
    it('creates an account for a new user, with the name and the verified address, and signs in', async () => {
      const browser = rig.newBrowser();
      const response = await browser.signIn('one', 'ann', { locale: 'de', returnTo: '/library?q=x#y' });
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({
        created: true,
        linked: false,
        intent: 'sign-in',
        returnTo: '/library?q=x#y',
        user: { displayName: 'Ann Lovelace', email: 'ann@example.org', locale: 'de' },
      });
      expect(await browser.whoAmI()).toMatchObject({ displayName: 'Ann Lovelace' });
      expect(await browser.identities()).toMatchObject([
        { provider: 'one', email: 'ann@example.org', isUsable: true },
      ]);
    });

    it('finds the same user again, with or without a trailing slash', async () => {
      const first = await rig.newBrowser().signIn('one');
      const browser = rig.newBrowser();
      const answer = await browser.visit(
        (await browser.post('/auth/one/', {})).json<{ authorizationUrl: string }>().authorizationUrl,
      );
      const again = await browser.post('/auth/one/', answer);
      expect(again.json()).toMatchObject({
        created: false,
        user: { id: first.json<{ user: { id: string } }>().user.id },
      });
      expect(await rig.count('users')).toBe(1);
    });

    it('creates one account for simultaneous first sign-ins', async () => {
      const browsers = [rig.newBrowser(), rig.newBrowser(), rig.newBrowser()];
      const answers = await Promise.all(
        browsers.map(async (browser) => browser.visit(await browser.start('one'))),
      );
      const responses = await Promise.all(
        browsers.map((browser, index) => browser.post('/auth/one', answers[index] ?? {})),
      );
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(responses.filter((response) => response.json<{ created: boolean }>().created)).toHaveLength(1);
      expect([await rig.count('users'), await rig.count('identities')]).toEqual([1, 1]);
    });

    it('makes the first account of an installation its administrator, and no other', async () => {
      expect((await rig.newBrowser().signIn('one', 'ann')).json()).toMatchObject({ user: { role: 'admin' } });
      expect((await rig.newBrowser().signIn('one', 'bob')).json()).toMatchObject({
        user: { role: 'member' },
      });
    });

    it('ends the browser’s previous session, and issues a new token', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      const before = browser.cookies.get('sid');
      await browser.signIn('one', 'bob');
      expect(browser.cookies.get('sid')).not.toBe(before);
      expect(rig.ended).toHaveLength(1);
      expect(await browser.whoAmI()).toMatchObject({ displayName: 'Bob' });
    });

    it('sets only a session cookie on a shared computer', async () => {
      const response = await rig.newBrowser().signIn('one', 'ann', { remember: false });
      expect(response.cookies.find(({ name }) => name === 'sid')).not.toHaveProperty('maxAge');
    });

    it('names a user by name, user name or the part before the @', async () => {
      expect((await rig.newBrowser().signIn('one', 'nameless')).json()).toMatchObject({
        user: { displayName: 'quiet.one' },
      });
    });

    it('needs no address', async () => {
      expect((await rig.newBrowser().signIn('one', 'addressless')).json()).toMatchObject({
        user: { displayName: 'Nobody', email: null },
      });
    });

    it('rejects new users where sign-up is closed, and still signs existing ones in', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      const closed = appUnderTest(rig.database, { providers: settings, signUp: 'closed' });
      expect((await closed.newBrowser().signIn('one', 'ann')).statusCode).toBe(200);
      const rejected = await closed.newBrowser().signIn('one', 'bob');
      expect([rejected.statusCode, codeOf(rejected)]).toEqual([403, 'sign-up-closed']);
      expect(await rig.count('identities')).toBe(1);
    });

    it('reports a disabled account', async () => {
      await rig.newBrowser().signIn('one');
      await rig.database.queries.updateTable('users').set({ disabled_at: 1 }).execute();
      const browser = rig.newBrowser();
      expect(codeOf(await browser.signIn('one'))).toBe('account-disabled');
      expect(await browser.whoAmI()).toBeNull();
    });

    it('ignores extra fields of older clients', async () => {
      const browser = rig.newBrowser();
      const started = await browser.post('/auth/one', { clientId: 'x', redirectUri: 'https://evil.example' });
      const { authorizationUrl } = started.json<{ authorizationUrl: string }>();
      expect(new URL(authorizationUrl).searchParams.get('redirect_uri')).toBe(
        `${publicUrl}/auth/one/callback`,
      );
      const done = await browser.post('/auth/one', {
        ...(await browser.visit(authorizationUrl)),
        clientId: 'x',
        redirectUri: 'https://evil.example',
      });
      expect(done.statusCode).toBe(200);
    });

    it('rejects an unknown provider', async () => {
      const response = await rig.newBrowser().post('/auth/nowhere', {});
      expect([response.statusCode, codeOf(response)]).toEqual([404, 'provider-unknown']);
    });

    it('lists the providers in their order, without their secrets', async () => {
      const response = await rig.newBrowser().send('GET', '/auth/providers');
      expect(response.json()).toEqual({
        providers: [
          { id: 'one', name: 'Issuer one', kind: 'oidc' },
          { id: 'two', name: 'Issuer two', kind: 'oidc' },
        ],
      });
    });

    it('accepts a denial: nothing changes, and the user can start again', async () => {
      const browser = rig.newBrowser();
      const answer = await browser.visit(await browser.start('one'), 'somebody who is not there');
      expect(answer).toMatchObject({ error: 'access_denied' });
      const { state = '', error = '' } = answer;
      const denied = await browser.post('/auth/one', { state, error });
      expect([denied.statusCode, codeOf(denied)]).toEqual([400, 'oauth-denied']);
      expect((await browser.signIn('one')).statusCode).toBe(200);
    });

    it('allows several pending sign-ins in one browser', async () => {
      const browser = rig.newBrowser();
      const [first, second] = [await browser.start('one'), await browser.start('two')];
      const [one, two] = [await browser.visit(first), await browser.visit(second)];
      expect((await browser.post('/auth/two', two)).statusCode).toBe(200);
      expect((await browser.post('/auth/one', one)).statusCode).toBe(200);
    });

    it('throttles repeated attempts', async () => {
      const slow = appUnderTest(rig.database, { providers: settings, providerCallsPerTenMinutes: 3 });
      for (let call = 0; call < 3; call += 1)
        expect((await slow.newBrowser().post('/auth/one', {})).statusCode).toBe(200);
      const response = await slow.newBrowser().post('/auth/one', {});
      expect([response.statusCode, codeOf(response)]).toEqual([429, 'rate-limited']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect((await slow.newBrowser('203.0.113.4').post('/auth/one', {})).statusCode).toBe(200);
    });
  });

  describe('an address that another account has', () => {
    it('is answered with the passkey method if that is the only one', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      const { queries } = rig.database;
      const { id } = await queries.selectFrom('users').select('id').executeTakeFirstOrThrow();
      await insertPasskey(
        queries,
        {
          userId: id,
          name: 'Phone',
          passkey: {
            credential_id: 'AAAA',
            public_key: 'AAAA',
            counter: 0,
            transports: '',
            aaguid: '',
            backed_up: 0,
          },
        },
        rig.clock.nowMs(),
      );
      await queries.deleteFrom('identities').execute();
      const response = await rig.newBrowser().signIn('one', 'ann');
      expect(codeOf(response)).toBe('account-exists');
      expect(problemSchema.parse(response.json()).methods).toEqual(['passkey']);
    });

    it('does not sign in: the user must sign in to the old account, whose methods are listed', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      const trusting = settings.map((one) => ({ ...one, trustEmail: true }));
      const browser = appUnderTest(rig.database, { providers: trusting }).newBrowser();
      const response = await browser.signIn('two', 'ann');
      expect([response.statusCode, codeOf(response)]).toEqual([409, 'account-exists']);
      expect(problemSchema.parse(response.json()).methods).toEqual(['one']);
      expect(await browser.whoAmI()).toBeNull();
      expect(await rig.count('identities')).toBe(1);
      // The solution: sign in with the old method, then link.
      await browser.signIn('one', 'ann');
      expect((await browser.signIn('two', 'ann', { intent: 'link' })).json()).toMatchObject({ linked: true });
      expect((await rig.newBrowser().signIn('two', 'ann')).json()).toMatchObject({ created: false });
    });

    it('and never verified matches nothing: the two accounts stay separate', async () => {
      const owner = rig.newBrowser();
      await owner.signUp('ann@example.org');
      const response = await rig.newBrowser().signIn('one', 'ann');
      expect(response.json()).toMatchObject({ created: true, user: { email: null } });
      expect(response.json<{ user: { id: string } }>().user.id).not.toBe((await owner.whoAmI())?.id);
    });
  });

  describe('linking', () => {
    it('adds the account, rotates the session and changes neither name nor address', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      const before = browser.cookies.get('sid');
      const response = await browser.signIn('one', 'ann', { intent: 'link' });
      expect(response.json()).toMatchObject({
        linked: true,
        created: false,
        intent: 'link',
        user: { displayName: 'carol', email: 'carol@example.org' },
      });
      expect(browser.cookies.get('sid')).not.toBe(before);
      expect((await rig.newBrowser().signIn('one', 'ann')).json()).toMatchObject({
        user: { displayName: 'carol' },
      });
    });

    it('a second time has no effect', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      await browser.signIn('one', 'ann', { intent: 'link' });
      expect((await browser.signIn('one', 'ann', { intent: 'link' })).json()).toMatchObject({
        linked: false,
      });
      expect(await rig.count('identities')).toBe(1);
    });

    it('allows several accounts of one provider; unlinking then needs an account id', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      for (const account of ['ann', 'bob']) await browser.signIn('one', account, { intent: 'link' });
      const [first] = await browser.identities();
      const unclear = await browser.post('/auth/unlink', { provider: 'one' });
      expect([unclear.statusCode, codeOf(unclear)]).toEqual([422, 'validation']);
      expect((await browser.post('/auth/unlink', { provider: 'one', accountId: first?.id })).statusCode).toBe(
        200,
      );
      expect(await browser.identities()).toHaveLength(1);
    });

    it('requires a session and a recent authentication', async () => {
      const browser = rig.newBrowser();
      const stranger = await browser.post('/auth/one', { intent: 'link' });
      expect([stranger.statusCode, codeOf(stranger), stranger.headers['www-authenticate']]).toEqual([
        401,
        'session-required',
        'Session realm="earshot"',
      ]);
      await browser.signUp('carol@example.org');
      rig.clock.advance(proofIsOldMs);
      const late = await browser.post('/auth/one', { intent: 'link' });
      expect([late.statusCode, codeOf(late)]).toEqual([403, 'reauthentication-required']);
    });

    it('does not survive its session', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      const answer = await browser.visit(await browser.start('one', { intent: 'link' }));
      await browser.post('/auth/login', { email: 'carol@example.org', password });
      const response = await browser.post('/auth/one', answer);
      expect([response.statusCode, codeOf(response)]).toEqual([410, 'oauth-flow-expired']);
      expect(await rig.count('identities')).toBe(0);
    });
  });

  describe('confirming the identity', () => {
    it('by a linked provider makes the authentication recent', async () => {
      const browser = rig.newBrowser();
      await browser.signIn('one', 'ann');
      rig.clock.advance(proofIsOldMs);
      expect(codeOf(await browser.post('/auth/two', { intent: 'link' }))).toBe('reauthentication-required');
      const url = await browser.start('one', { intent: 'reauthenticate' });
      expect(new URL(url).searchParams.get('prompt')).toBe('login');
      expect((await browser.post('/auth/one', await browser.visit(url, 'ann'))).json()).toMatchObject({
        intent: 'reauthenticate',
        created: false,
        linked: false,
      });
      expect((await browser.post('/auth/two', { intent: 'link' })).statusCode).toBe(200);
    });

    it('by another account of the provider has no effect', async () => {
      const browser = rig.newBrowser();
      await browser.signIn('one', 'ann');
      rig.clock.advance(proofIsOldMs);
      const response = await browser.signIn('one', 'bob', { intent: 'reauthenticate' });
      expect([response.statusCode, codeOf(response)]).toEqual([404, 'link-not-found']);
      expect(codeOf(await browser.post('/auth/two', { intent: 'link' }))).toBe('reauthentication-required');
    });
  });

  describe('unlinking', () => {
    it('removes the account, which then signs in as a new user', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      await browser.signIn('one', 'ann', { intent: 'link' });
      const response = await browser.post('/auth/unlink/', { provider: 'one' });
      expect(response.json()).toMatchObject({ user: { displayName: 'carol' } });
      expect(await browser.whoAmI()).toMatchObject({ displayName: 'carol' });
      expect((await rig.newBrowser().signIn('one', 'ann')).json()).toMatchObject({ created: true });
    });

    it('returns 400 for an unknown provider, 404 for one that is not linked', async () => {
      const browser = rig.newBrowser();
      await browser.signUp('carol@example.org');
      const responses = [
        await browser.post('/auth/unlink', { provider: 'nowhere' }),
        await browser.post('/auth/unlink', { provider: 'one' }),
      ];
      expect(responses.map((response) => [response.statusCode, codeOf(response)])).toEqual([
        [400, 'provider-invalid'],
        [404, 'link-not-found'],
      ]);
    });

    it('works for a provider no longer configured, which does not count as a sign-in method', async () => {
      const browser = rig.newBrowser();
      await browser.signIn('one', 'ann');
      await browser.signIn('two', 'ann', { intent: 'link' });
      const later = appUnderTest(rig.database, { providers: settings.filter(({ id }) => id === 'one') });
      const same = later.newBrowser();
      for (const [name, value] of browser.cookies) same.cookies.set(name, value);
      expect(await same.identities()).toMatchObject([
        { provider: 'one', isUsable: true },
        { provider: 'two', isUsable: false },
      ]);
      expect(codeOf(await same.post('/auth/unlink', { provider: 'one' }))).toBe('last-credential');
      expect((await same.post('/auth/unlink', { provider: 'two' })).statusCode).toBe(200);
    });
  });

  describe('a flow', () => {
    it('is deleted when completed, and swept when abandoned', async () => {
      const browser = rig.newBrowser();
      await browser.start('one');
      rig.clock.advance(11 * minute);
      await browser.signIn('one');
      expect(await rig.count('oauth_flows')).toBe(0);
    });
  });
});
