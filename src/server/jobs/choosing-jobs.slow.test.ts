import fc from 'fast-check';
import { expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { timeOf } from '#server/storage/database/database-time.ts';
import { createJobQueue } from './database-job-queue.ts';
import { JobLanes, laneLimits } from './job-lanes.ts';
import { type HeldJob, JobLeases } from './job-leases.ts';
import type { JobLane } from './job-queue.ts';

const kinds = {
  mail: 'short',
  remove: 'short',
  take: 'normal',
  import: 'long',
  export: 'long',
  verify: 'background',
  transcribe: 'background',
} as const satisfies Record<string, JobLane>;
type Kind = keyof typeof kinds;
const allKinds = Object.keys(kinds) as Kind[];
const handlers = allKinds.map((kind) => ({ kind, lane: kinds[kind] }));
const users = ['ann', 'bob', 'eve'];

const step = fc.oneof(
  fc.record({
    enqueue: fc.constantFrom(...allKinds),
    user: fc.option(fc.constantFrom(...users), { nil: undefined }),
    priority: fc.constantFrom(0, 1),
  }),
  // Which of the running jobs ends, and whether it has work left.
  fc.record({ end: fc.nat(20), isLeft: fc.boolean() }),
);

interface Waiting {
  kind: Kind;
  user: string | undefined;
}

eachDatabase((_name, open) => {
  async function runner() {
    const database = await open();
    const clock = fakeClock();
    const queue = createJobQueue({ clock });
    let state = 1;
    // Park and Miller's generator: the same numbers in every run.
    const lanes = new JobLanes(handlers, () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647);
    const leases = new JobLeases({
      database,
      time: timeOf(clock),
      owner: 'one',
      leaseMs: minute * 1e6,
      random: () => 0,
    });
    let running: (HeldJob & { user: string | undefined })[] = [];
    const users = new Map<string, string | undefined>();
    const started: string[] = [];
    return {
      started,
      running: () => running,
      clear: async () => {
        running = [];
        await database.queries.deleteFrom('jobs').execute();
        await database.queries.deleteFrom('job_lane_turns').execute();
      },
      async enqueue({ kind, user, priority }: Waiting & { priority: number }) {
        clock.advance(1);
        await queue.enqueue(database.queries, {
          kind,
          payload: null,
          priority,
          ...(user === undefined ? {} : { userId: user }),
        });
      },
      /** Claims as a runner does: until no lane has a free slot with a job. */
      async fill() {
        for (;;) {
          clock.advance(1);
          const job = await leases.claim(lanes.claimable(running.map(({ kind }) => kind)));
          if (job === null) return;
          const { user_id: userId } = await database.queries
            .selectFrom('jobs')
            .select('user_id')
            .where('id', '=', job.id)
            .executeTakeFirstOrThrow();
          started.push(`${job.kind} ${userId ?? ''}`.trim());
          users.set(job.id, userId ?? undefined);
          running.push({ ...job, user: userId ?? undefined });
        }
      },
      async end(index: number, isLeft: boolean) {
        const job = running[index % Math.max(1, running.length)];
        if (job === undefined) return;
        clock.advance(1);
        running = running.filter(({ id }) => id !== job.id);
        expect(await (isLeft ? leases.continueLater(job) : leases.complete(job))).toBe(true);
      },
      waiting: async (): Promise<Waiting[]> =>
        (
          await database.queries
            .selectFrom('jobs')
            .select(['kind', 'user_id'])
            .where('state', '=', 'queued')
            .execute()
        ).map(({ kind, user_id: user }) => ({ kind: kind as Kind, user: user ?? undefined })),
    };
  }

  it('a job waits only for jobs of its own lane, and no limit is exceeded', async () => {
    const one = await runner();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await one.clear();
        for (const each of steps) {
          if ('enqueue' in each) await one.enqueue({ ...each, kind: each.enqueue });
          else await one.end(each.end, each.isLeft);
          await one.fill();
          const count = (matches: (job: { kind: string; user: string | undefined }) => boolean) =>
            one.running().filter(matches).length;
          const inLane = (lane: JobLane) => count(({ kind }) => kinds[kind as Kind] === lane);
          const ofUser = (lane: JobLane, user: string) =>
            count((job) => kinds[job.kind as Kind] === lane && job.user === user);
          for (const lane of Object.keys(laneLimits) as JobLane[]) {
            const { slots, perUser } = laneLimits[lane];
            expect(inLane(lane)).toBeLessThanOrEqual(slots);
            for (const user of users) expect(ofUser(lane, user)).toBeLessThanOrEqual(perUser ?? Infinity);
          }
          for (const { kind, user } of await one.waiting()) {
            const lane = kinds[kind];
            const { slots, perKind, perUser } = laneLimits[lane];
            expect(
              inLane(lane) === slots ||
                count((job) => job.kind === kind) === perKind ||
                (user !== undefined && perUser !== null && ofUser(lane, user) === perUser),
            ).toBe(true);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('no job waits for ever beside any number of jobs of higher priority and of other users', async () => {
    const one = await runner();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...allKinds),
        fc.option(fc.constantFrom(...users), { nil: undefined }),
        fc.array(
          fc.record({
            kind: fc.constantFrom(...allKinds),
            user: fc.constantFrom('bob', 'eve'),
            end: fc.nat(20),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async (kind, user, others) => {
          await one.clear();
          const awaited = `${kind} ${user ?? ''}`.trim();
          const rivals = others.filter((other) => `${other.kind} ${other.user}` !== awaited);
          const fillLane = async () => {
            for (const rival of rivals) await one.enqueue({ ...rival, priority: 1 });
          };
          for (let round = 0; round < 3; round += 1) await fillLane();
          await one.fill();
          one.started.length = 0;
          await one.enqueue({ kind, user, priority: 0 });
          // Each job that ends is replaced, so the queue of the others never becomes empty.
          for (let ended = 0; !one.started.includes(awaited); ended += 1) {
            await one.fill();
            if (one.started.includes(awaited)) break;
            expect(ended).toBeLessThan(400);
            await fillLane();
            await one.end(ended, false);
          }
        },
      ),
      { numRuns: 10 },
    );
  }, 60_000);
});
