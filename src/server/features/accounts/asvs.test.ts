import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day } from '#base/duration.ts';
import { api } from '#contract/api.ts';
import {
  accountsUnderTest,
  goodPassword,
  rejection,
  signUp,
  type AccountsUnderTest,
} from '#tests/support/accounts-under-test.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { Passwords } from './credentials/passwords.ts';

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  const fresh = { email: 'ann@example.org', password: goodPassword };

  describe('ASVS 3.3: the session’s cookie', () => {
    const cookieAt = async (publicUrl: string) =>
      (
        await (await accountsUnderTest(under.database, { publicUrl })).browser().post('/auth/signup', fresh)
      ).cookies.find(({ name }) => name.endsWith('sid'));

    it('ASVS 3.3.1: is Secure and bound to the host by its name', async () => {
      expect(await cookieAt('https://earshot.example')).toMatchObject({
        name: '__Host-Http-sid',
        secure: true,
      });
    });
    it('ASVS 3.3.2: is sent with requests of this site only', async () => {
      expect(await cookieAt('https://earshot.example')).toMatchObject({ sameSite: 'Strict' });
    });
    it('ASVS 3.3.3: has the prefix, path / and no domain', async () => {
      const cookie = await cookieAt('https://earshot.example');
      expect(cookie).toMatchObject({ path: '/' });
      expect(cookie).not.toHaveProperty('domain');
    });
    it('ASVS 3.3.4: is HttpOnly, and its value is in no body', async () => {
      const response = await under.browser().post('/auth/signup', fresh);
      expect(response.cookies.find(({ name }) => name === 'sid')).toMatchObject({ httpOnly: true });
      expect(response.body).not.toContain(response.cookies[0]?.value);
    });
  });

  describe('ASVS 3.4: the headers of every response', () => {
    const headers = async () => (await under.browser().send('GET', '/auth/session')).headers;
    it('ASVS 3.4.3: a content security policy that allows nothing', async () => {
      expect((await headers())['content-security-policy']).toContain("default-src 'none'");
    });
    it('ASVS 3.4.4: no content sniffing', async () => {
      expect((await headers())['x-content-type-options']).toBe('nosniff');
    });
    it('ASVS 3.4.5: no full URL in the referrer', async () => {
      expect((await headers())['referrer-policy']).toBe('strict-origin-when-cross-origin');
    });
    it('ASVS 3.4.6: no framing', async () => {
      expect((await headers())['content-security-policy']).toContain("frame-ancestors 'none'");
    });
  });

  describe('ASVS 3.5: requests from other sites', () => {
    it('ASVS 3.5.2: a write by cookie needs a header that no form can send', async () => {
      const { browser } = await signUp(under);
      const response = await under.app.inject({
        method: 'PATCH',
        url: '/api/profile',
        cookies: { sid: browser.sid },
        headers: { 'sec-fetch-site': 'same-origin' },
        payload: {},
      });
      expect(rejection(response)).toMatchObject({ status: 403, code: 'cross-site' });
    });
    it('ASVS 3.5.3, 7.6.2: no GET changes anything or starts a session', async () => {
      const { browser } = await signUp(under);
      const endpoints = Object.values(api).filter(
        ({ path }) => path.startsWith('/auth') && !path.includes(':'),
      );
      const read = new Set(endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path));
      const written = [...new Set(endpoints.map(({ path }) => path))].filter((path) => !read.has(path));
      const answers = await Promise.all(written.map((path) => browser.send('GET', path)));
      expect(answers.map(({ statusCode, cookies }) => [statusCode, cookies.length])).toEqual(
        written.map(() => [405, 0]),
      );
    });
  });

  describe('ASVS 6.2: passwords', () => {
    const tryWith = async (password: string) =>
      (await under.browser().post('/auth/signup', { email: 'ann@example.org', password })).statusCode;
    it('ASVS 6.2.1: have at least fifteen characters', async () => {
      expect(await tryWith('kettle rivers!')).toBe(422);
    });
    it('ASVS 6.2.5: need no mixture of character classes', async () => {
      expect(await tryWith('kettle river umbrella')).toBe(201);
    });
    it('ASVS 6.2.8: are compared exactly as typed', async () => {
      const password = ` ${goodPassword} ÄÖ `;
      await under.browser().post('/auth/signup', { ...fresh, password });
      const statuses = [];
      for (const typed of [password, password.trim(), password.toLowerCase(), password.slice(0, -1)])
        statuses.push(
          (
            await under
              .browser(`192.0.2.${statuses.length}`)
              .post('/auth/login', { ...fresh, password: typed })
          ).statusCode,
        );
      expect(statuses).toEqual([200, 401, 401, 401]);
    });
    it('ASVS 6.2.9: may be as long as a sentence, up to 256 characters', async () => {
      expect(await tryWith('a quiet harbour at dusk, and nobody there. '.repeat(6).slice(0, 256))).toBe(201);
    });
    it('ASVS 6.2.11: are not derived from the user or the product', async () => {
      expect(await tryWith('ann@example.org earshot')).toBe(422);
    });
    it('ASVS 6.2.12: are not in lists of common passwords', async () => {
      expect(await tryWith('password1234567890')).toBe(422);
    });
    it('ASVS 11.4.2: are stored as argon2id with 46 MiB', async () => {
      expect(await new Passwords().hash(goodPassword, { purpose: 'sign-in', client: 'ann' })).toMatch(
        /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/,
      );
    });
  });

  describe('ASVS 7: sessions', () => {
    it('ASVS 7.2.1, 7.2.2, 7.2.3: are random tokens of 256 bits that only the server can verify', async () => {
      const tokens = new Set<string>();
      for (let user = 0; user < 5; user += 1) tokens.add((await signUp(under)).browser.sid);
      expect(tokens.size).toBe(5);
      for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      const forger = under.browser();
      forger.cookies.set('sid', Buffer.alloc(32, 1).toString('base64url'));
      expect(rejection(await forger.send('GET', '/auth/sessions')).code).toBe('session-expired');
    });
    it('ASVS 7.3.1: end when idle', async () => {
      const { browser } = await signUp(under);
      under.clock.advance(14 * day);
      expect(await browser.whoAmI()).toBeNull();
    });
    it('ASVS 7.3.2: end after thirty days regardless of use', async () => {
      const { browser } = await signUp(under);
      for (let days = 0; days < 30; days += 10) {
        expect(await browser.whoAmI()).not.toBeNull();
        under.clock.advance(10 * day);
      }
      expect(await browser.whoAmI()).toBeNull();
    });
    it('ASVS 7.4.1: cannot be used after signing out', async () => {
      const { browser } = await signUp(under);
      const token = browser.sid;
      await browser.send('POST', '/auth/logout');
      browser.cookies.set('sid', token);
      expect(rejection(await browser.send('GET', '/auth/sessions')).code).toBe('session-expired');
    });
    it('ASVS 7.4.2: end when the account is disabled or deleted', async () => {
      const [off, gone] = [await signUp(under), await signUp(under)];
      const token = gone.browser.sid;
      await gone.browser.send('DELETE', '/auth/account');
      gone.browser.cookies.set('sid', token);
      await under.database.queries
        .updateTable('users')
        .set({ disabled_at: under.clock.nowMs() })
        .where('id', '=', off.id)
        .execute();
      for (const { browser } of [off, gone])
        expect(rejection(await browser.send('GET', '/auth/sessions')).code).toBe('session-expired');
    });
  });

  describe('ASVS 16: the log', () => {
    it('ASVS 16.3.1, 16.3.3: records successful and rejected sign-ins', async () => {
      const { browser, email } = await signUp(under);
      await under.browser('203.0.113.5').post('/auth/login', { email, password: 'not the right words' });
      await browser.post('/auth/reauthenticate', { method: 'password', password: goodPassword });
      await browser.send('POST', '/auth/logout');
      expect((await under.audit()).map(({ action }) => action)).toEqual(
        expect.arrayContaining([
          'account.created',
          'session.created',
          'session.refused',
          'session.proven',
          'session.ended',
        ]),
      );
    });
  });
});

describe('ASVS 16.5: after an internal error', () => {
  it('ASVS 16.5.1, 16.5.3: no sign-in succeeds, and the response does not reveal why', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'earshot-asvs-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
    const under = await accountsUnderTest(database);
    const { browser, email } = await signUp(under);
    await database.close();
    for (const response of [
      await browser.send('GET', '/auth/sessions'),
      await under.browser().post('/auth/login', { email, password: goodPassword }),
    ]) {
      expect(rejection(response)).toMatchObject({ status: 500, code: 'internal' });
      expect([response.cookies, response.body.includes('database')]).toEqual([[], false]);
    }
  });
});
