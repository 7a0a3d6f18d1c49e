import { describe, expect, test } from 'vitest';
import { hour, minute, second } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { Fact } from '#contract/server-status-api.ts';
import { assessStatus, type StatusFacts } from './assess-status.ts';

const nowMs = Date.UTC(2026, 10, 27, 12);
const known = <Value>(value: Value): Fact<Value> => ({ value, problem: null });
const unknown = { value: null, problem: 'timed-out' } as const;
const gigabyte = 1024 ** 3;

type Nodes = NonNullable<StatusFacts['nodes']['value']>;
type Node = Nodes['items'][number];

const node = (changes: Partial<Node> = {}): Node => ({
  id: '00000000-0000-4000-8000-000000000001',
  host: 'one',
  isThis: true,
  role: 'all',
  version: '1.0.0',
  build: 'aaaaaaaa',
  state: 'running',
  startedAt: instantOf(nowMs - 24 * hour),
  heartbeatAgeMs: second,
  disk: { freeBytes: 50 * gigabyte, totalBytes: 100 * gigabyte },
  clockAheadMs: 12,
  ...changes,
});
const other = (changes: Partial<Node> = {}): Node => node({ host: 'two', isThis: false, ...changes });
const nodes = (...items: Node[]): StatusFacts['nodes'] => known({ items, totalCount: items.length });

const newest = {
  startedAt: instantOf(nowMs),
  place: '/backups',
  sizeBytes: 1,
  copiedBytes: 1,
  damagedCount: 0,
  verifiedAt: null,
  problem: null,
};

const healthy: StatusFacts = {
  nodes: nodes(node(), other()),
  database: {
    kind: 'postgres',
    server: known({ version: '15.4', latencyMs: 1 }),
    sizeBytes: known(1_000_000),
  },
  store: {
    kind: 's3',
    place: 's3://earshot',
    reach: known({ latencyMs: 9 }),
    hot: known({ usedBytes: 10, limitBytes: 100 }),
  },
  queue: known({
    kinds: [{ kind: 'note', waiting: 1, later: 2, running: 1, failed: 0 }],
    oldestWaitingMs: second,
  }),
  backups: known({ everyMs: 24 * hour, isRunning: false, isOverdue: false, newest, failure: null }),
  verification: known({ completedAt: instantOf(nowMs), damagedCount: 0 }),
  reserve: known({ freeBytes: 50 * gigabyte, reserveBytes: gigabyte, isTouched: false }),
  proxy: null,
};
const warningsOf = (changes: Partial<StatusFacts>) =>
  assessStatus({ ...healthy, ...changes }, nowMs).warnings;

const backups = (changes: Partial<NonNullable<StatusFacts['backups']['value']>>): StatusFacts['backups'] =>
  known({ everyMs: 24 * hour, isRunning: false, isOverdue: false, newest, failure: null, ...changes });

test('warns of nothing in a healthy installation of which everything is known', () => {
  expect(assessStatus(healthy, nowMs)).toEqual({ warnings: [], isComplete: true });
});

