import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';
import { timeOf } from '#server/storage/database/database-time.ts';
import { createJobQueue } from './database-job-queue.ts';
import { JobLanes } from './job-lanes.ts';
import { JobLeases } from './job-leases.ts';

eachDatabase((_dialect, open) => {
  test.each([
    ['fence', '4611686018427387904'],
    ['fence', '9223372036854775807'],
    ['attempts', '4611686018427387904'],
    ['attempts', '-1'],
    ['deaths', '4611686018427387904'],
    ['run_at', '-4611686018427387904'],
    ['priority', '4611686018427387904'],
  ])('a job whose %s is %s does not block the others', async (column, value) => {
    const database = await open();
    const clock = fakeClock();
    const queue = createJobQueue({ clock });
    await queue.enqueue(database.queries, { kind: 'broken', payload: null });
    await queue.enqueue(database.queries, { kind: 'whole', payload: null });
    await withoutLimits(database);
    await sql`update jobs set ${sql.ref(column)} = ${sql.raw(value)} where kind = 'broken'`.execute(
      database.queries,
    );
    const leases = new JobLeases({
      database,
      time: timeOf(clock),
      owner: 'one',
      leaseMs: 60_000,
      random: () => 0,
    });
    const claimable = new JobLanes([{ kind: 'broken' }, { kind: 'whole' }]).claimable([]);
    const done: string[] = [];
    for (let job = await leases.claim(claimable); job !== null; job = await leases.claim(claimable)) {
      expect(await leases.complete(job)).toBe(true);
      done.push(job.kind);
    }
    expect(done).toContain('whole');
  });
});
