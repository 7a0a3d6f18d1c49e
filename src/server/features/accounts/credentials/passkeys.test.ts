import { beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import type { PasskeyCreation, PasskeyRequest } from '#contract/passkeys.ts';
import {
  accountsUnderTest,
  answerOf,
  codeIn,
  goodPassword,
  publicUrl,
  rejection,
  signUp,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { SoftPasskey, type Lies } from '#tests/support/soft-passkey.ts';

interface Offer {
  flow: string;
  options: PasskeyCreation;
}
interface Question {
  flow: string;
  options: PasskeyRequest;
}

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  const newPasskey = () => new SoftPasskey(publicUrl);
  async function add(browser: Browser, passkey = newPasskey(), lies: Lies = {}) {
    const { flow, options } = answerOf<Offer>(await browser.postEmpty('/auth/passkeys/register/begin'));
    return {
      passkey,
      options,
      response: await browser.post('/auth/passkeys/register/finish', {
        flow,
        credential: passkey.create(options, lies),
      }),
    };
  }
  const requestChallenge = async (browser: Browser) =>
    answerOf<Question>(await browser.postEmpty('/auth/passkeys/sign-in/begin'));
  async function signIn(browser: Browser, passkey: SoftPasskey, lies: Lies = {}) {
    const { flow, options } = await requestChallenge(browser);
    return browser.post('/auth/passkeys/sign-in/finish', { flow, credential: passkey.get(options, lies) });
  }

  describe('a passkey', () => {
    it('is added with a recent proof, and signs in alone, without a user name', async () => {
      const { browser, email } = await signUp(under);
      const { passkey, response } = await add(browser);
      expect(response.statusCode).toBe(201);
      const other = under.browser('198.51.100.4');
      expect((await signIn(other, passkey)).statusCode).toBe(200);
      expect(await other.whoAmI()).toBe(email.split('@')[0]);
    });

    it('is listed, renamed and removed by its owner only', async () => {
      const [{ browser }, { browser: stranger }] = [await signUp(under), await signUp(under)];
      await add(browser);
      const [item] = answerOf<{ items: { id: string; name: string }[] }>(
        await browser.send('GET', '/auth/passkeys'),
      ).items;
      expect(item?.name).toBe('Firefox · Linux');
      const url = `/auth/passkeys/${item?.id}`;
      expect(rejection(await stranger.send('PATCH', url, { body: { name: 'mine' } })).code).toBe('not-found');
      expect(rejection(await stranger.send('DELETE', url)).code).toBe('not-found');
      expect(
        answerOf<{ name: string }>(await browser.send('PATCH', url, { body: { name: 'Laptop' } })).name,
      ).toBe('Laptop');
      expect((await browser.send('DELETE', url)).statusCode).toBe(200);
      expect(answerOf<{ items: unknown[] }>(await browser.send('GET', '/auth/passkeys')).items).toEqual([]);
    });

    it('ends only the other sessions started by passkey when it is removed', async () => {
      const { browser, email } = await signUp(under);
      const { passkey } = await add(browser);
      const [byPasskey, byPassword] = [under.browser('198.51.100.4'), under.browser('198.51.100.5')];
      await signIn(byPasskey, passkey);
      await byPassword.post('/auth/login', { email, password: goodPassword });
      const [item] = answerOf<{ items: { id: string }[] }>(await browser.send('GET', '/auth/passkeys')).items;
      expect((await browser.send('DELETE', `/auth/passkeys/${item?.id}`)).statusCode).toBe(200);
      const name = email.split('@')[0];
      expect([await browser.whoAmI(), await byPasskey.whoAmI(), await byPassword.whoAmI()]).toEqual([
        name,
        null,
        name,
      ]);
      expect(under.ended).toHaveLength(1);
    });

    it('is not added twice, and the options exclude the existing ones', async () => {
      const { browser } = await signUp(under);
      const { passkey } = await add(browser);
      const again = await add(browser, passkey);
      expect(again.options.excludeCredentials.map(({ id }) => id)).toEqual([passkey.id]);
      expect(rejection(again.response).code).toBe('passkey-refused');
    });

    it('reauthenticates a user, even if two-step sign-in makes a password insufficient', async () => {
      const { browser } = await signUp(under);
      const { passkey } = await add(browser);
      under.clock.advance(10 * minute);
      const { flow, options } = answerOf<Question>(await browser.postEmpty('/auth/reauthenticate/passkey'));
      expect(
        (
          await browser.post('/auth/reauthenticate', {
            method: 'passkey',
            flow,
            credential: passkey.get(options),
          })
        ).statusCode,
      ).toBe(200);
      expect((await browser.send('DELETE', '/auth/sessions')).statusCode).toBe(200);
    });

    it('whose counter went back still signs in, which is recorded', async () => {
      const { browser } = await signUp(under);
      const { passkey } = await add(browser);
      expect((await signIn(under.browser(), passkey, { counter: 50 })).statusCode).toBe(200);
      expect((await signIn(under.browser(), passkey, { counter: 3 })).statusCode).toBe(200);
      expect((await under.audit()).map(({ action }) => action)).toContain('passkey.counter-went-back');
    });
  });

  describe('abuse case 32', () => {
    it.each<[string, Lies]>([
      ['another origin', { origin: 'https://evil.example' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['another challenge', { challenge: 'AAAA' }],
      ['a user who was not verified', { isUserVerified: false }],
      ['an unknown credential', { credentialId: 'AAAA' }],
      ['the handle of another user', { userHandle: 'AAAA' }],
    ])('a proof with %s is rejected', async (_what, lies) => {
      const { browser } = await signUp(under);
      const { passkey } = await add(browser);
      const visitor = under.browser('198.51.100.4');
      const response = await signIn(visitor, passkey, lies);
      expect(rejection(response)).toMatchObject({ status: 401, code: 'passkey-invalid' });
      expect(visitor.cookies.has('sid')).toBe(false);
      expect((await under.audit()).map(({ action }) => action)).toContain('session.refused');
    });

    it('a challenge can be used once', async () => {
      const { browser } = await signUp(under);
      const { passkey } = await add(browser);
      const visitor = under.browser('198.51.100.4');
      const { flow, options } = await requestChallenge(visitor);
      const proof = { flow, credential: passkey.get(options) };
      const answers = await Promise.all([
        visitor.post('/auth/passkeys/sign-in/finish', proof),
        visitor.post('/auth/passkeys/sign-in/finish', proof),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 410]);
    });

    it('a challenge belongs to the browser that requested it, and expires after five minutes', async () => {
      const { browser } = await signUp(under);
      const { passkey } = await add(browser);
      const visitor = under.browser('198.51.100.4');
      const { flow, options } = await requestChallenge(visitor);
      const proof = { flow, credential: passkey.get(options) };
      expect(
        rejection(await under.browser('203.0.113.5').post('/auth/passkeys/sign-in/finish', proof)).code,
      ).toBe('flow-expired');
      under.clock.advance(5 * minute);
      expect(rejection(await visitor.post('/auth/passkeys/sign-in/finish', proof)).code).toBe('flow-expired');
    });

    it('another user’s passkey does not reauthenticate the signed-in user', async () => {
      const [{ browser: ann }, { browser: bob }] = [await signUp(under), await signUp(under)];
      const { passkey: ofBob } = await add(bob);
      const { flow, options } = answerOf<Question>(await ann.postEmpty('/auth/reauthenticate/passkey'));
      expect(
        rejection(
          await ann.post('/auth/reauthenticate', { method: 'passkey', flow, credential: ofBob.get(options) }),
        ),
      ).toMatchObject({ status: 401, code: 'passkey-invalid' });
    });

    it.each<[string, Lies]>([
      ['another origin', { origin: 'https://evil.example' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['another challenge', { challenge: 'AAAA' }],
      ['a user who was not verified', { isUserVerified: false }],
    ])('a new passkey with %s is rejected', async (_what, lies) => {
      const { browser } = await signUp(under);
      expect(rejection((await add(browser, newPasskey(), lies)).response)).toMatchObject({
        status: 422,
        code: 'passkey-refused',
      });
    });
  });

  describe('an account with only a passkey', () => {
    async function signUpByPasskey(browser: Browser, email: string, passkey = newPasskey()) {
      const { flow, options } = answerOf<Offer>(
        await browser.post('/auth/passkeys/sign-up/begin', { email, displayName: 'Kim' }),
      );
      return {
        passkey,
        response: await browser.post('/auth/passkeys/sign-up/finish', {
          flow,
          credential: passkey.create(options),
        }),
      };
    }

    it('is created in one step, and its passkey signs in', async () => {
      const browser = under.browser();
      const { passkey, response } = await signUpByPasskey(browser, 'kim@example.org');
      expect(response.statusCode).toBe(201);
      const { methods } = answerOf<{ methods: object }>(await browser.send('GET', '/auth/session'));
      expect(methods).toMatchObject({ hasPassword: false, passkeyCount: 1, reauthenticateBy: ['passkey'] });
      expect((await signIn(under.browser('198.51.100.4'), passkey)).statusCode).toBe(200);
    });

    it('is not created twice for one address', async () => {
      await signUpByPasskey(under.browser(), 'kim@example.org');
      expect(rejection((await signUpByPasskey(under.browser(), 'kim@example.org')).response)).toMatchObject({
        status: 409,
        code: 'email-taken',
      });
    });

    it('waits for the code on a server that sends mail', async () => {
      under = await accountsUnderTest(under.database, { mail: true });
      const browser = under.browser();
      const { passkey, response } = await signUpByPasskey(browser, 'kim@example.org');
      expect(response.statusCode).toBe(202);
      expect(rejection(await signIn(under.browser('198.51.100.4'), passkey)).code).toBe('passkey-invalid');
      await under.work();
      const code = codeIn(under.post?.to('kim@example.org')[0]?.text ?? '');
      expect(
        (await browser.post('/auth/signup/verify', { flow: answerOf<{ flow: string }>(response).flow, code }))
          .statusCode,
      ).toBe(201);
      expect((await signIn(under.browser('198.51.100.4'), passkey)).statusCode).toBe(200);
    });

    it('abuse case 22: never loses its last passkey, not even to concurrent removals of the last two', async () => {
      const browser = under.browser();
      await signUpByPasskey(browser, 'kim@example.org');
      const items = async () =>
        answerOf<{ items: { id: string }[] }>(await browser.send('GET', '/auth/passkeys')).items;
      const [only] = await items();
      expect(rejection(await browser.send('DELETE', `/auth/passkeys/${only?.id}`))).toMatchObject({
        status: 409,
        code: 'last-credential',
      });
      await add(browser);
      const removals = await Promise.all(
        (await items()).map(({ id }) => browser.send('DELETE', `/auth/passkeys/${id}`)),
      );
      expect(removals.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      expect(await items()).toHaveLength(1);
    });

    it('can get a password, with a recent proof', async () => {
      const browser = under.browser();
      await signUpByPasskey(browser, 'kim@example.org');
      expect((await browser.post('/auth/password', { newPassword: goodPassword })).statusCode).toBe(200);
      expect(
        (
          await under
            .browser('198.51.100.4')
            .post('/auth/login', { email: 'kim@example.org', password: goodPassword })
        ).statusCode,
      ).toBe(200);
    });
  });

  it('a passkey is a second factor after a password', async () => {
    const { browser, email } = await signUp(under);
    const { passkey } = await add(browser);
    const { totpCode, totpStepAt } = await import('./totp-code.ts');
    const { storeTotp } = await import('./totp-store.ts');
    const { createSecretBox } = await import('#server/features/accounts/challenges/secret-box.ts');
    const user = await under.database.queries
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await storeTotp(
      under.database.queries,
      { userId: user.id, secret: Buffer.alloc(20, 1), step: 0 },
      { clock: under.clock, secrets: createSecretBox(new Uint8Array(32).fill(7)) },
    );
    expect(totpCode(Buffer.alloc(20, 1), totpStepAt(under.clock.nowMs()))).toMatch(/^\d{6}$/);
    const other = under.browser('198.51.100.4');
    const wanted = answerOf<{ flow: string; methods: string[]; passkey: PasskeyRequest }>(
      await other.post('/auth/login', { email, password: goodPassword }),
    );
    expect(wanted.methods).toContain('passkey');
    expect(
      (
        await other.post('/auth/login/mfa', {
          flow: wanted.flow,
          method: 'passkey',
          credential: passkey.get(wanted.passkey),
        })
      ).statusCode,
    ).toBe(200);
  });
});