describe('warns of', () => {
  const disk = { kind: 'disk', place: null, reach: known({ latencyMs: 1 }), hot: null } as const;
  const nearlyFull = { freeBytes: gigabyte, totalBytes: 100 * gigabyte };
  test.each<[string, Partial<StatusFacts>, object]>([
    [
      'a database that does not respond',
      { database: { ...healthy.database, server: unknown } },
      { code: 'database-unreachable' },
    ],
    [
      'a store that does not respond',
      { store: { ...healthy.store, reach: { value: null, problem: 'failed' } } },
      { code: 'store-unreachable' },
    ],
    [
      'damaged recordings',
      { verification: known({ completedAt: instantOf(nowMs), damagedCount: 2 }) },
      { code: 'recordings-damaged', count: 2 },
    ],
    [
      'a disk whose reserve is used, once',
      {
        store: disk,
        nodes: nodes(node({ disk: nearlyFull })),
        reserve: known({ freeBytes: 5, reserveBytes: 10, isTouched: true }),
      },
      { code: 'disk-reserve-used', freeBytes: 5, reserveBytes: 10 },
    ],
    [
      'a disk of a node with less than two reserves',
      { nodes: nodes(node(), other({ disk: nearlyFull })) },
      { code: 'disk-nearly-full', host: 'two', freeBytes: gigabyte },
    ],
    [
      'many bytes that wait for the object store',
      { store: { ...healthy.store, hot: known({ usedBytes: 81, limitBytes: 100 }) } },
      { code: 'hot-nearly-full', usedBytes: 81, limitBytes: 100 },
    ],
    [
      'a node without a heartbeat',
      { nodes: nodes(node(), other({ state: 'silent', heartbeatAgeMs: 3 * minute, disk: null })) },
      { code: 'node-silent', host: 'two', silentMs: 3 * minute },
    ],
    [
      'a clock that is behind by more than five seconds',
      { nodes: nodes(node(), other({ clockAheadMs: -5001 })) },
      { code: 'clock-differs', host: 'two', differenceMs: 5001 },
    ],
    [
      'a backup that failed',
      { backups: backups({ failure: { at: instantOf(nowMs), reason: 'no disk' } }) },
      { code: 'backup-failed', at: instantOf(nowMs), reason: 'no disk' },
    ],
    ['overdue backups', { backups: backups({ isOverdue: true }) }, { code: 'backup-overdue' }],
    [
      'a backup with damaged files',
      { backups: backups({ newest: { ...newest, damagedCount: 3 } }) },
      { code: 'backup-incomplete', count: 3, reason: null },
    ],
    [
      'failed jobs',
      {
        queue: known({
          kinds: [
            { kind: 'a', waiting: 0, later: 0, running: 0, failed: 2 },
            { kind: 'b', waiting: 0, later: 0, running: 0, failed: 1 },
          ],
          oldestWaitingMs: null,
        }),
      },
      { code: 'jobs-failed', count: 3 },
    ],
    [
      'a job that has been due for ten minutes',
      { queue: known({ kinds: [], oldestWaitingMs: 10 * minute }) },
      { code: 'jobs-waiting', waitingMs: 10 * minute },
    ],
    [
      'an installation without backups',
      { backups: backups({ everyMs: null, newest: null }) },
      { code: 'backup-missing', isScheduled: false },
    ],
    [
      'scheduled backups of which none is complete yet',
      { backups: backups({ newest: null }) },
      { code: 'backup-missing', isScheduled: true },
    ],
    [
      'stored files that were never verified completely',
      { verification: known({ completedAt: null, damagedCount: 0 }) },
      { code: 'verification-missing' },
    ],
    [
      'a proxy that is not configured',
      { proxy: { problem: 'too-few', trustedHops: 1, forwardedCount: 2 } },
      { code: 'proxy-mismatch', problem: 'too-few', trustedHops: 1, forwardedCount: 2 },
    ],
  ])('%s', (_what, changes, warning) => {
    expect(warningsOf(changes)).toEqual([warning]);
  });
});

test('does not warn of backups that are made by hand, nor of a job that has been due for less than ten minutes', () => {
  expect(
    warningsOf({
      backups: backups({ everyMs: null }),
      queue: known({ kinds: [], oldestWaitingMs: 10 * minute - 1 }),
    }),
  ).toEqual([]);
});

test('names a first backup that failed once', () => {
  const failure = { at: instantOf(nowMs), reason: 'no disk' };
  expect(warningsOf({ backups: backups({ newest: null, failure }) }).map(({ code }) => code)).toEqual([
    'backup-failed',
  ]);
});

test('allows an hour for an update of all nodes, counted from the start of the first node of another version', () => {
  const updated = (startedMs: number) =>
    warningsOf({
      nodes: nodes(node(), other({ version: '1.1.0', startedAt: instantOf(nowMs - startedMs) })),
    });
  expect(updated(59 * minute)).toEqual([]);
  expect(updated(61 * minute)).toEqual([
    { code: 'versions-differ', versions: ['1.0.0 (aaaaaaaa)', '1.1.0 (aaaaaaaa)'] },
  ]);
});

test('does not compare versions with a node that no longer runs, and notices other code of the same version', () => {
  expect(
    warningsOf({ nodes: nodes(node(), other({ version: '0.9.0', state: 'silent' })) }).map(
      ({ code }) => code,
    ),
  ).toEqual(['node-silent']);
  expect(warningsOf({ nodes: nodes(node(), other({ build: 'bbbbbbbb' })) })).toEqual([
    { code: 'versions-differ', versions: ['1.0.0 (aaaaaaaa)', '1.0.0 (bbbbbbbb)'] },
  ]);
});

test.each<[string, Partial<StatusFacts>]>([
  ['the jobs', { queue: unknown }],
  ['the nodes', { nodes: unknown }],
  ['this node itself', { nodes: nodes(other()) }],
  ['some of very many nodes', { nodes: known({ items: [node()], totalCount: 101 }) }],
  ['the disk of a node', { nodes: nodes(node({ disk: null })) }],
  ['the clock of a node', { nodes: nodes(node({ clockAheadMs: null })) }],
  ['the size of the database', { database: { ...healthy.database, sizeBytes: unknown } }],
  ['the free space', { reserve: known({ freeBytes: null, reserveBytes: 0, isTouched: false }) }],
])('does not claim that all is well if %s cannot be checked', (_what, changes) => {
  expect(assessStatus({ ...healthy, ...changes }, nowMs)).toEqual({ warnings: [], isComplete: false });
});

test('needs no comparison of clocks on SQLite, which has the clock of its machine', () => {
  const database = { ...healthy.database, kind: 'sqlite' as const };
  expect(assessStatus({ ...healthy, database, nodes: nodes(node({ clockAheadMs: null })) }, nowMs)).toEqual({
    warnings: [],
    isComplete: true,
  });
});
