import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hour, minute, second } from '#base/duration.ts';
import { uuidV7 } from '#base/uuid-v7.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts';
import { timeOf } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { JobLeases } from './job-leases.ts';
import { JobLanes, laneLimits } from './job-lanes.ts';
import { createJobQueue, type WakingJobQueue } from './database-job-queue.ts';
import type { JobHandler } from './job-queue.ts';
import { JobRunner, type JobRunnerOptions } from './job-runner.ts';

eachDatabase((_name, open) => {
  let database: Database;
  let clock: FakeClock;
  let queue: WakingJobQueue;
  let done: unknown[];
  const noting: JobHandler = {
    kind: 'note',
    run: async ({ payload }) => {
      done.push(payload);
    },
  };

  beforeEach(async () => {
    database = await open();
    clock = fakeClock();
    queue = createJobQueue({ clock });
    done = [];
  });

  function runnerOf(handlers: JobHandler[], options: Partial<JobRunnerOptions> = {}): JobRunner {
    const runner = new JobRunner({ database, queue, handlers, clock, random: () => 0, ...options });
    onTestFinished(() => runner.stop({ graceMs: 0 }));
    return runner;
  }
  const rows = () => database.queries.selectFrom('jobs').selectAll().orderBy('id').execute();

  describe('jobs of several users', () => {
    const enqueueFor = async (userId: string, count: number, kind = 'note'): Promise<void> => {
      for (let index = 0; index < count; index += 1)
        await queue.enqueue(database.queries, { kind, userId, payload: userId });
    };

    /** No two of them end at the same time. */
    const takingTime: JobHandler = {
      kind: 'note',
      lane: 'normal',
      run: async ({ payload }) => {
        done.push(payload);
        clock.advance(1);
      },
    };

    it('take turns, however many jobs one user has', async () => {
      await enqueueFor('ann', 5);
      await enqueueFor('bob', 2);
      await runnerOf([takingTime]).runDue();
      expect(
        done
          .slice(0, 4)
          .map(String)
          .toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(['ann', 'ann', 'bob', 'bob']);
      expect(done.slice(4)).toEqual(['ann', 'ann', 'ann']);
    });

    it('take turns, also when many more users wait than one search reads', async () => {
      const users = Array.from({ length: 60 }, (_, index) => `user-${index + 10}`);
      for (const user of users) await enqueueFor(user, 2);
      await runnerOf([takingTime]).runDue();
      expect(new Set(done.slice(0, 90)).size).toBe(users.length);
      expect(done).toHaveLength(2 * users.length);
    });

    it('run a take after a few imports, however many of another user wait', async () => {
      const row = (index: number) => ({
        id: uuidV7(clock.nowMs() + index, Buffer.alloc(16, index % 251)),
        kind: 'import',
        user_id: 'importer',
        payload: 'null',
        state: 'queued' as const,
        priority: 0,
        attempts: 0,
        run_at: clock.nowMs() - hour,
        fence: 0,
        created_at: clock.nowMs(),
        updated_at: clock.nowMs(),
      });
      const batch = 1000;
      for (let first = 0; first < 10_000; first += batch)
        await database.queries
          .insertInto('jobs')
          .values(Array.from({ length: batch }, (_, index) => row(first + index)))
          .execute();
      let [imported, importedBeforeTake] = [0, -1];
      runnerOf(
        [
          {
            kind: 'import',
            lane: 'long',
            run: async () => {
              imported += 1;
            },
          },
          {
            kind: 'take',
            lane: 'normal',
            run: async () => {
              importedBeforeTake = imported;
            },
          },
        ],
        { pollMs: 100 },
      ).start();
      await expect.poll(() => imported).toBeGreaterThan(5);
      await queue.enqueue(database.queries, { kind: 'take', userId: 'recorder', payload: null });
      const importedBefore = imported;
      await expect.poll(() => importedBeforeTake, { timeout: 10_000 }).toBeGreaterThanOrEqual(0);
      expect(importedBeforeTake - importedBefore).toBeLessThan(20);
    }, 30_000);

    it('of one lane run one at a time per user, except short ones', async () => {
      for (const kind of ['import', 'short']) await enqueueFor('ann', 3, kind);
      await enqueueFor('bob', 1, 'import');
      const gate = Promise.withResolvers<undefined>();
      const started: string[] = [];
      const waiting = async ({ payload }: { payload: unknown }): Promise<void> => {
        started.push(String(payload));
        await gate.promise;
        done.push(payload);
      };
      runnerOf(
        [
          { kind: 'import', lane: 'long', run: waiting },
          {
            kind: 'short',
            run: async ({ payload }) => {
              done.push(payload);
            },
          },
        ],
        { pollMs: 5 },
      ).start();
      await expect.poll(() => done.length).toBe(3);
      await expect.poll(() => started.toSorted((a, b) => a.localeCompare(b))).toEqual(['ann', 'bob']);
      gate.resolve(undefined);
      await expect.poll(() => done.length).toBe(7);
    });

    it('never wait for those of another lane', async () => {
      const gate = Promise.withResolvers<undefined>();
      const started: string[] = [];
      const waiting = (kind: string) => async (): Promise<void> => {
        started.push(kind);
        await gate.promise;
      };
      for (let index = 0; index < 5; index += 1) {
        await queue.enqueue(database.queries, { kind: 'import', userId: `importer ${index}`, payload: null });
        await queue.enqueue(database.queries, { kind: 'take', userId: `recorder ${index}`, payload: null });
      }
      runnerOf(
        [
          { kind: 'import', lane: 'long', run: waiting('import') },
          { kind: 'take', lane: 'normal', run: waiting('take') },
          { kind: 'mail', run: waiting('mail') },
        ],
        { pollMs: 5 },
      ).start();
      const { long, normal } = laneLimits;
      await expect
        .poll(() => started.toSorted((a, b) => a.localeCompare(b)))
        .toEqual([
          ...Array.from({ length: long.perKind }, () => 'import'),
          ...Array.from({ length: normal.slots }, () => 'take'),
        ]);
      await queue.enqueue(database.queries, { kind: 'mail', payload: null });
      await expect.poll(() => started.at(-1)).toBe('mail');
      gate.resolve(undefined);
    });

    it('make a take ready beside everything else that its user has running or queued', async () => {
      const gate = Promise.withResolvers<undefined>();
      const started: string[] = [];
      const waiting = (kind: string) => async (): Promise<void> => {
        started.push(kind);
        await gate.promise;
      };
      await enqueueFor('ann', 208, 'import');
      await enqueueFor('ann', 1, 'transcript');
      runnerOf(
        [
          { kind: 'import', lane: 'long', run: waiting('import') },
          { kind: 'transcript', lane: 'background', run: waiting('transcript') },
          { kind: 'take', lane: 'normal', run: waiting('take') },
        ],
        { pollMs: 5 },
      ).start();
      await expect
        .poll(() => started.toSorted((a, b) => a.localeCompare(b)))
        .toEqual(['import', 'transcript']);
      await enqueueFor('ann', 1, 'take');
      await expect.poll(() => started.at(-1)).toBe('take');
      gate.resolve(undefined);
    });

    it('leave the last slot for takes to another user', async () => {
      const gate = Promise.withResolvers<undefined>();
      const started: unknown[] = [];
      await enqueueFor('ann', 5);
      runnerOf(
        [
          {
            kind: 'note',
            lane: 'normal',
            run: async ({ payload }) => {
              started.push(payload);
              await gate.promise;
            },
          },
        ],
        { pollMs: 5 },
      ).start();
      await expect.poll(() => started).toEqual(['ann', 'ann']);
      await enqueueFor('bob', 1);
      await expect.poll(() => started).toEqual(['ann', 'ann', 'bob']);
      gate.resolve(undefined);
    });

    it('take turns in each lane, whatever is run for them in another', async () => {
      const runner = runnerOf([
        { kind: 'slice', lane: 'background', run: () => Promise.resolve() },
        {
          kind: 'import',
          lane: 'long',
          run: async ({ payload }) => {
            done.push(payload);
          },
        },
      ]);
      await enqueueFor('bob', 1, 'import');
      await runner.runDue();
      clock.advance(second);
      await enqueueFor('ann', 1, 'slice');
      await runner.runDue();
      clock.advance(second);
      await enqueueFor('bob', 1, 'import');
      await enqueueFor('ann', 1, 'import');
      await runner.runDue();
      expect(done).toEqual(['bob', 'ann', 'bob']);
    });

    it('without a user take turns by kind, beside users', async () => {
      await enqueueFor('ann', 2, 'judge');
      clock.advance(1);
      for (let index = 0; index < 3; index += 1)
        await queue.enqueue(database.queries, { kind: 'verify', payload: 'verify' });
      const run: JobHandler['run'] = async ({ payload }) => {
        done.push(payload);
        clock.advance(1);
      };
      await runnerOf([
        { kind: 'judge', lane: 'background', run },
        { kind: 'verify', lane: 'background', run },
      ]).runDue();
      expect(done).toEqual(['ann', 'verify', 'ann', 'verify', 'verify']);
    });

    it('that exceed their time limit are aborted and set aside', async () => {
      await enqueueFor('ann', 1);
      const setAside: unknown[] = [];
      const endless: JobHandler = {
        kind: 'note',
        lane: 'long',
        budgetMs: 1,
        onSetAside: async (payload) => {
          setAside.push(payload);
        },
        run: (_job, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(new Error('stopped'));
            });
          }),
      };
      await runnerOf([endless]).runDue();
      expect([setAside, await rows()]).toMatchObject([
        ['ann'],
        [{ state: 'failed', error: expect.stringContaining('budget') }],
      ]);
    });
  });

  describe('a job that continues itself', () => {
    const sliced = (slices: number): JobHandler => ({
      kind: 'sliced',
      lane: 'background',
      run: async () => {
        done.push('slice');
        clock.advance(1);
        return done.filter((each) => each === 'slice').length < slices ? 'again' : undefined;
      },
    });

    it('stays the same job, so that no second one of its key is queued', async () => {
      const enqueue = () =>
        queue.enqueue(database.queries, { kind: 'sliced', payload: null, dedupeKey: 'one' });
      const outcomes: string[] = [];
      await enqueue();
      const handler = sliced(3);
      const runner = runnerOf(
        [
          {
            ...handler,
            run: async (job, context) => {
              await enqueue();
              return handler.run(job, context);
            },
          },
        ],
        {
          onEnded: ({ outcome }) => {
            outcomes.push(outcome);
          },
        },
      );
      expect(await runner.runDue()).toBe(3);
      expect(outcomes).toEqual(['again', 'again', 'done']);
      expect(await rows()).toMatchObject([{ state: 'done', attempts: 1 }]);
    });

    it('lets the others of its lane have their turn between two parts', async () => {
      await queue.enqueue(database.queries, { kind: 'sliced', payload: null });
      await queue.enqueue(database.queries, { kind: 'note', payload: 'other' });
      await runnerOf([sliced(3), { ...noting, lane: 'background' }]).runDue();
      expect(done.indexOf('other')).toBeLessThan(2);
      expect(done).toHaveLength(4);
    });

    it('is not set aside because of restarts, as long as it makes progress', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: null });
      const lanes = new JobLanes([noting]).claimable([]);
      for (let death = 1; death <= 5; death += 1) {
        const crashing = new JobLeases({
          database,
          time: timeOf(clock),
          owner: `crashing ${death}`,
          leaseMs: minute,
          random: () => 0,
        });
        const job = await crashing.claim(lanes);
        if (job === null) throw new Error('the job was set aside');
        await crashing.progressed(job);
        clock.advance(minute);
      }
      expect(await rows()).toMatchObject([{ state: 'running', deaths: 0, attempts: 0 }]);
      expect(await runnerOf([noting]).runDue()).toBe(1);
      expect(await rows()).toMatchObject([{ state: 'done' }]);
    });

    it('starts to count attempts again after progress', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: null });
      const attempts: number[] = [];
      const runner = runnerOf([
        {
          kind: 'note',
          run: async (job, { progressed }) => {
            attempts.push(job.attempts);
            if (attempts.length === 2) await progressed();
            throw new Error('not yet');
          },
        },
      ]);
      for (let run = 0; run < 4; run += 1) {
        await runner.runDue();
        clock.advance(hour);
      }
      expect(attempts).toEqual([1, 2, 1, 2]);
    });
  });
});
