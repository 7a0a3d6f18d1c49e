import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PasskeyCreation, PasskeyRequest } from '#contract/passkeys.ts';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  publicUrl,
  rejection,
  signUp,
  tokenIn,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { bytesOfBase32 } from '#tests/support/base32.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { SoftPasskey } from '#tests/support/soft-passkey.ts';
import { PasskeyCeremony } from '#server/features/accounts/credentials/passkey-ceremony.ts';
import { Passwords } from '#server/features/accounts/credentials/passwords.ts';
import { totpCode, totpStepAt } from '#server/features/accounts/credentials/totp-code.ts';

const newPassword = 'a wholly different sentence';

/** Delays the end of the next password check until `meanwhile` has finished. */
function duringCheck(meanwhile: () => Promise<unknown>): void {
  const spy = vi.spyOn(Passwords.prototype, 'verify').mockImplementationOnce(async function slowly(
    this: Passwords,
    ...given
  ) {
    const fits = await this.verify(...given);
    await meanwhile();
    return fits;
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
}

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open(), { mail: true });
  });

  async function reset(email: string): Promise<void> {
    const owner = under.browser('198.51.100.4');
    await owner.post('/auth/password/forgot', { email });
    await under.work();
    const token = tokenIn(under.post?.to(email).findLast(({ text }) => tokenIn(text) !== '')?.text ?? '');
    expect((await owner.post('/auth/password/reset', { token, newPassword })).statusCode).toBe(204);
  }
  const change = async (browser: Browser) => {
    expect(
      (await browser.post('/auth/password', { currentPassword: goodPassword, newPassword })).statusCode,
    ).toBe(200);
  };
  const logIn = (email: string) =>
    under.browser('203.0.113.5').post('/auth/login', { email, password: goodPassword });
  async function turnTwoStepsOn(browser: Browser): Promise<void> {
    const { flow, secret } = answerOf<{ flow: string; secret: string }>(
      await browser.postEmpty('/auth/totp/begin'),
    );
    answerOf(
      await browser.post('/auth/totp/confirm', {
        flow,
        code: totpCode(bytesOfBase32(secret), totpStepAt(under.clock.nowMs())),
      }),
    );
  }
  const sessions = async () =>
    (await under.database.queries.selectFrom('sessions').select('id').execute()).length;

  describe('a sign-in in progress', () => {
    it('starts no session if the password is reset in the meantime', async () => {
      const { email } = await signUp(under);
      duringCheck(() => reset(email));
      expect(rejection(await logIn(email))).toMatchObject({ status: 401, code: 'invalid-credentials' });
      expect(await sessions()).toBe(0);
      expect((await under.audit()).map(({ action }) => action)).toContain('session.refused');
    });

    it('starts no session if the password is changed in the meantime', async () => {
      const { browser, email } = await signUp(under);
      duringCheck(() => change(browser));
      expect(rejection(await logIn(email)).code).toBe('invalid-credentials');
      expect(await sessions()).toBe(1);
    });

    it('does not reach the second step if the password is reset in the meantime', async () => {
      const { browser, email } = await signUp(under);
      await turnTwoStepsOn(browser);
      duringCheck(() => reset(email));
      expect(rejection(await logIn(email)).code).toBe('invalid-credentials');
    });

    it('requires the second factor if it is turned on in the meantime', async () => {
      const { browser, email } = await signUp(under);
      duringCheck(() => turnTwoStepsOn(browser));
      expect(answerOf<{ next?: string }>(await logIn(email)).next).toBe('mfa');
    });

    it('starts no session if its passkey is removed in the meantime', async () => {
      const { browser } = await signUp(under);
      const passkey = new SoftPasskey(publicUrl);
      const offer = answerOf<{ flow: string; options: PasskeyCreation }>(
        await browser.postEmpty('/auth/passkeys/register/begin'),
      );
      const {
        passkey: { id },
      } = answerOf<{ passkey: { id: string } }>(
        await browser.post('/auth/passkeys/register/finish', {
          flow: offer.flow,
          credential: passkey.create(offer.options),
        }),
      );
      const spy = vi
        .spyOn(PasskeyCeremony.prototype, 'checkAssertion')
        .mockImplementationOnce(async function slowly(this: PasskeyCeremony, credential, expected) {
          const checked = await this.checkAssertion(credential, expected);
          expect((await browser.send('DELETE', `/auth/passkeys/${id}`)).statusCode).toBe(200);
          return checked;
        });
      onTestFinished(() => {
        spy.mockRestore();
      });
      const other = under.browser('203.0.113.5');
      const { flow, options } = answerOf<{ flow: string; options: PasskeyRequest }>(
        await other.postEmpty('/auth/passkeys/sign-in/begin'),
      );
      expect(
        rejection(
          await other.post('/auth/passkeys/sign-in/finish', { flow, credential: passkey.get(options) }),
        ),
      ).toMatchObject({ status: 401, code: 'passkey-invalid' });
      expect(await sessions()).toBe(1);
    });

    it('is not affected by another one that replaces an outdated hash', async () => {
      const { email } = await signUp(under);
      under = await accountsUnderTest(under.database, {
        mail: true,
        hashCost: { memoryCost: 512, timeCost: 1, parallelism: 1 },
      });
      duringCheck(async () => {
        expect((await logIn(email)).statusCode).toBe(200);
      });
      expect((await logIn(email)).statusCode).toBe(200);
    });
  });
});
