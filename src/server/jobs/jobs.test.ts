import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { day, hour, minute, second } from '#base/duration.ts';
import { slowJob } from '#tests/support/slow-job.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts';
import { databaseTime, timeOf } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { jobBackOffMs, JobLeases } from './job-leases.ts';
import { JobLanes, laneLimits } from './job-lanes.ts';
import { createJobQueue, type WakingJobQueue } from './database-job-queue.ts';
import type { JobHandler } from './job-queue.ts';
import { JobRunner, type JobRunnerOptions } from './job-runner.ts';

const never = new Promise<never>(() => undefined);

describe('back-off', () => {
  it('doubles from a second to an hour', () => {
    expect([1, 2, 3, 4, 10].map((attempts) => jobBackOffMs(attempts, 0))).toEqual([
      1000, 2000, 4000, 8000, 512_000,
    ]);
    expect(jobBackOffMs(40, 0)).toBe(hour);
  });

  it('spreads by a fifth', () => {
    expect(jobBackOffMs(4, 1)).toBe(9600);
  });
});

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

  describe('a queue', () => {
    it('passes the payload on and marks the job as done', async () => {
      await queue.enqueue(database.queries, {
        kind: 'note',
        payload: { recordingId: 'a', nested: [1, null] },
      });
      expect(await runnerOf([noting]).runDue()).toBe(1);
      expect(done).toEqual([{ recordingId: 'a', nested: [1, null] }]);
      expect(await rows()).toMatchObject([{ state: 'done', attempts: 1, owner: null, lease_until: null }]);
    });

    it('postpones a job that finds no space, however often, without counting an attempt', async () => {
      let isPossible = false;
      const outcomes: string[] = [];
      const waiting: JobHandler = {
        kind: 'note',
        run: async ({ payload }) => {
          if (isPossible) done.push(payload);
          else
            throw new Error('the sound cannot be stored', {
              cause: Object.assign(new Error('full'), { code: 'EDQUOT' }),
            });
        },
      };
      const runner = runnerOf([waiting], {
        onEnded: ({ outcome }) => {
          outcomes.push(outcome);
        },
      });
      await queue.enqueue(database.queries, { kind: 'note', payload: 'later' });
      for (let run = 0; run < 20; run += 1) {
        expect([await runner.runDue(), await runner.runDue()]).toEqual([1, 0]);
        clock.advance(minute);
      }
      expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }]);
      isPossible = true;
      await runner.runDue();
      expect([done, new Set(outcomes)]).toEqual([['later'], new Set(['postponed', 'done'])]);
    });

    it('has a job exactly if the transaction that enqueued it was committed', async () => {
      await database.transaction((transaction) =>
        queue.enqueue(transaction, { kind: 'note', payload: 'kept' }),
      );
      await expect(
        database.transaction(async (transaction) => {
          await queue.enqueue(transaction, { kind: 'note', payload: 'undone' });
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      await runnerOf([noting]).runDue();
      expect(done).toEqual(['kept']);
    });

    it('runs higher priority first, then the job that has been due longest', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: 'later' });
      await queue.enqueue(database.queries, {
        kind: 'note',
        payload: 'first due',
        runAtMs: clock.nowMs() - minute,
      });
      await queue.enqueue(database.queries, { kind: 'note', payload: 'urgent', priority: 5 });
      await runnerOf([noting]).runDue();
      expect(done).toEqual(['urgent', 'first due', 'later']);
    });

    it('holds a job until its time', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: 1, runAtMs: clock.nowMs() + hour });
      const runner = runnerOf([noting]);
      expect(await runner.runDue()).toBe(0);
      clock.advance(hour);
      expect(await runner.runDue()).toBe(1);
    });

    it('ignores kinds that this runner has no handler for', async () => {
      await queue.enqueue(database.queries, { kind: 'of-a-newer-version', payload: 1 });
      expect(await runnerOf([noting]).runDue()).toBe(0);
    });

    it('has one live job per kind and key, and accepts the next when it has ended', async () => {
      const ask = () =>
        queue.enqueue(database.queries, { kind: 'note', payload: 1, dedupeKey: 'recording-a' });
      await Promise.all([ask(), ask(), ask()]);
      await queue.enqueue(database.queries, { kind: 'note', payload: 2, dedupeKey: 'recording-b' });
      const runner = runnerOf([noting]);
      expect(await runner.runDue()).toBe(2);
      await ask();
      expect(await runner.runDue()).toBe(1);
    });

    it('leaves the transaction intact when it enqueues a job twice', async () => {
      await database.transaction(async (transaction) => {
        await queue.enqueue(transaction, { kind: 'note', payload: 1, dedupeKey: 'a' });
        await queue.enqueue(transaction, { kind: 'note', payload: 1, dedupeKey: 'a' });
      });
      expect(await rows()).toHaveLength(1);
    });
  });

  describe('a failing job', () => {
    const failing: JobHandler = {
      kind: 'fail',
      run: () => Promise.reject(new TypeError('unreadable page at 17')),
    };

    it('waits longer after each failure, and fails after ten attempts with its error stored', async () => {
      await queue.enqueue(database.queries, { kind: 'fail', payload: null });
      const runner = runnerOf([failing]);
      const waits: number[] = [];
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        expect(await runner.runDue()).toBe(1);
        expect(await runner.runDue()).toBe(0);
        const [row] = await rows();
        if (row?.state === 'queued') waits.push(row.run_at - clock.nowMs());
        clock.advance(hour);
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * second));
      expect(await rows()).toMatchObject([
        { state: 'failed', attempts: 10, error: 'TypeError: unreadable page at 17' },
      ]);
    });

    it('does not delay other jobs', async () => {
      await queue.enqueue(database.queries, { kind: 'fail', payload: null });
      await queue.enqueue(database.queries, { kind: 'note', payload: 'fine' });
      await runnerOf([failing, noting]).runDue();
      expect(done).toEqual(['fine']);
    });

    it('that throws synchronously is treated like one that rejects', async () => {
      await queue.enqueue(database.queries, { kind: 'throw', payload: null });
      await runnerOf([
        {
          kind: 'throw',
          run: () => {
            throw new Error('at once');
          },
        },
      ]).runDue();
      expect(await rows()).toMatchObject([{ state: 'queued', error: 'Error: at once' }]);
    });
  });

  describe('several runners', () => {
    it('never run one job twice', async () => {
      for (let index = 0; index < 60; index += 1)
        await queue.enqueue(database.queries, { kind: 'note', payload: index });
      const runners = Array.from({ length: 6 }, () => runnerOf([noting]));
      const counts = await Promise.all(runners.map((runner) => runner.runDue()));
      expect(counts.reduce((sum, count) => sum + count)).toBe(60);
      expect(done.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 60 }, (_, index) => index),
      );
    });

    it('run each job once while their clocks differ by twenty minutes', async ({ skip }) => {
      if (database.dialect === 'sqlite') skip('SQLite has one server, and so one clock');
      const runs: unknown[] = [];
      const holding = Promise.withResolvers<undefined>();
      const handlers: JobHandler[] = [
        {
          kind: 'held',
          run: async ({ payload }) => {
            runs.push(payload);
            await holding.promise;
          },
        },
        {
          kind: 'scheduled',
          run: async () => {
            runs.push('scheduled');
          },
        },
      ];
      const servers = [-10 * minute, 10 * minute].map((byMs) => {
        const own = {
          clock: { nowMs: () => systemClock.nowMs() + byMs },
          time: databaseTime(database, systemClock),
        };
        const runner = runnerOf(handlers, { ...own, pollMs: 5 });
        runner.schedule('scheduled', day);
        return { ...own, runner, queue: createJobQueue(own) };
      });
      for (const [index, server] of servers.entries()) {
        const { queue: ownQueue, clock: ownClock } = server;
        await ownQueue.enqueue(database.queries, { kind: 'held', payload: `held ${index}` });
        const runAtMs = ownClock.nowMs() + minute;
        await ownQueue.enqueue(database.queries, { kind: 'held', payload: 'early', runAtMs });
      }
      for (const { runner } of servers) runner.start();
      await expect.poll(() => runs.length).toBe(3);
      // A whole round of each server, which would claim what looks expired or due.
      for (const { runner } of servers) expect(await runner.runDue()).toBe(0);
      holding.resolve(undefined);
      await expect
        .poll(async () => (await rows()).map(({ state, fence }) => `${state} ${fence}`).toSorted())
        .toEqual(['done 1', 'done 1', 'done 1', 'queued 0', 'queued 0']);
      expect(new Set(runs)).toEqual(new Set(['held 0', 'held 1', 'scheduled']));
      expect(runs).toHaveLength(3);
    });

    it('take over the job of a crashed one once its lease has expired', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: 'orphan' });
      const crashed = new JobLeases({
        database,
        time: timeOf(clock),
        owner: 'crashed',
        leaseMs: minute,
        random: () => 0,
      });
      const held = await crashed.claim(new JobLanes([noting]).claimable([]));
      const runner = runnerOf([noting]);
      clock.advance(minute - 1);
      expect(await runner.runDue()).toBe(0);
      clock.advance(1);
      expect(await runner.runDue()).toBe(1);
      if (held === null) throw new Error('nothing was claimed');
      expect(await crashed.complete(held)).toBe(false);
      expect(await crashed.extend(held)).toBe(false);
      expect(await crashed.fail(held, new Error('late'))).toBe('lost');
      expect(await rows()).toMatchObject([{ state: 'done', attempts: 2, fence: 2 }]);
    });

    it('set aside a job that crashed two processes, and report it once', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: 'deadly' });
      for (let death = 1; death <= 2; death += 1) {
        const crashing = new JobLeases({
          database,
          time: timeOf(clock),
          owner: `crashing ${death}`,
          leaseMs: minute,
          random: () => 0,
        });
        expect(await crashing.claim(new JobLanes([noting]).claimable([]))).not.toBeNull();
        clock.advance(minute);
      }
      const [setAside, outcomes]: [unknown[], string[]] = [[], []];
      const runner = runnerOf(
        [
          {
            ...noting,
            onSetAside: async (payload) => {
              setAside.push(payload);
            },
          },
        ],
        {
          onEnded: ({ outcome }) => {
            outcomes.push(outcome);
          },
        },
      );
      expect([await runner.runDue(), await runner.runDue()]).toEqual([0, 0]);
      expect(await rows()).toMatchObject([
        { state: 'failed', attempts: 2, deaths: 2, error: 'the server ended while this job ran' },
      ]);
      expect([done, setAside, outcomes]).toEqual([[], ['deadly'], ['set-aside']]);
    });

    it('set aside a crashing job after notifying its handler, even if that throws, and run the others', async () => {
      await queue.enqueue(database.queries, { kind: 'deadly', payload: null });
      for (let death = 1; death <= 2; death += 1) {
        await new JobLeases({
          database,
          time: timeOf(clock),
          owner: `crashing ${death}`,
          leaseMs: minute,
          random: () => 0,
        }).claim(new JobLanes([{ kind: 'deadly' }]).claimable([]));
        clock.advance(minute);
      }
      await queue.enqueue(database.queries, { kind: 'note', payload: 'fine' });
      const [states, errors]: [string[], unknown[]] = [[], []];
      const deadly: JobHandler = {
        kind: 'deadly',
        run: async () => undefined,
        onSetAside: async () => {
          states.push(...(await rows()).map(({ kind, state }) => `${kind} ${state}`));
          throw new Error('unreadable');
        },
      };
      await runnerOf([deadly, noting], {
        onError: (error) => {
          errors.push(error);
        },
      }).runDue();
      expect([states, errors, done]).toEqual([
        ['deadly running', 'note queued'],
        [new Error('unreadable')],
        ['fine'],
      ]);
      expect((await rows()).map(({ kind, state }) => [kind, state])).toEqual([
        ['deadly', 'failed'],
        ['note', 'done'],
      ]);
    });

    it('retry a job that crashed one process', async () => {
      await queue.enqueue(database.queries, { kind: 'note', payload: 'unlucky' });
      await new JobLeases({
        database,
        time: timeOf(clock),
        owner: 'crashing',
        leaseMs: minute,
        random: () => 0,
      }).claim(new JobLanes([noting]).claimable([]));
      clock.advance(minute);
      expect(await runnerOf([noting]).runDue()).toBe(1);
      expect(await rows()).toMatchObject([{ state: 'done', deaths: 1 }]);
    });

    it('abort a job whose lease is lost, and let the new holder finish', async () => {
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const ended = Promise.withResolvers<string>();
      const slow = slowJob();
      // A clock that is an hour behind, so that its leases have expired for all other runners.
      const behind = { nowMs: () => clock.nowMs() - hour };
      runnerOf([slow.handler], {
        clock: behind,
        leaseMs: 3000,
        pollMs: 5,
        onEnded: ({ outcome }) => {
          ended.resolve(outcome);
        },
      }).start();
      clock.advance(hour);
      await slow.started;
      clock.advance(hour);
      const another = runnerOf([
        {
          kind: 'slow',
          run: async () => {
            done.push('by another');
          },
        },
      ]);
      // A row that is being written, for example by the first runner's heartbeat, is skipped until the next poll.
      await expect.poll(() => another.runDue()).toBe(1);
      expect(await ended.promise).toBe('lost');
      expect(done).toEqual(['by another']);
      expect(await rows()).toMatchObject([{ state: 'done' }]);
    });

    it('extend a lease for as long as the job runs', async () => {
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const finish = Promise.withResolvers<undefined>();
      const runner = runnerOf([{ kind: 'slow', run: () => finish.promise }], { leaseMs: 600 });
      runner.start();
      await expect.poll(async () => (await rows())[0]?.state).toBe('running');
      const before = (await rows())[0]?.lease_until ?? 0;
      clock.advance(20);
      await expect.poll(async () => (await rows())[0]?.lease_until).toBe(before + 20);
      finish.resolve(undefined);
      await expect.poll(async () => (await rows())[0]?.state).toBe('done');
    });
  });

  describe('a started runner', () => {
    it('runs a new job without waiting for the poll when woken, even from inside a transaction', async () => {
      const ended = Promise.withResolvers<string>();
      const runner = runnerOf([noting], {
        pollMs: hour,
        onEnded: ({ outcome }) => {
          ended.resolve(outcome);
        },
        onError: (error) => {
          ended.reject(error);
        },
      });
      runner.start();
      await database.transaction(async (transaction) => {
        await queue.enqueue(transaction, { kind: 'note', payload: 'woken' });
        queue.wake();
      });
      queue.wake();
      expect(await ended.promise).toBe('done');
    });

    it('finds jobs by polling when it is not woken', async () => {
      const ended = Promise.withResolvers<string>();
      runnerOf([noting], {
        pollMs: 5,
        onEnded: ({ outcome }) => {
          ended.resolve(outcome);
        },
      }).start();
      await createJobQueue({ clock }).enqueue(database.queries, { kind: 'note', payload: 'found' });
      expect(await ended.promise).toBe('done');
    });

    it('runs no more jobs than its lane has slots, and eventually all of them', async () => {
      let now = 0;
      let max = 0;
      const all = Promise.withResolvers<undefined>();
      const counting: JobHandler = {
        kind: 'count',
        run: async ({ payload }) => {
          now += 1;
          max = Math.max(max, now);
          await database.ping();
          now -= 1;
          done.push(payload);
          if (done.length === 12) all.resolve(undefined);
        },
      };
      for (let index = 0; index < 12; index += 1)
        await queue.enqueue(database.queries, { kind: 'count', payload: index });
      runnerOf([counting], { pollMs: hour }).start();
      await all.promise;
      expect(max).toBeLessThanOrEqual(laneLimits.short.perKind);
      expect(new Set(done).size).toBe(12);
    });

    it('leaves a slot to other jobs, however many long jobs wait', async () => {
      const [gate, quickly] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      let [now, max] = [0, 0];
      const long: JobHandler = {
        kind: 'long',
        lane: 'long',
        run: async () => {
          now += 1;
          max = Math.max(max, now);
          await gate.promise;
          now -= 1;
        },
      };
      const quick: JobHandler = {
        kind: 'quick',
        run: async () => {
          quickly.resolve(undefined);
        },
      };
      for (let index = 0; index < 5; index += 1)
        await queue.enqueue(database.queries, { kind: 'long', payload: index });
      const ended = Promise.withResolvers<undefined>();
      let endedCount = 0;
      runnerOf([long, quick], {
        pollMs: 5,
        onEnded: () => {
          endedCount += 1;
          if (endedCount === 6) ended.resolve(undefined);
        },
      }).start();
      await expect.poll(() => now).toBe(2);
      await queue.enqueue(database.queries, { kind: 'quick', payload: null });
      await quickly.promise;
      gate.resolve(undefined);
      await ended.promise;
      expect(max).toBe(2);
    });

    it('runs long jobs even with a single slot, if there are no others', async () => {
      const ended = Promise.withResolvers<undefined>();
      for (let index = 0; index < 2; index += 1)
        await queue.enqueue(database.queries, { kind: 'note', payload: index });
      runnerOf([{ ...noting, lane: 'long' }], {
        pollMs: 5,
        onEnded: () => {
          if (done.length === 2) ended.resolve(undefined);
        },
      }).start();
      await ended.promise;
      expect(new Set(done)).toEqual(new Set([0, 1]));
    });

    it('continues after the database was unavailable', async () => {
      const ended = Promise.withResolvers<undefined>();
      const errors: unknown[] = [];
      let away = true;
      const flaky = new Proxy(database, {
        get: (target, key) => {
          if (away && key === 'queries') throw new Error('away');
          return Reflect.get(target, key) as unknown;
        },
      });
      await queue.enqueue(database.queries, { kind: 'note', payload: 1 });
      runnerOf([noting], {
        database: flaky,
        pollMs: 5,
        onError: (error) => {
          errors.push(error);
          away = false;
        },
        onEnded: () => {
          ended.resolve(undefined);
        },
      }).start();
      await ended.promise;
      expect(errors).toHaveLength(1);
    });
  });

  describe('stopping', () => {
    it('finishes the running job and claims no other', async () => {
      const started = Promise.withResolvers<undefined>();
      const finish = Promise.withResolvers<undefined>();
      const slow: JobHandler = {
        kind: 'slow',
        run: async () => {
          started.resolve(undefined);
          await finish.promise;
          done.push('finished');
        },
      };
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const runner = runnerOf([slow]);
      runner.start();
      await started.promise;
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const stopped = runner.stop();
      finish.resolve(undefined);
      await stopped;
      expect(done).toEqual(['finished']);
      expect((await rows()).map((row) => row.state).toSorted()).toEqual(['done', 'queued']);
    });

    it('returns unfinished jobs to the queue without counting the attempt', async () => {
      const started = Promise.withResolvers<undefined>();
      const slow: JobHandler = {
        kind: 'slow',
        run: (_job, { signal }) => {
          started.resolve(undefined);
          return Promise.race([
            never,
            new Promise<never>((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                reject(new Error('stopping'));
              });
            }),
          ]);
        },
      };
      await queue.enqueue(database.queries, { kind: 'slow', payload: null });
      const runner = runnerOf([slow]);
      runner.start();
      await started.promise;
      await runner.stop({ graceMs: 0 });
      expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0, owner: null, error: null }]);
    });
  });

  describe('a schedule', () => {
    it('runs its job once per slot, for all runners together', async () => {
      const runners = [runnerOf([noting]), runnerOf([noting])];
      for (const runner of runners) runner.schedule('note', hour);
      const runAll = async () => {
        for (const runner of runners) await runner.runDue();
      };
      await runAll();
      await runAll();
      expect(done).toHaveLength(1);
      clock.advance(hour);
      await Promise.all(runners.map((runner) => runner.runDue()));
      expect(done).toHaveLength(2);
    });

    it('enqueues no second job while the last one is waiting', async () => {
      const failing = runnerOf([{ kind: 'note', run: () => Promise.reject(new Error('not today')) }]);
      failing.schedule('note', second);
      await failing.runDue();
      clock.advance(500);
      await failing.runDue();
      clock.advance(500);
      await failing.runDue();
      expect(await rows()).toHaveLength(1);
    });

    it('rejects a kind without a handler', () => {
      expect(() => {
        runnerOf([noting]).schedule('unknown', hour);
      }).toThrow(TypeError);
    });
  });

  it('deletes jobs that were done a week ago', async () => {
    await queue.enqueue(database.queries, { kind: 'note', payload: 1 });
    const runner = runnerOf([noting]);
    await runner.runDue();
    clock.advance(7 * day + 1);
    await runner.runDue();
    expect(await rows()).toEqual([]);
  });
});
