import { expect, test } from 'vitest';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  rejection,
  signUp,
  tokenIn,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { createSecretBox } from './secret-box.ts';
import { AuthFlows } from './auth-flows.ts';
import { LinkTokens } from './link-tokens.ts';

const lost = createSecretBox(new Uint8Array(32).fill(9));

eachDatabase((name, open) => {
  test(`on ${name}, a link issued under a lost secret is invalid, and a new one is valid`, async () => {
    const under = await accountsUnderTest(await open(), { mail: true });
    const { email, id } = await signUp(under);
    const { token } = await new LinkTokens({ clock: under.clock, secrets: lost }).issue(
      under.database.queries,
      { kind: 'password-reset', userId: id },
    );
    const reset = (given: string) =>
      under
        .browser('203.0.113.9')
        .post('/auth/password/reset', { token: given, newPassword: 'a wholly different sentence' });
    expect(rejection(await reset(token))).toMatchObject({ code: 'code-expired' });
    await under.browser('203.0.113.9').post('/auth/password/forgot', { email });
    await under.work();
    expect((await reset(tokenIn(under.post?.to(email).at(-1)?.text ?? ''))).statusCode).toBe(204);
  });

  test(`on ${name}, a flow under a lost secret must be started again, and its pending email change is hidden`, async () => {
    const under = await accountsUnderTest(await open(), { mail: true });
    const { browser, id } = await signUp(under);
    const flows = new AuthFlows({ clock: under.clock, secrets: lost });
    const other = under.browser('198.51.100.4');
    await other.post('/auth/signup', {
      email: 'rosa.p@example.org',
      password: goodPassword,
      displayName: 'Rosa',
      locale: 'en',
    });
    const cookie = [...other.cookies.keys()].find((one) => one.endsWith('flow')) ?? '';
    const { token } = await flows.start(under.database.queries, {
      kind: 'second-factor',
      browser: other.cookies.get(cookie) ?? '',
      lifeMs: 60_000,
      data: {},
      userId: id,
      tries: 5,
    });
    expect(
      rejection(await other.post('/auth/login/mfa', { flow: token, method: 'totp', code: '000000' })).code,
    ).toBe('flow-expired');
    await flows.start(under.database.queries, {
      kind: 'email-change',
      browser: 'any',
      lifeMs: 60_000,
      data: { email: 'new@example.org' },
      userId: id,
    });
    const shown = answerOf<{ methods: { pendingEmail: string | null } }>(
      await browser.send('GET', '/auth/session'),
    );
    expect(shown.methods.pendingEmail).toBeNull();
  });
});
