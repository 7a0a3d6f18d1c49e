import { beforeEach, describe, expect, it } from 'vitest';
import { day, minute } from '#base/duration.ts';
import {
  accountsUnderTest,
  answerOf,
  codeIn,
  goodPassword,
  rejection,
  signUp,
  tokenIn,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';

const wanted = { email: 'ann@example.org', password: goodPassword, displayName: 'Ann' };

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open(), { mail: true });
  });

  const mailsTo = (email: string) => under.post?.to(email) ?? [];
  const flowOf = (response: Awaited<ReturnType<Browser['post']>>) =>
    answerOf<{ flow: string }>(response).flow;
  async function codeTo(email: string): Promise<string> {
    await under.work();
    return codeIn(mailsTo(email).findLast(({ text }) => codeIn(text) !== '')?.text ?? '');
  }
  const usersLeft = async () =>
    (await under.database.queries.selectFrom('users').select('email').execute()).map(({ email }) => email);

  describe('signing up with verified addresses', () => {
    it('creates nothing until the code is entered, then signs in', async () => {
      const browser = under.browser();
      const response = await browser.post('/auth/signup', wanted);
      expect([response.statusCode, browser.cookies.has('sid'), await usersLeft()]).toEqual([202, false, []]);
      const verified = await browser.post('/auth/signup/verify', {
        flow: flowOf(response),
        code: await codeTo(wanted.email),
      });
      expect(verified.statusCode).toBe(201);
      expect(await browser.whoAmI()).toBe('Ann');
    });

    it('sends the email in the language of the page', async () => {
      for (const [locale, word] of [
        ['de', 'schließen Sie Ihre Registrierung ab'],
        ['ar', 'تُكمل إنشاء حسابك'],
        ['en-GB', 'to finish signing up'],
        ['xx', 'to finish signing up'],
      ]) {
        await under
          .browser(`192.0.2.${locale?.length}`)
          .post('/auth/signup', { ...wanted, email: `${locale}@example.org`, locale });
        await under.work();
        expect(mailsTo(`${locale}@example.org`)[0]?.text).toContain(word);
      }
    });

    it('abuse case 26: answers the same for a taken address, and notifies its owner', async () => {
      await signUp(under, { email: wanted.email });
      const stranger = under.browser('203.0.113.5');
      const [takenEmail, free] = [
        await stranger.post('/auth/signup', wanted),
        await stranger.post('/auth/signup', { ...wanted, email: 'free@example.org' }),
      ];
      const shape = (response: typeof takenEmail) => [
        response.statusCode,
        Object.keys(response.json<object>()).sort(),
        Object.keys(response.headers).sort(),
      ];
      expect(shape(takenEmail)).toEqual(shape(free));
      await under.work();
      expect(mailsTo(wanted.email).at(-1)?.subject).toBe('You already have an Earshot account');
      for (const code of ['00000000', ''])
        expect(
          rejection(await stranger.post('/auth/signup/verify', { flow: flowOf(takenEmail), code })).code,
        ).toBe('code-invalid');
    });

    it('accepts the code only from the browser that started, for ten minutes and five tries', async () => {
      const browser = under.browser();
      const flow = flowOf(await browser.post('/auth/signup', wanted));
      const code = await codeTo(wanted.email);
      expect(
        rejection(await under.browser('203.0.113.5').post('/auth/signup/verify', { flow, code })).code,
      ).toBe('code-expired');
      for (let guess = 1; guess <= 5; guess += 1)
        expect(rejection(await browser.post('/auth/signup/verify', { flow, code: '00000000' })).code).toBe(
          'code-invalid',
        );
      expect(rejection(await browser.post('/auth/signup/verify', { flow, code })).code).toBe('code-expired');
      const later = flowOf(await browser.post('/auth/signup', wanted));
      const laterCode = await codeTo(wanted.email);
      under.clock.advance(10 * minute);
      expect(
        rejection(await browser.post('/auth/signup/verify', { flow: later, code: laterCode })).code,
      ).toBe('code-expired');
    });

    it('abuse case 14: an attacker who signs up with a victim’s address has nothing once the victim has verified it', async () => {
      const [attacker, victim] = [under.browser('203.0.113.5'), under.browser()];
      const attackerFlow = flowOf(
        await attacker.post('/auth/signup', { ...wanted, password: 'what the attacker has chosen' }),
      );
      const attackerCode = await codeTo(wanted.email);
      const victimFlow = flowOf(await victim.post('/auth/signup', wanted));
      await under.work();
      const victimCode =
        mailsTo(wanted.email)
          .map(({ text }) => codeIn(text))
          .find((code) => code !== attackerCode) ?? '';
      expect(
        (await victim.post('/auth/signup/verify', { flow: victimFlow, code: victimCode })).statusCode,
      ).toBe(201);
      expect(
        rejection(await attacker.post('/auth/signup/verify', { flow: attackerFlow, code: attackerCode }))
          .code,
      ).toBe('code-expired');
      expect(
        rejection(
          await attacker.post('/auth/login', {
            ...wanted,
            displayName: undefined,
            password: 'what the attacker has chosen',
          }),
        ).code,
      ).toBe('invalid-credentials');
      expect(await usersLeft()).toEqual([wanted.email]);
    });

    it('gives an address to one of two users who verify it concurrently', async () => {
      const browsers = [under.browser(), under.browser('203.0.113.5')];
      const flows: string[] = [];
      const codes: string[] = [];
      for (const browser of browsers) {
        flows.push(flowOf(await browser.post('/auth/signup', wanted)));
        await under.work();
        codes.push(
          mailsTo(wanted.email)
            .map(({ text }) => codeIn(text))
            .find((code) => !codes.includes(code)) ?? '',
        );
      }
      const answers = await Promise.all(
        browsers.map((browser, index) =>
          browser.post('/auth/signup/verify', { flow: flows[index], code: codes[index] }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 410]);
      expect(await usersLeft()).toHaveLength(1);
    });

    it('invalidates the previous code when a new one is sent, at most three times an hour', async () => {
      const browser = under.browser();
      let flow = flowOf(await browser.post('/auth/signup', wanted));
      const first = { flow, code: await codeTo(wanted.email) };
      const statuses: number[] = [];
      for (let time = 1; time <= 4; time += 1) {
        const again = await browser.post('/auth/signup/resend', { flow });
        statuses.push(again.statusCode);
        if (again.statusCode === 202) flow = flowOf(again);
      }
      expect(statuses).toEqual([202, 202, 202, 429]);
      expect(rejection(await browser.post('/auth/signup/verify', first)).code).toBe('code-expired');
      await under.work();
      const answers = [];
      for (const { text } of mailsTo(wanted.email))
        answers.push((await browser.post('/auth/signup/verify', { flow, code: codeIn(text) })).statusCode);
      expect(answers.filter((status) => status === 201)).toHaveLength(1);
    });

    it('exposes neither the code nor the address in a copy of the database', async () => {
      await under.browser().post('/auth/signup', wanted);
      const code = await codeTo(wanted.email);
      const { queries } = under.database;
      const stored = JSON.stringify([
        await queries.selectFrom('auth_flows').selectAll().execute(),
        await queries.selectFrom('jobs').selectAll().execute(),
      ]);
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(wanted.email);
    });
  });

  describe('a change of address', () => {
    const requestChange = (browser: Browser, email: string) => browser.post('/auth/email', { email });

    it('takes effect once its code is entered, and the old address is notified', async () => {
      const { browser, email } = await signUp(under);
      const before = browser.sid;
      const flow = flowOf(await requestChange(browser, 'new@example.org'));
      expect(
        answerOf<{ methods: { pendingEmail: string } }>(await browser.send('GET', '/auth/session')).methods
          .pendingEmail,
      ).toBe('new@example.org');
      const response = await browser.post('/auth/email/verify', {
        flow,
        code: await codeTo('new@example.org'),
      });
      expect(answerOf<{ user: { email: string } }>(response).user.email).toBe('new@example.org');
      expect(browser.sid).not.toBe(before);
      await under.work();
      expect(mailsTo(email).at(-1)?.text).toContain('new@example.org');
      expect(
        (
          await under
            .browser('198.51.100.4')
            .post('/auth/login', { email: 'new@example.org', password: goodPassword })
        ).statusCode,
      ).toBe(200);
    });

    it('can be undone by the link sent to the old address, which ends all sessions', async () => {
      const { browser, email } = await signUp(under);
      await browser.post('/auth/email/verify', {
        flow: flowOf(await requestChange(browser, 'attacker@example.org')),
        code: await codeTo('attacker@example.org'),
      });
      await under.work();
      const token = tokenIn(mailsTo(email).at(-1)?.text ?? '');
      under.clock.advance(7 * day - 1);
      expect((await under.browser('198.51.100.4').post('/auth/email/undo', { token })).statusCode).toBe(204);
      expect(await browser.whoAmI()).toBeNull();
      expect(await usersLeft()).toEqual([email]);
      expect(rejection(await under.browser('198.51.100.4').post('/auth/email/undo', { token })).code).toBe(
        'code-expired',
      );
    });

    it.each([
      ['ends the links of the changes after it', ['own', 'between'], [204, 410]],
      ['leaves those of the changes before it', ['between', 'own'], [204, 204]],
    ] as const)('undone %s', async (_what, order, statuses) => {
      const { browser, email } = await signUp(under);
      const tokens = { own: '', between: '' };
      for (const [link, from, to] of [
        ['own', email, 'b@evil.example'],
        ['between', 'b@evil.example', 'c@evil.example'],
      ] as const) {
        await browser.post('/auth/email/verify', {
          flow: flowOf(await requestChange(browser, to)),
          code: await codeTo(to),
        });
        await under.work();
        tokens[link] = tokenIn(mailsTo(from).at(-1)?.text ?? '');
        under.clock.advance(minute);
      }
      const answers = [];
      for (const link of order)
        answers.push(
          (await under.browser('198.51.100.4').post('/auth/email/undo', { token: tokens[link] })).statusCode,
        );
      expect(answers).toEqual(statuses);
      expect(await usersLeft()).toEqual([email]);
    });

    it('to a taken address gets the usual response and has no effect', async () => {
      const [{ browser }, { email: takenEmail }] = [await signUp(under), await signUp(under)];
      const response = await requestChange(browser, takenEmail);
      expect(response.statusCode).toBe(202);
      await under.work();
      expect(mailsTo(takenEmail).at(-1)?.subject).toBe('This email address is used by another account');
      expect(
        rejection(await browser.post('/auth/email/verify', { flow: flowOf(response), code: '00000000' }))
          .code,
      ).toBe('code-invalid');
    });

    it('is not verified by another user’s code', async () => {
      const [{ browser: ann }, { browser: bob }] = [await signUp(under), await signUp(under)];
      const flow = flowOf(await requestChange(ann, 'new@example.org'));
      const code = await codeTo('new@example.org');
      bob.cookies.set('flow', ann.cookies.get('flow') ?? '');
      expect(rejection(await bob.post('/auth/email/verify', { flow, code })).code).toBe('code-expired');
    });
  });
});

eachDatabase((_name, open) => {
  describe('a change of address on a server without mail', () => {
    it('takes effect immediately with a recent proof, and is rejected when the address is taken', async () => {
      const under = await accountsUnderTest(await open());
      const [{ browser }, { email: takenEmail }] = [await signUp(under), await signUp(under)];
      expect(rejection(await browser.post('/auth/email', { email: takenEmail }))).toMatchObject({
        status: 409,
        code: 'email-taken',
      });
      expect(
        answerOf<{ user: { email: string } }>(await browser.post('/auth/email', { email: 'new@example.org' }))
          .user.email,
      ).toBe('new@example.org');
      expect(await browser.whoAmI()).not.toBeNull();
    });
  });
});
