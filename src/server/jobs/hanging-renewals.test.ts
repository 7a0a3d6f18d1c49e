import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { databaseTime, readTime } from '#server/storage/database/database-time.ts';
import { LeaseLostError } from '#server/storage/held-lease.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { createJobQueue } from './database-job-queue.ts';
import type { JobHandler } from './job-queue.ts';
import { JobRunner } from './job-runner.ts';

eachDatabase((name, open) => {
  // Another connection cannot make one statement of SQLite wait.
  it.runIf(name === 'postgres')(
    'a job is aborted before another runner could claim it, while its renewals hang',
    async () => {
      const database = await open();
      const rows = () => database.queries.selectFrom('jobs').selectAll().execute();
      const [started, aborted, ended] = [
        Promise.withResolvers<undefined>(),
        Promise.withResolvers<unknown>(),
        Promise.withResolvers<string>(),
      ];
      const time = databaseTime(database, systemClock);
      const queue = createJobQueue({ clock: systemClock, time });
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const slow: JobHandler = {
        kind: 'slow',
        run: (_job, { signal }) =>
          new Promise((_resolve, reject) => {
            started.resolve(undefined);
            signal.addEventListener('abort', () => {
              aborted.resolve(signal.reason);
              reject(new Error('aborted'));
            });
          }),
      };
      const runner = new JobRunner({
        database,
        queue,
        handlers: [slow],
        leaseMs: 3000,
        onEnded: ({ outcome }) => {
          ended.resolve(outcome);
          void runner.stop({ graceMs: 0 });
        },
      });
      onTestFinished(() => runner.stop({ graceMs: 0 }));
      runner.start();
      await started.promise;
      // The lock makes every renewal hang, as a database that does not respond does.
      await database.transaction(async (transaction) => {
        const [job] = await transaction.selectFrom('jobs').selectAll().forUpdate().execute();
        expect(await aborted.promise).toBeInstanceOf(LeaseLostError);
        expect(await readTime(transaction, time)).toBeLessThan(job?.lease_until ?? 0);
      });
      expect(await ended.promise).toBe('lost');
      expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    },
  );
});
