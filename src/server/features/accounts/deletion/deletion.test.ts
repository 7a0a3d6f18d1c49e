import { randomBytes } from 'node:crypto';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { runJob } from '#tests/support/run-job.ts';
import { day } from '#base/duration.ts';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  rejection,
  signUp,
  type AccountsUnderTest,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording } from '#tests/support/factories.ts';
import { createKeyedAnswers } from '#server/features/maintenance/keyed-answers.ts';
import { keyOwnerOfUser } from '#server/http/pipeline/keyed-requests.ts';
import { sweepAccountsJob } from './sweep-jobs.ts';

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  const sweep = () => runJob(sweepAccountsJob(under));
  const people = async () => (await under.database.queries.selectFrom('users').select('id').execute()).length;

  describe('deleting an account', () => {
    it('previews what happens to the recordings', async () => {
      const { browser, id } = await signUp(under);
      await storeRecording(under.database.queries, { owner_id: id, duration_ms: 60_000, state: 'ready' });
      await storeRecording(under.database.queries, {
        owner_id: id,
        duration_ms: 5000,
        state: 'ready',
        deleted_at: under.clock.nowMs(),
      });
      await storeRecording(under.database.queries, { owner_id: id, duration_ms: 0, state: 'receiving' });
      expect(answerOf(await browser.send('GET', '/auth/account/deletion'))).toEqual({
        recordings: 3,
        unfinished: 1,
        durationMs: 65_000,
        purgedAt: new Date(under.clock.nowMs() + 30 * day).toISOString(),
      });
    });

    it('deletes the stored replies to requests of the user and of running takes', async () => {
      const { browser, id } = await signUp(under);
      const { database, clock } = under;
      const { id: recordingId } = await storeRecording(database.queries, { owner_id: id });
      const answers = createKeyedAnswers({ database, clock, secrets: createSecretBox(randomBytes(32)) });
      await answers.claim({ principal: keyOwnerOfUser(id), keyHash: 'k', requestHash: 'r' });
      const ofTake = { principal: `upload:${recordingId}`, keyHash: 'k', requestHash: 'r' };
      const claimed = await answers.claim(ofTake);
      if (typeof claimed === 'string' || 'status' in claimed) throw new Error('not claimed');
      await answers.keep(ofTake, claimed, { status: 201, body: { text: 'private' }, recordingId });
      expect((await browser.send('DELETE', '/auth/account')).statusCode).toBe(204);
      const { queries } = under.database;
      expect(await queries.selectFrom('idempotency_keys').select('key_hash').execute()).toEqual([]);
    });

    it('deletes every credential and name immediately, and moves the recordings to the trash', async () => {
      const { browser, id, email } = await signUp(under);
      const { id: recordingId } = await storeRecording(under.database.queries, { owner_id: id });
      expect((await browser.send('DELETE', '/auth/account')).statusCode).toBe(204);
      expect(browser.cookies.has('sid')).toBe(false);
      expect(
        rejection(await under.browser('198.51.100.4').post('/auth/login', { email, password: goodPassword }))
          .code,
      ).toBe('invalid-credentials');
      const { queries } = under.database;
      const left = {
        user: await queries.selectFrom('users').selectAll().executeTakeFirstOrThrow(),
        credentials: await queries.selectFrom('credentials').select('id').execute(),
        sessions: await queries.selectFrom('sessions').select('id').execute(),
      };
      expect(left).toMatchObject({
        user: { display_name: '–', email: null, email_key: null, role: 'member' },
        credentials: [],
        sessions: [],
      });
      expect(JSON.stringify(left)).not.toContain(email);
      const recording = await queries
        .selectFrom('recordings')
        .select('deleted_at')
        .where('id', '=', recordingId)
        .executeTakeFirstOrThrow();
      expect(recording.deleted_at).toBe(under.clock.nowMs());
    });

    it('leaves nothing of the account after the last recording is purged', async () => {
      const { browser, id } = await signUp(under);
      await signUp(under);
      const { id: recordingId } = await storeRecording(under.database.queries, { owner_id: id });
      await browser.send('DELETE', '/auth/account');
      await sweep();
      expect(await people()).toBe(2);
      await under.database.queries.deleteFrom('recordings').where('id', '=', recordingId).execute();
      await sweep();
      expect(await people()).toBe(1);
    });

    it('frees the address for a new account', async () => {
      const { browser, email } = await signUp(under);
      await browser.send('DELETE', '/auth/account');
      expect((await signUp(under, { email })).id).toMatch(/^[\da-f-]{36}$/);
    });
  });
});
