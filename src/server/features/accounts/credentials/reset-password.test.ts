import { beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  publicUrl,
  rejection,
  signUp,
  tokenIn,
  type AccountsUnderTest,
} from '#tests/support/accounts-under-test.ts';
import { bytesOfBase32 } from '#tests/support/base32.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';

const newPassword = 'a wholly different sentence';

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open(), { mail: true });
  });

  const mailsTo = (email: string) => under.post?.to(email) ?? [];
  async function resetToken(email: string, ip = '203.0.113.9'): Promise<string> {
    expect((await under.browser(ip).post('/auth/password/forgot', { email })).statusCode).toBe(204);
    await under.work();
    return tokenIn(
      mailsTo(email).findLast(({ subject }) => subject === 'Set a new Earshot password')?.text ?? '',
    );
  }
  const reset = (token: string, more: object = {}) =>
    under.browser('203.0.113.9').post('/auth/password/reset', { token, newPassword, ...more });
  const signIn = (email: string, password: string, ip = '198.51.100.4') =>
    under.browser(ip).post('/auth/login', { email, password });

  async function linkIdentity(userId: string, subject: string): Promise<string> {
    const id = newId();
    const nowMs = under.clock.nowMs();
    await under.database.queries
      .insertInto('identities')
      .values({
        id,
        user_id: userId,
        provider: 'google',
        issuer: 'https://accounts.google.com',
        subject,
        label: subject,
        email: null,
        linked_at: nowMs,
        last_used_at: nowMs,
      })
      .execute();
    return id;
  }
  const identitiesLeft = async () =>
    (await under.database.queries.selectFrom('identities').select('subject').execute()).map(
      ({ subject }) => subject,
    );

  it('a link in an email sets a new password and starts no session', async () => {
    const { email } = await signUp(under);
    const token = await resetToken(email);
    const response = await reset(token);
    expect([response.statusCode, response.cookies]).toEqual([204, []]);
    expect(rejection(await signIn(email, goodPassword)).code).toBe('invalid-credentials');
    expect((await signIn(email, newPassword)).statusCode).toBe(200);
    await under.work();
    expect(mailsTo(email).at(-1)?.subject).toBe('Your account was changed');
  });

  it('abuse case 26: a request for an unknown address gets the same response, and no email is sent', async () => {
    const { email } = await signUp(under);
    const [known, unknown] = [
      await under.browser().post('/auth/password/forgot', { email }),
      await under.browser().post('/auth/password/forgot', { email: 'nobody@example.org' }),
    ];
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    await under.work();
    expect(mailsTo('nobody@example.org')).toEqual([]);
  });

  it('abuse case 15: a reset ends a session that an attacker had before', async () => {
    const { email } = await signUp(under);
    const attacker = under.browser('203.0.113.5');
    await attacker.post('/auth/login', { email, password: goodPassword });
    await reset(await resetToken(email));
    expect(rejection(await attacker.send('GET', '/auth/sessions'))).toMatchObject({
      status: 401,
      code: 'session-expired',
    });
    expect(under.ended).toHaveLength(2);
  });

  it('abuse case 16: an identity linked by an attacker is shown, and removed unless it is selected', async () => {
    const { email, id } = await signUp(under);
    const mine = await linkIdentity(id, 'mine');
    await linkIdentity(id, 'the attacker’s');
    const token = await resetToken(email);
    const shown = answerOf<{ email: string; identities: { label: string }[]; hasTotp: boolean }>(
      await under.browser().post('/auth/password/reset/check', { token }),
    );
    expect(shown).toMatchObject({ email, hasTotp: false });
    expect(shown.identities.map(({ label }) => label).sort()).toEqual(['mine', 'the attacker’s']);
    expect((await reset(token, { keepIdentities: [mine] })).statusCode).toBe(204);
    expect(await identitiesLeft()).toEqual(['mine']);
  });

  it('abuse case 16: without a selection, all are removed', async () => {
    const { email, id } = await signUp(under);
    await linkIdentity(id, 'the attacker’s');
    await reset(await resetToken(email));
    expect(await identitiesLeft()).toEqual([]);
  });

  it('abuse case 17: a reset cancels a pending change of address', async () => {
    const { email } = await signUp(under);
    const attacker = under.browser('203.0.113.5');
    await attacker.post('/auth/login', { email, password: goodPassword });
    const { flow } = answerOf<{ flow: string }>(
      await attacker.post('/auth/email', { email: 'attacker@example.org' }),
    );
    await under.work();
    const code = /^\d{8}$/m.exec(mailsTo('attacker@example.org')[0]?.text ?? '')?.[0] ?? '';
    await reset(await resetToken(email));
    await attacker.post('/auth/login', { email, password: newPassword });
    expect(rejection(await attacker.post('/auth/email/verify', { flow, code }))).toMatchObject({
      status: 410,
      code: 'code-expired',
    });
  });

  describe('abuse case 30: a reset link', () => {
    it('can be used once, even by two concurrent requests', async () => {
      const { email } = await signUp(under);
      const token = await resetToken(email);
      const answers = await Promise.all([reset(token), reset(token)]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 410]);
      expect(rejection(await reset(token)).code).toBe('code-expired');
    });

    it('is revoked by a newer one', async () => {
      const { email } = await signUp(under);
      const [older, newer] = [await resetToken(email), await resetToken(email)];
      expect(rejection(await reset(older))).toMatchObject({ status: 410, code: 'code-expired' });
      expect((await reset(newer)).statusCode).toBe(204);
    });

    it('works only for its owner', async () => {
      const [ann, bob] = [await signUp(under), await signUp(under)];
      await reset(await resetToken(ann.email));
      expect((await signIn(bob.email, goodPassword)).statusCode).toBe(200);
    });

    it('expires after half an hour', async () => {
      const { email } = await signUp(under);
      const token = await resetToken(email);
      under.clock.advance(30 * minute);
      expect(rejection(await reset(token)).code).toBe('code-expired');
    });

    it('uses the configured URL, ignoring forwarded hosts, and has its secret in the fragment', async () => {
      const { email } = await signUp(under);
      await under.browser('203.0.113.9').send('POST', '/auth/password/forgot', {
        body: { email },
        headers: { 'x-forwarded-host': 'evil.example' },
      });
      await under.work();
      const { text = '' } =
        mailsTo(email).findLast(({ subject }) => subject === 'Set a new Earshot password') ?? {};
      expect(text).toMatch(new RegExp(`^${publicUrl}/reset-password#[\\w-]{43}$`, 'm'));
      expect(text).not.toContain('evil.example');
    });

    it('is not consumed by a rejected password', async () => {
      const { email } = await signUp(under);
      const token = await resetToken(email);
      expect(rejection(await reset(token, { newPassword: 'short' }))).toMatchObject({
        status: 422,
        code: 'password-too-short',
        errors: [{ pointer: '/newPassword' }],
      });
      expect((await reset(token)).statusCode).toBe(204);
    });

    it('is not readable in the database, nor is its email', async () => {
      const { email } = await signUp(under);
      const token = await resetToken(email);
      const { queries } = under.database;
      const stored = JSON.stringify(
        await Promise.all([
          queries.selectFrom('link_tokens').selectAll().execute(),
          queries.selectFrom('jobs').selectAll().execute(),
          queries.selectFrom('audit_events').selectAll().execute(),
        ]),
      );
      expect(stored).not.toContain(token);
      expect(stored).not.toContain(email);
    });
  });

  it('ASVS 6.4.3: a reset does not change two-step sign-in', async () => {
    const { email, browser } = await signUp(under);
    const { totpCode, totpStepAt } = await import('./totp-code.ts');
    const started = answerOf<{ flow: string; secret: string }>(await browser.postEmpty('/auth/totp/begin'));
    const secret = bytesOfBase32(started.secret);
    answerOf(
      await browser.post('/auth/totp/confirm', {
        flow: started.flow,
        code: totpCode(secret, totpStepAt(under.clock.nowMs())),
      }),
    );
    await reset(await resetToken(email));
    expect(answerOf<{ next?: string }>(await signIn(email, newPassword)).next).toBe('mfa');
  });

  it('emails are limited per address and per network, with or without an account', async () => {
    const requestReset = async (email: string, ip: string) =>
      (await under.browser(ip).post('/auth/password/forgot', { email })).statusCode;
    const toOne = [];
    for (let mail = 1; mail <= 4; mail += 1)
      toOne.push(await requestReset('nobody@example.org', `203.0.113.${mail}`));
    expect(toOne).toEqual([204, 204, 204, 429]);
    const fromOne = [];
    for (let mail = 1; mail <= 11; mail += 1)
      fromOne.push(await requestReset(`nobody${mail}@example.org`, '198.51.100.77'));
    expect(fromOne).toEqual([...Array.from({ length: 10 }, () => 204), 429]);
  });

  it('an email rejected by the mail server is retried, and no request waits for it', async () => {
    const { email } = await signUp(under);
    if (under.post) under.post.isFull = true;
    expect(await resetToken(email)).not.toMatch(/^[\w-]{43}$/);
    if (under.post) under.post.isFull = false;
    under.clock.advance(minute);
    await under.work();
    expect(tokenIn(mailsTo(email).at(-1)?.text ?? '')).toMatch(/^[\w-]{43}$/);
  });

  describe('on a server that sends no mail', () => {
    beforeEach(async () => {
      under = await accountsUnderTest(under.database);
    });

    it('users cannot request a link, and an admin can create one', async () => {
      const { browser: admin } = await signUp(under);
      const { email, id, browser } = await signUp(under);
      expect(rejection(await browser.post('/auth/password/forgot', { email })).code).toBe(
        'mail-not-configured',
      );
      expect(rejection(await browser.postEmpty(`/api/admin/users/${id}/reset-link`))).toMatchObject({
        status: 403,
        code: 'forbidden',
      });
      const { url } = answerOf<{ url: string }>(await admin.postEmpty(`/api/admin/users/${id}/reset-link`));
      expect(url.startsWith(`${publicUrl}/reset-password#`)).toBe(true);
      expect((await reset(tokenIn(url))).statusCode).toBe(204);
      expect((await signIn(email, newPassword)).statusCode).toBe(200);
      under.clock.advance(10 * minute);
      expect(rejection(await admin.postEmpty(`/api/admin/users/${id}/reset-link`)).code).toBe(
        'reauthentication-required',
      );
    });

    it('a link does not remove the only sign-in method of a user without an address, and stays valid', async () => {
      const [{ browser: admin }, { id }] = [await signUp(under), await signUp(under)];
      const { queries } = under.database;
      await queries.updateTable('users').set({ email: null, email_key: null }).where('id', '=', id).execute();
      const identity = await linkIdentity(id, 'mine');
      const token = tokenIn(
        answerOf<{ url: string }>(await admin.postEmpty(`/api/admin/users/${id}/reset-link`)).url,
      );
      under = await accountsUnderTest(under.database, {
        providers: [{ kind: 'google', clientId: 'id', clientSecret: 'secret' }],
      });
      expect(rejection(await reset(token))).toMatchObject({ status: 409, code: 'last-credential' });
      expect(await identitiesLeft()).toEqual(['mine']);
      expect((await reset(token, { keepIdentities: [identity] })).statusCode).toBe(204);
    });

    it('only an admin sets and removes a user’s own quota', async () => {
      const { browser: admin } = await signUp(under);
      const { browser: member, id } = await signUp(under);
      const change = (by: typeof admin, userId: string, quotaBytes: number | null) =>
        by.send('PATCH', `/api/admin/users/${userId}`, { body: { quotaBytes } });
      expect(answerOf(await change(admin, id, 2_000_000_000))).toMatchObject({
        id,
        quotaBytes: 2_000_000_000,
      });
      expect(answerOf(await change(admin, id, 3_000_000_000))).toMatchObject({
        id,
        quotaBytes: 3_000_000_000,
      });
      expect(
        answerOf<{ items: { id: string; quotaBytes: number | null }[] }>(
          await admin.send('GET', '/api/admin/users'),
        ).items.find((user) => user.id === id)?.quotaBytes,
      ).toBe(3_000_000_000);
      expect(answerOf(await change(admin, id, null))).toMatchObject({ id, quotaBytes: null });
      expect(rejection(await change(member, id, 1))).toMatchObject({ status: 403, code: 'forbidden' });
      expect(rejection(await change(admin, '00000000-0000-7000-8000-000000000000', 1)).code).toBe(
        'not-found',
      );
      expect(rejection(await change(admin, id, -1))).toMatchObject({ status: 422, code: 'validation' });
    });

    it('only an admin lists the users, page by page', async () => {
      const { browser: admin, email } = await signUp(under);
      under.clock.advance(minute);
      const { browser: member } = await signUp(under);
      const page = answerOf<{ items: { email: string }[]; nextCursor: string }>(
        await admin.send('GET', '/api/admin/users?limit=1'),
      );
      const rest = answerOf<{
        items: { email: string; hasPassword: boolean; hasTotp: boolean }[];
        nextCursor: null;
      }>(await admin.send('GET', `/api/admin/users?limit=1&cursor=${page.nextCursor}`));
      expect(rest).toMatchObject({ items: [{ email, hasPassword: true, hasTotp: false }], nextCursor: null });
      expect(rejection(await member.send('GET', '/api/admin/users')).code).toBe('forbidden');
    });
  });
});

