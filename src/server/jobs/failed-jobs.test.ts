import { expect, it } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { createJobQueue } from './database-job-queue.ts';
import { createFailedJobs } from './failed-jobs.ts';
import { JobRunner } from './job-runner.ts';

eachDatabase((_name, open) => {
  it('lists a failed job with its reason, and runs it again when an administrator retries it', async () => {
    const [database, clock] = [await open(), fakeClock()];
    const queue = createJobQueue({ clock });
    let isBroken = true;
    const handler = {
      kind: 'note',
      run: async () => {
        if (isBroken) throw new Error('broken');
      },
    };
    const runner = new JobRunner({ database, queue, clock, handlers: [handler], random: () => 0 });
    const failed = createFailedJobs({
      database,
      clock,
      wake: () => {
        queue.wake();
      },
    });
    await queue.enqueue(database.queries, { kind: 'note', payload: 1, dedupeKey: 'once' });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await runner.runDue();
      clock.advance(3_600_000);
    }
    const [job] = await failed.list();
    expect(job).toMatchObject({ kind: 'note', error: 'Error: broken' });
    isBroken = false;
    expect(await failed.retry('00000000-0000-7000-8000-000000000000')).toBe(false);
    expect([await failed.retry(job?.id ?? ''), await failed.retry(job?.id ?? '')]).toEqual([true, true]);
    expect([await runner.runDue(), await failed.list()]).toEqual([1, []]);
  });
});
