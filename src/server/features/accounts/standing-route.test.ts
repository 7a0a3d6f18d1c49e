import { beforeEach, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import {
  accountsUnderTest,
  answerOf,
  signUp,
  type AccountsUnderTest,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording } from '#tests/support/factories.ts';
import { runJob } from '#tests/support/run-job.ts';
import { sweepAccountsJob } from './deletion/sweep-jobs.ts';

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  const standingOf = async (id: string) =>
    answerOf(await under.browser('198.51.100.9').send('GET', `/auth/standing/${id}`));

  describe('the standing of an account, for a device without a session', () => {
    it('tells an account that exists from one that is turned off and one that never existed', async () => {
      const { id } = await signUp(under);
      expect(await standingOf(id)).toEqual({ standing: 'active' });
      await under.database.queries
        .updateTable('users')
        .set({ disabled_at: 1 })
        .where('id', '=', id)
        .execute();
      expect(await standingOf(id)).toEqual({ standing: 'disabled' });
      expect(await standingOf(randomUUID())).toEqual({ standing: 'unknown' });
    });

    it('says that an account was deleted, also after its row is gone', async () => {
      const { browser, id } = await signUp(under);
      await storeRecording(under.database.queries, { owner_id: id });
      await browser.send('DELETE', '/auth/account');
      expect(await standingOf(id)).toEqual({ standing: 'deleted' });
      await under.database.queries.deleteFrom('recordings').execute();
      await runJob(sweepAccountsJob(under));
      expect(await standingOf(id)).toEqual({ standing: 'deleted' });
    });
  });
});
