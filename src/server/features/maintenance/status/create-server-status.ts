import type { Clock } from '#base/clock.ts';
import { instantOf, instantOrNull } from '#base/instant.ts';
import { getServerStatus, maxListedNodes, type ServerStatus } from '#contract/server-status-api.ts';
import type { Backups } from '#server/features/backups/create-backups.ts';
import { backupsReply } from '#server/features/maintenance/backups-reply.ts';
import type { Verification } from '#server/features/maintenance/create-verification.ts';
import { adminOf } from '#server/http/callers.ts';
import type { ProxyFinding } from '#server/http/edge/proxy-watch.ts';
import { route, type Route } from '#server/http/route.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { NodeRow } from '#server/storage/database/operations-tables.ts';
import { assessStatus } from './assess-status.ts';
import { factReader } from './fact-reader.ts';
import { countJobs } from './job-counts.ts';
import { NodeHeartbeat, type NodeHeartbeatDeps } from './node-heartbeat.ts';
import { createNodeStore, silentAfterMs, type NodeStore } from './node-store.ts';
import { readDatabaseServer, readDatabaseSize } from './read-database.ts';

export interface ServerStatusDeps extends Pick<
  NodeHeartbeatDeps,
  'clock' | 'node' | 'build' | 'dataDir' | 'isDraining'
> {
  database: Database;
  blobs: BlobStore;
  /** `s3://bucket/prefix`, without credentials; null for a disk. */
  bucket: string | null;
  reserve: Pick<DiskReserve, 'status'>;
  backups: Pick<Backups, 'status'>;
  verification: Pick<Verification, 'damagedCount' | 'completedAtMs'>;
  proxyFinding: () => ProxyFinding | null;
}

type Nodes = NonNullable<ServerStatus['nodes']['value']>;

const roles: ReadonlySet<string> = new Set(['all', 'web', 'worker'] satisfies NodeRow['role'][]);

function nodeOf(row: NodeRow, { nowMs, ownId }: { nowMs: number; ownId: string }): Nodes['items'][number] {
  const { disk_free_bytes: freeBytes, disk_total_bytes: totalBytes } = row;
  const ageMs = nowMs - row.seen_at;
  return {
    id: row.id,
    host: row.host,
    isThis: row.id === ownId,
    // A later version may have other roles.
    role: roles.has(row.role) ? row.role : 'all',
    version: row.version,
    build: row.build,
    // A clock that was set back makes the last heartbeat one of the future.
    state: Math.abs(ageMs) > silentAfterMs ? 'silent' : row.state === 'draining' ? 'draining' : 'running',
    startedAt: instantOf(row.started_at),
    heartbeatAgeMs: Math.max(0, ageMs),
    disk: freeBytes === null || totalBytes === null ? null : { freeBytes, totalBytes },
    clockAheadMs: row.clock_ahead_ms,
  };
}

async function readNodes(store: NodeStore, ownId: string): Promise<Nodes> {
  const { rows, totalCount, nowMs } = await store.list(maxListedNodes);
  return { items: rows.map((row) => nodeOf(row, { nowMs, ownId })), totalCount };
}

async function ping(store: Pick<BlobStore, 'pingAll'>): Promise<{ latencyMs: number }> {
  const askedAt = performance.now();
  await store.pingAll();
  return { latencyMs: Math.ceil(performance.now() - askedAt) };
}

async function readHotBytes({ space }: { space: () => ReturnType<BlobStore['space']> }) {
  const { freeBytes, totalBytes } = await space();
  return { usedBytes: totalBytes - freeBytes, limitBytes: totalBytes };
}

async function readVerification({
  completedAtMs,
  damagedCount,
}: ServerStatusDeps['verification']): Promise<NonNullable<ServerStatus['verification']['value']>> {
  const [atMs, count] = await Promise.all([completedAtMs(), damagedCount()]);
  return { completedAt: instantOrNull(atMs), damagedCount: count };
}

/** The readers of all facts, which wait for each other in no way. */
function factReaders(deps: ServerStatusDeps, nodes: NodeStore, clock: Clock) {
  const { database, blobs, backups } = deps;
  const time = databaseTime(database, clock);
  return {
    nodes: factReader(() => readNodes(nodes, deps.node.id)),
    databaseServer: factReader(() => readDatabaseServer(database)),
    databaseSize: factReader(() => readDatabaseSize(database)),
    reach: factReader(() => ping(blobs)),
    hot: factReader(() => readHotBytes({ space: () => blobs.space() })),
    queue: factReader(() => countJobs(database, time)),
    // Another node may be the one that makes backups.
    backups: factReader(async () => backupsReply(await backups.status(await nodes.backupEveryMs()))),
    verification: factReader(() => readVerification(deps.verification)),
    reserve: factReader(() => deps.reserve.status()),
  };
}

/** Builds what administrators see of the running installation, and the heartbeat by which other nodes see this one. */
export function createServerStatus(deps: ServerStatusDeps): {
  routes: Route[];
  heartbeat: NodeHeartbeat;
  /** Counts the jobs that are not done. */
  queue: () => ReturnType<typeof countJobs>;
  nodeCount: () => Promise<number>;
} {
  const { database, clock, bucket } = deps;
  const store = createNodeStore(database, databaseTime(database, clock));
  const heartbeat = new NodeHeartbeat({ ...deps, store, hasOtherClock: database.dialect === 'postgres' });
  const read = factReaders(deps, store, clock);
  const status = async (): Promise<ServerStatus> => {
    const [nodes, server, sizeBytes, reach, hot, queue, backups, verification, reserve] = await Promise.all([
      read.nodes(),
      read.databaseServer(),
      read.databaseSize(),
      read.reach(),
      bucket === null ? null : read.hot(),
      read.queue(),
      read.backups(),
      read.verification(),
      read.reserve(),
    ]);
    const facts = {
      nodes,
      database: { kind: database.dialect, server, sizeBytes },
      store: { kind: bucket === null ? ('disk' as const) : ('s3' as const), place: bucket, reach, hot },
      queue,
      backups,
      verification,
    };
    return {
      ...facts,
      ...assessStatus({ ...facts, reserve, proxy: deps.proxyFinding() }, clock.nowMs()),
    };
  };
  return {
    heartbeat,
    queue: () => countJobs(database, databaseTime(database, clock)),
    nodeCount: async () => (await store.list(0)).totalCount,
    routes: [
      route(
        getServerStatus,
        async (context) => {
          adminOf(context);
          return { body: await status() };
        },
        { outlivesDatabase: true },
      ),
    ],
  };
}
