import { beforeEach, describe, expect, it } from 'vitest';
import { minute, second } from '#base/duration.ts';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  rejection,
  signUp,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { bytesOfBase32 } from '#tests/support/base32.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { totpCode, totpStepAt } from './totp-code.ts';

const stepMs = 30 * second;

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  interface Protected {
    browser: Browser;
    email: string;
    id: string;
    recoveryCodes: string[];
    code: (steps?: number) => string;
  }

  async function withTwoSteps(): Promise<Protected> {
    const user = await signUp(under);
    const started = answerOf<{ flow: string; secret: string }>(
      await user.browser.postEmpty('/auth/totp/begin'),
    );
    const code = (steps = 0) =>
      totpCode(bytesOfBase32(started.secret), totpStepAt(under.clock.nowMs()) + steps);
    const confirmed = answerOf<{ recoveryCodes: string[] }>(
      await user.browser.post('/auth/totp/confirm', { flow: started.flow, code: code() }),
    );
    under.clock.advance(stepMs);
    return { ...user, recoveryCodes: confirmed.recoveryCodes, code };
  }
  const firstStep = async (browser: Browser, email: string) =>
    answerOf<{ next: string; flow: string; methods: string[] }>(
      await browser.post('/auth/login', { email, password: goodPassword }),
    );
  const secondStep = (browser: Browser, flow: string, code: string) =>
    browser.post('/auth/login/mfa', { flow, method: code.length > 8 ? 'recovery-code' : 'totp', code });

  describe('turning two-step sign-in on', () => {
    it('requires a code of the app, and issues ten recovery codes', async () => {
      const { browser, recoveryCodes } = await withTwoSteps();
      expect(recoveryCodes).toHaveLength(10);
      for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
      const { methods } = answerOf<{ methods: object }>(await browser.send('GET', '/auth/session'));
      expect(methods).toMatchObject({ hasTotp: true, recoveryCodesLeft: 10, reauthenticateBy: ['totp'] });
    });

    it('fails with a wrong code, in another browser, and for a finished set-up', async () => {
      const { browser } = await signUp(under);
      const { flow, secret } = answerOf<{ flow: string; secret: string }>(
        await browser.postEmpty('/auth/totp/begin'),
      );
      expect(rejection(await browser.post('/auth/totp/confirm', { flow, code: '000000' })).code).toBe(
        'code-invalid',
      );
      const thief = under.browser();
      thief.cookies.set('sid', browser.sid);
      const code = totpCode(bytesOfBase32(secret), totpStepAt(under.clock.nowMs()));
      expect(rejection(await thief.post('/auth/totp/confirm', { flow, code })).code).toBe('flow-expired');
      expect((await browser.post('/auth/totp/confirm', { flow, code })).statusCode).toBe(200);
      expect(rejection(await browser.post('/auth/totp/confirm', { flow, code })).code).toBe('flow-expired');
      expect(rejection(await browser.postEmpty('/auth/totp/begin')).code).toBe('totp-on');
    });

    it('stores neither the secret nor a recovery code in plain text', async () => {
      const { recoveryCodes } = await withTwoSteps();
      const { queries } = under.database;
      const stored = JSON.stringify([
        await queries.selectFrom('totp').selectAll().execute(),
        await queries.selectFrom('recovery_codes').selectAll().execute(),
        await queries.selectFrom('auth_flows').selectAll().execute(),
      ]);
      for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
    });
  });

  describe('signing in with two steps', () => {
    it('starts a session after the app’s code, not after the password alone', async () => {
      const { email, code } = await withTwoSteps();
      const browser = under.browser('198.51.100.4');
      const { next, flow, methods } = await firstStep(browser, email);
      expect({ next, methods }).toEqual({ next: 'mfa', methods: ['totp', 'recovery-code'] });
      expect(browser.cookies.has('sid')).toBe(false);
      expect((await secondStep(browser, flow, code())).statusCode).toBe(200);
      expect(await browser.whoAmI()).not.toBeNull();
    });

    it('abuse case 31: the flow that waits for its second factor gives no access', async () => {
      const { email } = await withTwoSteps();
      const browser = under.browser('198.51.100.4');
      const { flow } = await firstStep(browser, email);
      browser.cookies.set('sid', flow);
      expect(rejection(await browser.send('GET', '/auth/sessions')).code).toBe('session-expired');
      expect(await browser.whoAmI()).toBeNull();
    });

    it('abuse case 31: ASVS 6.5.1: accepts a code once, even from concurrent requests', async () => {
      const { email, code } = await withTwoSteps();
      const browsers = ['198.51.100.4', '203.0.113.5'].map((ip) => under.browser(ip));
      const flows: string[] = [];
      for (const browser of browsers) flows.push((await firstStep(browser, email)).flow);
      const answers = await Promise.all(
        browsers.map((browser, index) => secondStep(browser, flows[index] ?? '', code())),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401]);
    });

    it('abuse case 31: ends the flow after five wrong guesses', async () => {
      const { email, code } = await withTwoSteps();
      const browser = under.browser('198.51.100.4');
      const { flow } = await firstStep(browser, email);
      for (let guess = 1; guess <= 5; guess += 1)
        expect(rejection(await secondStep(browser, flow, '000000'))).toMatchObject({
          status: 401,
          code: 'mfa-invalid',
        });
      expect(rejection(await secondStep(browser, flow, code()))).toMatchObject({
        status: 410,
        code: 'flow-expired',
      });
    });

    it('ASVS 6.6.3: limits guesses per account, regardless of how many sign-ins are started', async () => {
      const { email, code } = await withTwoSteps();
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const browser = under.browser('198.51.100.4');
        const { flow } = await firstStep(browser, email);
        for (let guess = 1; guess <= 5; guess += 1)
          statuses.push((await secondStep(browser, flow, '000000')).statusCode);
      }
      expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
      expect(statuses.slice(10)).toEqual(Array.from({ length: 5 }, () => 429));
      const browser = under.browser('198.51.100.4');
      const { flow } = await firstStep(browser, email);
      expect((await secondStep(browser, flow, code())).statusCode).toBe(429);
    });

    it('ASVS 6.6.2: binds the flow to the browser that started it, for ten minutes', async () => {
      const { email, code } = await withTwoSteps();
      const browser = under.browser('198.51.100.4');
      const { flow } = await firstStep(browser, email);
      expect(rejection(await secondStep(under.browser('203.0.113.5'), flow, code())).code).toBe(
        'flow-expired',
      );
      under.clock.advance(10 * minute);
      expect(rejection(await secondStep(browser, flow, code())).code).toBe('flow-expired');
    });

    it('ASVS 6.5.3: accepts a recovery code once, in any spelling', async () => {
      const { email, recoveryCodes } = await withTwoSteps();
      const typed = recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ') ?? '';
      const browser = under.browser('198.51.100.4');
      expect((await secondStep(browser, (await firstStep(browser, email)).flow, typed)).statusCode).toBe(200);
      const again = under.browser('198.51.100.4');
      expect(rejection(await secondStep(again, (await firstStep(again, email)).flow, typed)).code).toBe(
        'mfa-invalid',
      );
      const { methods } = answerOf<{ methods: object }>(await browser.send('GET', '/auth/session'));
      expect(methods).toMatchObject({ recoveryCodesLeft: 9 });
    });

    it('clears the password’s waiting times and lock, as a sign-in without second step does', async () => {
      const { email, code } = await withTwoSteps();
      const browser = under.browser('198.51.100.4');
      const { flow } = await firstStep(browser, email);
      for (let failure = 1; failure <= 6; failure += 1)
        await under
          .browser(`203.0.113.${failure}`)
          .post('/auth/login', { email, password: 'not the right words' });
      await under.database.queries.updateTable('login_failures').set({ failures: 100 }).execute();
      expect((await under.browser().post('/auth/login', { email, password: goodPassword })).statusCode).toBe(
        429,
      );
      expect((await secondStep(browser, flow, code())).statusCode).toBe(200);
      expect((await firstStep(under.browser(), email)).next).toBe('mfa');
    });

    it('does not reveal two-step sign-in without the right password', async () => {
      const { email } = await withTwoSteps();
      expect(
        rejection(
          await under.browser('198.51.100.4').post('/auth/login', { email, password: 'not the right words' }),
        ).code,
      ).toBe('invalid-credentials');
    });
  });

  describe('an account with two-step sign-in', () => {
    it('reauthenticates by a code, not by a password alone', async () => {
      const { browser, code } = await withTwoSteps();
      expect(
        rejection(await browser.post('/auth/reauthenticate', { method: 'password', password: goodPassword })),
      ).toMatchObject({ status: 403, code: 'second-factor-required' });
      expect((await browser.post('/auth/reauthenticate', { method: 'totp', code: code() })).statusCode).toBe(
        200,
      );
      expect(
        rejection(await browser.post('/auth/reauthenticate', { method: 'totp', code: code() })).code,
      ).toBe('mfa-invalid');
    });

    it('turns it off only with a recent second factor', async () => {
      const { browser, code } = await withTwoSteps();
      under.clock.advance(10 * minute);
      expect(rejection(await browser.send('DELETE', '/auth/totp')).code).toBe('reauthentication-required');
      await browser.post('/auth/reauthenticate', { method: 'totp', code: code() });
      expect((await browser.send('DELETE', '/auth/totp')).statusCode).toBe(200);
      expect(
        answerOf<{ methods: { hasTotp: boolean } }>(await browser.send('GET', '/auth/session')).methods
          .hasTotp,
      ).toBe(false);
      expect(rejection(await browser.send('DELETE', '/auth/totp')).code).toBe('not-found');
    });

    it('changes its password only with a recent second factor and the old password', async () => {
      const { browser, code } = await withTwoSteps();
      const change = () =>
        browser.post('/auth/password', {
          currentPassword: goodPassword,
          newPassword: 'a wholly different sentence',
        });
      under.clock.advance(10 * minute);
      expect(rejection(await change()).code).toBe('reauthentication-required');
      await browser.post('/auth/reauthenticate', { method: 'totp', code: code() });
      expect((await change()).statusCode).toBe(200);
    });

    it('whose secret was encrypted with a lost key accepts recovery codes but no codes of the app', async () => {
      const { email, code, recoveryCodes } = await withTwoSteps();
      under = await accountsUnderTest(under.database, { secretKey: new Uint8Array(32).fill(8) });
      const browser = under.browser('198.51.100.4');
      const { flow } = await firstStep(browser, email);
      expect(rejection(await secondStep(browser, flow, code()))).toMatchObject({
        status: 401,
        code: 'mfa-invalid',
      });
      expect((await secondStep(browser, flow, recoveryCodes[0] ?? '')).statusCode).toBe(200);
      expect((await browser.send('DELETE', '/auth/totp')).statusCode).toBe(200);
    });

    it('invalidates the old recovery codes when new ones are issued', async () => {
      const { browser, email, recoveryCodes } = await withTwoSteps();
      const renewed = answerOf<{ recoveryCodes: string[] }>(
        await browser.postEmpty('/auth/totp/recovery-codes'),
      ).recoveryCodes;
      expect(renewed).toHaveLength(10);
      const other = under.browser('198.51.100.4');
      const { flow } = await firstStep(other, email);
      expect((await secondStep(other, flow, recoveryCodes[0] ?? '')).statusCode).toBe(401);
      expect((await secondStep(other, flow, renewed[0] ?? '')).statusCode).toBe(200);
    });
  });
});
