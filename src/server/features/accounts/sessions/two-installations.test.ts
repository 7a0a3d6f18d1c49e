import { describe, expect, it } from 'vitest';
import {
  accountsUnderTest,
  goodPassword,
  type AccountsUnderTest,
} from '#tests/support/accounts-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';

describe.each([
  ['http://localhost:3000', 'http://localhost:3001'],
  ['https://nas.example', 'https://nas.example:8443'],
  ['http://localhost', 'http://localhost:3000'],
])('at %s and %s', (first, second) => {
  /** A browser that stores cookies by host, ignoring the port. */
  async function start(): Promise<{
    here: ReturnType<AccountsUnderTest['browser']>;
    there: ReturnType<AccountsUnderTest['browser']>;
  }> {
    const [one, two] = [
      await accountsUnderTest(await freshDatabase(), { publicUrl: first }),
      await accountsUnderTest(await freshDatabase(), { publicUrl: second }),
    ];
    const [here, there] = [one.browser(), two.browser()];
    Object.defineProperty(there, 'cookies', { value: here.cookies });
    await here.post('/auth/signup', { email: 'ann@example.org', password: goodPassword, displayName: 'Ann' });
    await there.post('/auth/signup', {
      email: 'ben@example.org',
      password: goodPassword,
      displayName: 'Ben',
    });
    return { here, there };
  }

  it('each recognises its own user, regardless of who signed in last', async () => {
    const { here, there } = await start();
    expect([await here.whoAmI(), await there.whoAmI()]).toEqual(['Ann', 'Ben']);
  });

  it('neither a sign-out nor a new session at one affects the other', async () => {
    const { here, there } = await start();
    await there.post('/auth/logout');
    expect([await here.whoAmI(), await there.whoAmI()]).toEqual(['Ann', null]);
    await there.post('/auth/login', { email: 'ben@example.org', password: goodPassword });
    expect([await here.whoAmI(), await there.whoAmI()]).toEqual(['Ann', 'Ben']);
  });
});