eachDatabase((_name, open) => {
  describe('changing a password', () => {
    let under: AccountsUnderTest;
    beforeEach(async () => {
      under = await accountsUnderTest(await open());
    });

    it('ASVS 6.2.3: requires the current one, and ends all other sessions', async () => {
      const { browser, email } = await signUp(under);
      const other = under.browser('198.51.100.4');
      await other.post('/auth/login', { email, password: goodPassword });
      expect(rejection(await browser.post('/auth/password', { newPassword })).code).toBe(
        'invalid-credentials',
      );
      expect(
        rejection(await browser.post('/auth/password', { currentPassword: 'wrong', newPassword })).code,
      ).toBe('invalid-credentials');
      const before = browser.sid;
      expect(
        (await browser.post('/auth/password', { currentPassword: goodPassword, newPassword })).statusCode,
      ).toBe(200);
      expect(browser.sid).not.toBe(before);
      expect([await browser.whoAmI(), await other.whoAmI()]).toEqual([email.split('@')[0], null]);
    });

    it('ASVS 7.4.3: keeps other sessions only on request', async () => {
      const { browser, email } = await signUp(under);
      const other = under.browser('198.51.100.4');
      await other.post('/auth/login', { email, password: goodPassword });
      await browser.post('/auth/password', {
        currentPassword: goodPassword,
        newPassword,
        keepOtherSessions: true,
      });
      expect(await other.whoAmI()).not.toBeNull();
    });

    it('invalidates the device cookies of the old one', async () => {
      const { browser, email } = await signUp(under);
      const thief = under.browser('203.0.113.5');
      thief.cookies.set('device', browser.cookies.get('device') ?? '');
      await browser.post('/auth/password', { currentPassword: goodPassword, newPassword });
      for (let failure = 1; failure <= 5; failure += 1)
        await under.browser('203.0.113.6').post('/auth/login', { email, password: 'not the right words' });
      expect((await thief.post('/auth/login', { email, password: newPassword })).statusCode).toBe(429);
      expect((await browser.post('/auth/login', { email, password: newPassword })).statusCode).toBe(200);
    });

    it('ASVS 6.2.4: rejects a common one', async () => {
      const { browser } = await signUp(under);
      expect(
        rejection(
          await browser.post('/auth/password', {
            currentPassword: goodPassword,
            newPassword: 'aaaaaaaaaaaaaaaaaa',
          }),
        ),
      ).toMatchObject({ code: 'password-common', errors: [{ pointer: '/newPassword' }] });
    });
  });
});
