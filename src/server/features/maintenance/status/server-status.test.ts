import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { runJob } from '#tests/support/run-job.ts';
import { day, hour, minute, second } from '#base/duration.ts';
import type { ServerStatus } from '#contract/server-status-api.ts';
import { answerOf, accountsUnderTest, rejection, signUp } from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { createVerification } from '#server/features/maintenance/create-verification.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { timeOf } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { createNodeStore, type NodeFacts } from './node-store.ts';
import { NodeHeartbeat } from './node-heartbeat.ts';
import { factReader } from './fact-reader.ts';
import { countJobs } from './job-counts.ts';

/** A node of its own with the clock of the database, unless it has another. */
function nodeOn(
  database: Database,
  clock: FakeClock,
  { ownClock = clock, ...facts }: Partial<Omit<NodeFacts, 'build'>> & { ownClock?: FakeClock } = {},
) {
  let isDraining = false;
  const store = createNodeStore(database, timeOf(clock));
  const id = randomUUID();
  const heartbeat = new NodeHeartbeat({
    store,
    clock: ownClock,
    hasOtherClock: true,
    node: { id, host: id, place: id, role: 'web', version: '1.0.0', backup_every_ms: null, ...facts },
    build: async () => 'aaaaaaaa',
    dataDir: tmpdir(),
    isDraining: () => isDraining,
  });
  return {
    id,
    beat: () => heartbeat.beat(),
    stop: () => heartbeat.stop(),
    drain() {
      isDraining = true;
    },
  };
}

