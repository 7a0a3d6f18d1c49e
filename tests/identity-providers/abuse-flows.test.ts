import { beforeEach, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { problemSchema } from '#contract/errors.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { appUnderTest, password, publicUrl, type AppUnderTest } from './app-under-test.ts';
import { honestIssuers } from './honest-issuers.ts';
import { maliciousIssuer } from './malicious-issuer.ts';

const { settings } = honestIssuers();
const rejection = (response: { statusCode: number; json(): unknown }): [number, string] => [
  response.statusCode,
  problemSchema.parse(response.json()).code,
];

eachDatabase((_name, open) => {
  let rig: AppUnderTest;
  beforeEach(async () => {
    rig = appUnderTest(await open(), { providers: settings });
  });

  const nothingHappened = async (reason: string): Promise<void> => {
    expect([await rig.count('users'), await rig.count('sessions'), await rig.count('identities')]).toEqual([
      0, 0, 0,
    ]);
    expect(await rig.rejections()).toContain(reason);
  };

  it('abuse case 2: the code and state of another user’s sign-in do nothing in this browser (ASVS 10.2.1)', async () => {
    const attacker = rig.newBrowser();
    const answer = await attacker.visit(await attacker.start('one'), 'bob');
    const victims = [rig.newBrowser(), rig.newBrowser()];
    await victims[0]?.start('one');
    for (const victim of victims) {
      const response = await victim.post('/auth/one', answer);
      expect(rejection(response)).toEqual([400, 'oauth-state-mismatch']);
      expect(response.cookies.find(({ name }) => name === 'sid')).toBeUndefined();
    }
    await nothingHappened('oauth-state-mismatch');
  });

  it('abuse case 3: rejects a missing, duplicated or forged state', async () => {
    const browser = rig.newBrowser();
    const { code = '', state = '' } = await browser.visit(await browser.start('one'));
    for (const body of [
      { code },
      { code, state: '' },
      { code, state: 'x' },
      { code, state: `${state},${state}` },
      { code, state: `${state} ` },
    ]) {
      expect(rejection(await browser.post('/auth/one', body))).toEqual([400, 'oauth-state-mismatch']);
    }
    const page = await browser.send('GET', `/auth/one/callback?code=${code}&state=${state}&state=${state}`);
    expect(page.body).not.toContain(state);
    await nothingHappened('oauth-state-mismatch');
    expect((await rig.newBrowser().post('/auth/one', { code, state: `p${'A'.repeat(43)}` })).statusCode).toBe(
      410,
    );
  });

  it('abuse case 4: of two requests with the same code, exactly one signs in', async () => {
    for (let round = 0; round < 5; round += 1) {
      const browser = rig.newBrowser();
      const answer = await browser.visit(await browser.start('one'));
      const responses = await Promise.all([
        browser.post('/auth/one', answer),
        browser.post('/auth/one', answer),
      ]);
      expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 410]);
      expect(rejection(await browser.post('/auth/one', answer))).toEqual([410, 'oauth-flow-expired']);
    }
  });

  it('abuse case 5: a sign-in older than ten minutes has expired and is deleted', async () => {
    const browser = rig.newBrowser();
    const answer = await browser.visit(await browser.start('one'));
    rig.clock.advance(10 * minute);
    expect(rejection(await browser.post('/auth/one', answer))).toEqual([410, 'oauth-flow-expired']);
    expect(await rig.count('oauth_flows')).toBe(0);
    await nothingHappened('oauth-flow-expired');
  });

  it('abuse case 6: PKCE rejects a code of another sign-in (ASVS 10.1.2)', async () => {
    const [attacker, victim] = [rig.newBrowser(), rig.newBrowser()];
    const { code = '' } = await attacker.visit(await attacker.start('one'), 'bob');
    const { state = '', iss = '' } = await victim.visit(await victim.start('one'), 'ann');
    expect(rejection(await victim.post('/auth/one', { code, state, iss }))).toEqual([
      502,
      'oauth-exchange-failed',
    ]);
    await nothingHappened('oauth-exchange-failed');
  });

  it('abuse case 7: detects a response of another issuer before redeeming any code (ASVS 10.2.2)', async () => {
    const evil = await maliciousIssuer();
    rig = appUnderTest(rig.database, { providers: [...settings, evil.settings] });
    const browser = rig.newBrowser();
    const answer = await browser.visit(await browser.start('one'));
    for (const iss of [settings[1]?.issuer ?? '', `${answer.iss ?? ''}/`, 'nonsense']) {
      const other = rig.newBrowser();
      const own = await other.visit(await other.start('one'));
      expect(rejection(await other.post('/auth/one', { ...own, iss }))).toEqual([
        400,
        'oauth-state-mismatch',
      ]);
    }
    const { iss: _iss, ...withoutIss } = answer;
    expect(rejection(await browser.post('/auth/one', withoutIss))).toEqual([400, 'oauth-state-mismatch']);
    // The malicious provider redirects the user to the honest one, with the parameters of its own sign-in.
    const started = new URL(await browser.start('evil'));
    const atHonest = new URL(await rig.newBrowser().start('one'));
    for (const name of ['state', 'nonce', 'code_challenge'])
      atHonest.searchParams.set(name, started.searchParams.get(name) ?? '');
    const stolen = await browser.visit(atHonest.href);
    expect(rejection(await browser.post('/auth/one', stolen))).toEqual([400, 'oauth-state-mismatch']);
    expect(rejection(await browser.post('/auth/evil', stolen))).toEqual([400, 'oauth-state-mismatch']);
    expect(evil.tokenRequests()).toBe(0);
    await nothingHappened('oauth-state-mismatch');
  });

  it('abuse case 8: without an issuer in the response, the redirect URI tells providers apart', async () => {
    const [first, second] = [await maliciousIssuer('first'), await maliciousIssuer('second')];
    rig = appUnderTest(rig.database, { providers: [first.settings, second.settings] });
    const browser = rig.newBrowser();
    const [url, otherUrl] = [new URL(await browser.start('first')), new URL(await browser.start('second'))];
    expect([url, otherUrl].map(({ searchParams }) => searchParams.get('redirect_uri'))).toEqual([
      `${publicUrl}/auth/first/callback`,
      `${publicUrl}/auth/second/callback`,
    ]);
    const answer = await browser.visit(url.href);
    expect(answer.iss).toBeUndefined();
    expect(rejection(await browser.post('/auth/second', answer))).toEqual([400, 'oauth-state-mismatch']);
    expect([first.tokenRequests(), second.tokenRequests()]).toEqual([0, 0]);
    expect((await browser.post('/auth/first', answer)).statusCode).toBe(200);
  });

  it('abuse case 12: a link started by another user links no account of the victim', async () => {
    const attacker = rig.newBrowser();
    await attacker.signUp('mallory@example.org');
    const url = await attacker.start('one', { intent: 'link' });
    for (const isSignedIn of [false, true]) {
      const victim = rig.newBrowser();
      if (isSignedIn) await victim.signUp('victim@example.org');
      const answer = await victim.visit(url, 'ann');
      expect(rejection(await victim.post('/auth/one', answer))).toEqual([400, 'oauth-state-mismatch']);
    }
    expect(await rig.count('identities')).toBe(0);
    expect((await rig.newBrowser().signIn('one', 'ann')).json()).toMatchObject({ created: true });
  });

  it('abuse case 13: a link started by one user cannot be completed by another', async () => {
    const browser = rig.newBrowser();
    await rig.newBrowser().signUp('bob@example.org');
    await browser.signUp('alice@example.org');
    const answer = await browser.visit(await browser.start('one', { intent: 'link' }));
    await browser.post('/auth/login', { email: 'bob@example.org', password });
    expect(rejection(await browser.post('/auth/one', answer))).toEqual([409, 'principal-changed']);
    expect(await rig.count('identities')).toBe(0);
    const again = await browser.visit(await browser.start('one', { intent: 'link' }));
    await browser.send('POST', '/auth/logout');
    expect(rejection(await browser.post('/auth/one', again))).toEqual([401, 'session-required']);
  });

  it('abuse case 13: rejects a request from a page that shows another user than the session’s', async () => {
    const browser = rig.newBrowser();
    await browser.signUp('alice@example.org');
    const response = await browser.send('POST', '/auth/one', {
      body: { intent: 'link' },
      headers: { 'x-expected-principal': '0190f7a0-0000-7000-8000-000000000001' },
    });
    expect(rejection(response)).toEqual([409, 'principal-changed']);
  });

  it('abuse case 33: a sign-in returns to a path of this server, or to its start page', async () => {
    const leadsTo = async (returnTo: string): Promise<string> =>
      (await rig.newBrowser().signIn('one', 'ann', { returnTo })).json<{ returnTo: string }>().returnTo;
    for (const evil of [
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      'https://evil.example/',
      '/%2fevil.example',
      '/%5Cevil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '',
      'library',
    ]) {
      expect([evil, await leadsTo(evil)]).toEqual([evil, '/']);
    }
    expect(await leadsTo('/recordings/0190?x=//y#t=83.5')).toBe('/recordings/0190?x=//y#t=83.5');
  });

  it('neither shows nor stores a secret of a sign-in: verifier, nonce and state are not in the database', async () => {
    const browser = rig.newBrowser();
    const url = new URL(await browser.start('one'));
    const row = JSON.stringify(
      await rig.database.queries.selectFrom('oauth_flows').selectAll().executeTakeFirstOrThrow(),
    );
    for (const secret of [
      url.searchParams.get('state'),
      url.searchParams.get('nonce'),
      url.searchParams.get('code_challenge'),
      browser.cookies.get('flow'),
    ]) {
      expect(secret?.length).toBeGreaterThan(40);
      expect(row).not.toContain(secret);
    }
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  });
});
