import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { databaseTime, readTime } from '#server/storage/database/database-time.ts';
import { LeaseLostError } from '#server/storage/held-lease.ts';
import { slowJob } from '#tests/support/slow-job.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { createJobQueue } from './database-job-queue.ts';
import { JobRunner } from './job-runner.ts';

eachDatabase((name, open) => {
  // Another connection cannot make one statement of SQLite wait.
  it.runIf(name === 'postgres')(
    'a job is aborted before another runner could claim it, while its renewals hang',
    async () => {
      const database = await open();
      const rows = () => database.queries.selectFrom('jobs').selectAll().execute();
      const ended = Promise.withResolvers<string>();
      const slow = slowJob();
      const time = databaseTime(database, systemClock);
      const queue = createJobQueue({ clock: systemClock, time });
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const runner = new JobRunner({
        database,
        queue,
        handlers: [slow.handler],
        leaseMs: 3000,
        onEnded: ({ outcome }) => {
          ended.resolve(outcome);
          void runner.stop({ graceMs: 0 });
        },
      });
      onTestFinished(() => runner.stop({ graceMs: 0 }));
      runner.start();
      await slow.started;
      // The lock makes every renewal hang, as a database that does not respond does.
      await database.transaction(async (transaction) => {
        const [job] = await transaction.selectFrom('jobs').selectAll().forUpdate().execute();
        expect(await slow.aborted).toBeInstanceOf(LeaseLostError);
        expect(await readTime(transaction, time)).toBeLessThan(job?.lease_until ?? 0);
      });
      expect(await ended.promise).toBe('lost');
      expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    },
  );
});
