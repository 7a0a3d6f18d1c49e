import { Counter, Gauge, type Registry } from 'prom-client';
import { second } from '#base/duration.ts';
import type { ServerStatus } from '#contract/server-status-api.ts';
import type { BackupStatus } from '#server/features/backups/backup-status.ts';
import type { MovingFigures } from '#server/storage/blobs/blob-store.ts';
import type { ReserveStatus } from '#server/storage/blobs/disk-reserve.ts';

/** What the stores know, or null where they do not answer. */
export interface StoreFigures {
  isDatabaseUp: boolean;
  /** The current number of damaged segments. */
  damagedSegments: number | null;
  disk: ReserveStatus | null;
  backups: BackupStatus | null;
  queue: Pick<NonNullable<ServerStatus['queue']['value']>, 'kinds' | 'oldestWaitingMs'> | null;
  /** When the last complete verification ended; null also if none has. */
  verifiedAtMs: number | null;
  /** Nodes with a heartbeat in the last day. */
  nodes: number | null;
  /** What is moved to the object store; null also on disk. */
  moving: MovingFigures | null;
  /** How many calls wait for a connection to the database; null on SQLite. */
  waitingForConnection: number | null;
  nowMs: number;
}

type Value = number | boolean | null | undefined;

/** Sets a gauge. Without a value it is absent, because 0 would be a claim. */
export function show(gauge: Gauge, value: Value): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(Number(value));
}

const secondsSince = (atMs: number | null | undefined, { nowMs }: StoreFigures): number | null =>
  atMs === null || atMs === undefined ? null : (nowMs - atMs) / second;

const hasBackupFailed = ({ backups }: StoreFigures): boolean | null =>
  backups && (backups.failure !== null || (backups.newest?.damagedCount ?? 0) > 0);

/** Each gauge with its help and its value. */
const gauges: readonly [name: string, help: string, value: (figures: StoreFigures) => Value][] = [
  ['database_up', '1 while the database answers within a second', ({ isDatabaseUp }) => isDatabaseUp],
  [
    'damaged_segments',
    'Stored streams whose hash is not that of their receipt',
    ({ damagedSegments }) => damagedSegments,
  ],
  ['disk_free_bytes', 'Free space of the disk that stores the recordings', ({ disk }) => disk?.freeBytes],
  [
    'disk_reserve_bytes',
    'Space of that disk which only running takes may use',
    ({ disk }) => disk?.reserveBytes,
  ],
  [
    'disk_reserve_touched',
    '1 while less than the reserve is free: only running takes are stored',
    ({ disk }) => disk?.isTouched,
  ],
  [
    'backup_age_seconds',
    'Time since the start of the newest complete backup',
    (figures) => secondsSince(figures.backups?.newest?.startedAtMs, figures),
  ],
  [
    'backup_size_bytes',
    'Size of everything in the newest complete backup',
    ({ backups }) => backups?.newest?.sizeBytes,
  ],
  [
    'backup_failed',
    '1 while the last attempt to make a backup has failed, or the newest backup has damaged files',
    hasBackupFailed,
  ],
  [
    'jobs_waiting',
    'Jobs that are due and have not started',
    ({ queue }) => queue?.kinds.reduce((sum, { waiting }) => sum + waiting, 0),
  ],
  [
    'jobs_oldest_waiting_seconds',
    'How long the oldest of them has been due',
    ({ queue }) => queue && (queue.oldestWaitingMs ?? 0) / second,
  ],
  [
    'verification_age_seconds',
    'Time since the last complete verification of all stored streams',
    (figures) => secondsSince(figures.verifiedAtMs, figures),
  ],
  [
    'database_connections_waiting',
    'Calls of this process that wait for a connection to PostgreSQL',
    ({ waitingForConnection, moving }) =>
      waitingForConnection === null ? null : waitingForConnection + (moving?.waitingForConnection ?? 0),
  ],
  [
    'tail_bytes',
    'Acknowledged bytes that are not in the object store yet',
    ({ moving }) => moving?.tailBytes,
  ],
  [
    'tail_age_seconds',
    'Time since the last append to the recording whose bytes have waited longest for the object store',
    (figures) => figures.moving && (secondsSince(figures.moving.oldestTailAtMs, figures) ?? 0),
  ],
  ['nodes', 'Nodes of this installation, with those that fell silent in the last day', ({ nodes }) => nodes],
];

/**
 * Returns the function that sets the counters of a store that moves bytes. They appear with their first values: a store
 * on disk has none.
 */
function createMovingCounters(registers: Registry[]): (moving: MovingFigures) => void {
  let counters: { commits: Counter; requests: Counter<'operation' | 'outcome'> } | null = null;
  return ({ appendCommits, requests }) => {
    counters ??= {
      commits: new Counter({
        name: 'earshot_append_commits_total',
        help: 'Transactions that stored appends in PostgreSQL',
        registers,
      }),
      requests: new Counter({
        name: 'earshot_object_requests_total',
        help: 'Requests to the object store, by operation and outcome',
        labelNames: ['operation', 'outcome'],
        registers,
      }),
    };
    counters.commits.reset();
    counters.commits.inc(appendCommits);
    counters.requests.reset();
    for (const { operation, outcome, count } of requests)
      counters.requests.inc({ operation, outcome }, count);
  };
}

/** Creates the gauges of what the stores know, and returns the function that sets them. */
export function createStoreGauges(registers: Registry[]): (figures: StoreFigures) => void {
  const shown = gauges.map(([name, help, value]) => ({
    gauge: new Gauge({ name: `earshot_${name}`, help, registers }),
    value,
  }));
  const showMoving = createMovingCounters(registers);
  return (figures) => {
    if (figures.moving !== null) showMoving(figures.moving);
    for (const { gauge, value } of shown) show(gauge, value(figures));
  };
}
