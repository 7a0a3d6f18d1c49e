import { expect, test } from 'vitest';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  rejection,
  signUp,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { createAccountMail } from '#server/features/accounts/account-mail.ts';
import { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { storeTotp } from './totp-store.ts';
import { turnTwoStepOff } from './two-step-off.ts';

eachDatabase((name, open) => {
  test(`on ${name}, the command line turns two-step sign-in off, which is recorded and emailed to the owner`, async () => {
    const under = await accountsUnderTest(await open(), { mail: true });
    const { email, id } = await signUp(under);
    const { clock, database } = under;
    const secrets = createSecretBox(new Uint8Array(32).fill(7));
    await storeTotp(
      database.queries,
      { userId: id, secret: Buffer.alloc(20, 1), step: 0 },
      { clock, secrets },
    );
    const mailer = { send: () => Promise.resolve(), close: () => undefined };
    const mail = createAccountMail({
      mailer,
      publicUrl: 'http://localhost:3000',
      queue: createJobQueue({ clock }),
      secrets,
    });
    const turnOff = (whose: string) =>
      turnTwoStepOff({ database, clock, flows: new AuthFlows({ clock, secrets }), mail }, whose);

    const browser = under.browser('198.51.100.4');
    const { flow } = answerOf<{ flow: string }>(
      await browser.post('/auth/login', { email, password: goodPassword }),
    );
    expect(await turnOff('nobody@example.org')).toBe('unknown');
    expect(await turnOff(` ${email.toUpperCase()} `)).toBe('off');
    expect(
      rejection(await browser.post('/auth/login/mfa', { flow, method: 'totp', code: '000000' })).code,
    ).toBe('flow-expired');
    expect(
      (await browser.post('/auth/login', { email, password: goodPassword })).cookies.some(
        ({ name: cookie }) => cookie === 'sid',
      ),
    ).toBe(true);
    expect(await turnOff(email)).toBe('already');
    expect((await under.audit()).filter(({ action }) => action === 'totp.off')).toHaveLength(1);
    await under.work();
    expect(under.post?.to(email).at(-1)).toMatchObject({ subject: 'Your account was changed' });
  });
});