eachDatabase((_name, open) => {
  async function underTest() {
    const under = await accountsUnderTest(await open());
    const { browser: admin } = await signUp(under);
    const status = async (): Promise<ServerStatus> =>
      answerOf<ServerStatus>(await admin.send('GET', '/api/admin/status'));
    return { under, status, nodes: async () => (await status()).nodes.value?.items ?? [] };
  }

  it('answers administrators alone, and lets nothing store the answer', async () => {
    const under = await accountsUnderTest(await open());
    const { browser: admin } = await signUp(under);
    const { browser: member } = await signUp(under);
    const response = await admin.send('GET', '/api/admin/status');
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(rejection(await member.send('GET', '/api/admin/status')).code).toBe('forbidden');
    expect(rejection(await under.browser().send('GET', '/api/admin/status')).status).toBe(401);
  });

  it('shows what each node last wrote, until a minute passes without a heartbeat', async () => {
    const { under, nodes } = await underTest();
    const node = nodeOn(under.database, under.clock, { host: 'one', role: 'worker' });
    await node.beat();
    under.clock.advance(30 * second);
    expect(await nodes()).toMatchObject([
      {
        host: 'one',
        isThis: false,
        role: 'worker',
        version: '1.0.0',
        build: 'aaaaaaaa',
        state: 'running',
        heartbeatAgeMs: 30 * second,
        disk: { freeBytes: expect.any(Number) },
      },
    ]);
    node.drain();
    await node.beat();
    expect(await nodes()).toMatchObject([{ state: 'draining', heartbeatAgeMs: 0 }]);
    under.clock.advance(3 * minute);
    expect(await nodes()).toMatchObject([{ state: 'silent', heartbeatAgeMs: 3 * minute }]);
  });

  it('forgets a node that stopped, one that was silent for a day, and one that was restarted after a crash', async () => {
    const { under, nodes } = await underTest();
    const [stopped, lost, crashed] = [
      nodeOn(under.database, under.clock),
      nodeOn(under.database, under.clock),
      nodeOn(under.database, under.clock, { place: 'one:/data' }),
    ];
    for (const node of [stopped, lost, crashed]) await node.beat();
    await stopped.stop();
    expect((await nodes()).map(({ id }) => id).sort()).toEqual([lost.id, crashed.id].sort());
    const restarted = nodeOn(under.database, under.clock, { place: 'one:/data' });
    under.clock.advance(minute + second);
    await restarted.beat();
    expect((await nodes()).map(({ id }) => id).sort()).toEqual([lost.id, restarted.id].sort());
    under.clock.advance(day);
    await restarted.beat();
    expect((await nodes()).map(({ id }) => id)).toEqual([restarted.id]);
  });

  it('measures how far the clock of a node is ahead of the database’s', async () => {
    const { under, nodes } = await underTest();
    const ownClock = fakeClock();
    ownClock.advance(under.clock.nowMs() - ownClock.nowMs() + 10 * minute);
    await nodeOn(under.database, under.clock, { ownClock }).beat();
    const [node] = await nodes();
    expect(node?.clockAheadMs).toBeGreaterThan(9 * minute);
    expect(node?.clockAheadMs).toBeLessThanOrEqual(10 * minute);
  });

  it('lists a hundred nodes and says how many there are', async () => {
    const { under, status } = await underTest();
    await nodeOn(under.database, under.clock).beat();
    const [row] = await under.database.queries.selectFrom('nodes').selectAll().execute();
    if (row === undefined) throw new Error('no node');
    await under.database.queries
      .insertInto('nodes')
      .values(Array.from({ length: 100 }, () => ({ ...row, id: randomUUID() })))
      .execute();
    const { nodes, isComplete } = await status();
    expect([nodes.value?.items.length, nodes.value?.totalCount, isComplete]).toEqual([100, 101, false]);
  });

  it('knows of overdue backups that another node schedules', async () => {
    const { under, status } = await underTest();
    await nodeOn(under.database, under.clock, { backup_every_ms: hour }).beat();
    await under.database.queries
      .insertInto('backups')
      .values({
        id: randomUUID(),
        target: '/backups',
        state: 'done',
        owner: '',
        is_scheduled: 1,
        started_at: under.clock.nowMs() - 3 * hour,
        lease_until: 0,
        ended_at: 0,
        error: null,
        size_bytes: 1,
        copied_bytes: 1,
        damaged_count: 0,
        verified_at: null,
      })
      .execute();
    const { backups, warnings } = await status();
    expect(backups.value).toMatchObject({ everyMs: hour, isOverdue: true, newest: { place: '/backups' } });
    expect(warnings).toContainEqual({ code: 'backup-overdue' });
  });

  it('counts jobs by kind and state, and how long the oldest has been due', async () => {
    const [database, clock] = [await open(), fakeClock()];
    const queue = createJobQueue({ clock });
    await queue.enqueue(database.queries, { kind: 'a', payload: null });
    clock.advance(minute);
    await queue.enqueue(database.queries, { kind: 'a', payload: null });
    await queue.enqueue(database.queries, { kind: 'b', payload: null, runAtMs: clock.nowMs() + hour });
    await queue.enqueue(database.queries, { kind: 'c', payload: null });
    await database.queries.updateTable('jobs').set({ state: 'failed' }).where('kind', '=', 'c').execute();
    expect(await countJobs(database, timeOf(clock))).toEqual({
      kinds: [
        { kind: 'a', waiting: 2, later: 0, running: 0, failed: 0 },
        { kind: 'b', waiting: 0, later: 1, running: 0, failed: 0 },
        { kind: 'c', waiting: 0, later: 0, running: 0, failed: 1 },
      ],
      oldestWaitingMs: minute,
    });
  });

  it('knows when every stored stream was last verified, not before a pass has completed', async () => {
    const [database, clock] = [await open(), fakeClock()];
    const verification = createVerification({
      database,
      clock,
      blobs: new MemoryBlobStore(),
      announce: { recordingChanged: () => undefined },
      onVerified: () => undefined,
    });
    const run = async (recordingId?: string) => {
      const signal = new AbortController().signal;
      for await (const verified of verification.verifyNow(
        recordingId === undefined ? { signal } : { recordingId, signal },
      ))
        throw new Error(`unexpected stream ${verified.stream.id}`);
    };
    await run(randomUUID());
    expect(await verification.completedAtMs()).toBeNull();
    await run();
    expect(await verification.completedAtMs()).toBe(clock.nowMs());
    clock.advance(day);
    await runJob(verification.jobs[0], { enqueuedAtMs: clock.nowMs() });
    expect(await verification.completedAtMs()).toBe(clock.nowMs());
  });

  it('names the version and size of the database', async () => {
    const { under, status } = await underTest();
    const { database } = await status();
    expect(database.kind).toBe(under.database.dialect);
    expect(database.server.value?.version).toMatch(/^\d+\.\d+/);
    expect(database.sizeBytes.value).toBeGreaterThan(100_000);
  });
});

describe('a fact', () => {
  test('is unknown after its time limit, and is not read a second time meanwhile', async () => {
    let reads = 0;
    const answer = Promise.withResolvers<number>();
    const read = factReader(() => {
      reads += 1;
      return answer.promise;
    }, 20);
    expect(await read()).toEqual({ value: null, problem: 'timed-out' });
    expect(await read()).toEqual({ value: null, problem: 'timed-out' });
    expect(reads).toBe(1);
    answer.resolve(3);
    expect(await read()).toEqual({ value: 3, problem: null });
  });

  test('that cannot be read says so, and is read again by the next request', async () => {
    let isBroken = true;
    const read = factReader(async () => {
      if (isBroken) throw new Error('broken');
      return 1;
    });
    expect(await read()).toEqual({ value: null, problem: 'failed' });
    isBroken = false;
    expect(await read()).toEqual({ value: 1, problem: null });
  });
});
