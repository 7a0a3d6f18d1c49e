import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Share } from '#contract/shares.ts';
import type { PasskeyCreation } from '#contract/passkeys.ts';
import { totpCode, totpStepAt } from '#server/features/accounts/credentials/totp-code.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import type { Database } from '#server/storage/database/database.ts';
import {
  accountsUnderTest,
  answerOf,
  codeIn,
  goodPassword,
  publicUrl,
  signUp,
  tokenIn,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { newTake } from '#tests/support/api-under-test.ts';
import { bytesOfBase32 } from '#tests/support/base32.ts';
import { makeBackup } from '#tests/support/backups-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeUser } from '#tests/support/factories.ts';
import { filesBelow } from '#tests/support/files-below.ts';
import { GivenTokens } from '#tests/support/given-tokens.ts';
import { goodLinkPassword, tokenOf } from '#tests/support/sharing.ts';
import { SoftPasskey } from '#tests/support/soft-passkey.ts';
import { newFolder } from '#tests/support/start-server.ts';

interface User {
  browser: Browser;
  email: string;
  id: string;
}

/** Every way to a secret of an account: codes and links in mails, second factors, passkeys, providers. */
async function useAccounts(under: AccountsUnderTest, admin: User, user: User): Promise<void> {
  const { browser, email } = user;
  const mailTo = async (address: string): Promise<string> => {
    await under.work();
    return under.post?.to(address).at(-1)?.text ?? '';
  };
  const { flow } = answerOf<{ flow: string }>(await browser.post('/auth/email', { email: `new-${email}` }));
  const changed = await browser.post('/auth/email/verify', {
    flow,
    code: codeIn(await mailTo(`new-${email}`)),
  });
  expect(changed.statusCode).toBe(200);
  expect(tokenIn(await mailTo(email))).not.toBe('');
  await under.browser('198.51.100.4').post('/auth/password/forgot', { email: `new-${email}` });
  expect(tokenIn(await mailTo(`new-${email}`))).not.toBe('');
  expect((await admin.browser.postEmpty(`/api/admin/users/${user.id}/reset-link`)).statusCode).toBe(201);
  const { flow: adding, options } = answerOf<{ flow: string; options: PasskeyCreation }>(
    await browser.postEmpty('/auth/passkeys/register/begin'),
  );
  const credential = new SoftPasskey(publicUrl).create(options);
  expect(
    (await browser.post('/auth/passkeys/register/finish', { flow: adding, credential })).statusCode,
  ).toBe(201);
  answerOf(await under.browser().postEmpty('/auth/passkeys/sign-in/begin'));
  const totp = answerOf<{ flow: string; secret: string }>(await browser.postEmpty('/auth/totp/begin'));
  const code = totpCode(bytesOfBase32(totp.secret), totpStepAt(under.clock.nowMs()));
  answerOf(await browser.post('/auth/totp/confirm', { flow: totp.flow, code }));
  answerOf(
    await under.browser('198.51.100.5').post('/auth/login', {
      email: `new-${email}`,
      password: goodPassword,
    }),
  );
  answerOf(await under.browser().post('/auth/github', { display: 'popup' }));
}

/** Every way to a secret of a recording: the take's capability, links, their visits, and tickets. */
async function useRecordings(under: AccountsUnderTest, { browser }: User): Promise<Share> {
  const recordingId = newId();
  answerOf(await browser.send('PUT', `/api/recordings/${recordingId}`, { body: newTake }));
  const keyed = (url: string, body?: object) =>
    browser.send('POST', url, {
      ...(body === undefined ? {} : { body }),
      headers: { 'idempotency-key': newId() },
    });
  answerOf(
    await keyed(`/api/recordings/${recordingId}/notes`, { id: newId(), fromMs: 0, toMs: null, text: 'A' }),
  );
  const shared = answerOf<Share>(
    await keyed(`/api/recordings/${recordingId}/shares`, { id: newId(), password: goodLinkPassword }),
  );
  const renewed = answerOf<Share>(
    await keyed(`/api/shares/${shared.id}/address`, { revision: shared.revision }),
  );
  const listener = under.browser('198.51.100.6');
  const unlocked = await listener.post(`/s/${tokenOf(renewed)}/unlock`, { password: goodLinkPassword });
  expect(unlocked.statusCode).toBe(204);
  answerOf(await browser.post('/api/exports/zip', { ids: [recordingId] }));
  answerOf(await browser.postEmpty('/api/exports/account'));
  return renewed;
}

/** All files of a backup of this server without its key, decompressed. */
async function backupOf({ blobs, clock }: AccountsUnderTest, database: Database): Promise<Buffer> {
  const folder = newFolder();
  const target = await openFolderBackupTarget(folder, { create: true });
  await makeBackup({ database, blobs, clock }, target);
  return Buffer.concat(
    filesBelow(folder).flatMap(({ path }) => {
      const bytes = readFileSync(join(folder, path));
      return [Buffer.from(path), path.endsWith('.gz') ? gunzipSync(bytes) : bytes, Buffer.from('\0')];
    }),
  );
}

eachDatabase((_name, open) => {
  test('X6: no secret that the server gave out is in the database or in a backup', async () => {
    const database = await open();
    const under = await accountsUnderTest(database, {
      mail: true,
      providers: [{ kind: 'github', clientId: 'c', clientSecret: 's' }],
    });
    const [admin, user] = [await signUp(under), await signUp(under)];
    await useAccounts(under, admin, user);
    const shared = await useRecordings(under, user);
    // Sessions, flows, capabilities, visits, tickets, states, addresses, links and codes in mails, recovery codes.
    expect(under.tokens.all.size).toBeGreaterThan(25);
    expect([...under.tokens.all]).toEqual(expect.arrayContaining([user.browser.sid, tokenOf(shared)]));
    expect(await under.tokens.tracesInDatabase(database)).toEqual([]);
    const backup = await backupOf(under, database);
    expect(backup.includes(user.id)).toBe(true);
    expect(under.tokens.tracesIn(backup)).toEqual([]);
  });

  test.for([
    ['as text', (token: string) => token],
    ['inside other text', (token: string) => JSON.stringify({ url: `https://example.org/s/${token}` })],
    ['in base64', (token: string) => Buffer.from(`x${token}y`).toString('base64')],
    ['in base64url', (token: string) => Buffer.from(`xy${token}`).toString('base64url')],
    ['in hex', (token: string) => Buffer.from(token).toString('hex')],
    ['as its bits in hex', (token: string) => Buffer.from(token, 'base64url').toString('hex')],
    ['as its bits in base64', (token: string) => Buffer.from(token, 'base64url').toString('base64')],
  ] as const)('the search finds a secret that is stored %s', async ([, stored]) => {
    const database = await open();
    const tokens = new GivenTokens();
    const token = randomBytes(32).toString('base64url');
    tokens.see(`{"token":"${token}"}`);
    await storeUser(database.queries, { display_name: stored(token) });
    expect(await tokens.tracesInDatabase(database)).toEqual([`users.display_name: ${token}`]);
  });
});
