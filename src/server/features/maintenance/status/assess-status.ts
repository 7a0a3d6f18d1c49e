import { hour, minute, second } from '#base/duration.ts';
import { unixMsOf } from '#base/instant.ts';
import type { Fact, ServerStatus, StatusWarning } from '#contract/server-status-api.ts';
import type { ProxyFinding } from '#server/http/edge/proxy-watch.ts';
import { defaultReserveBytes, type ReserveStatus } from '#server/storage/blobs/disk-reserve.ts';

/** A rolling update of many nodes takes less. */
const maxUpdateMs = hour;
/** Sign-in codes and the times of recordings tolerate this much. */
const clockToleranceMs = 5 * second;
/** The part of HOT_LIMIT_BYTES from which on the operator is warned. */
const hotShare = 0.8;
/** The operator is warned while this many times the usual reserve is free. */
const reserves = 2;

/** A job that is due starts within seconds, unless no server runs jobs or they have too much to do. */
const longWaitMs = 10 * minute;

/** Everything that is known of an installation. */
export interface StatusFacts extends Omit<ServerStatus, 'warnings' | 'isComplete'> {
  reserve: Fact<ReserveStatus>;
  proxy: ProxyFinding | null;
}

type Node = NonNullable<ServerStatus['nodes']['value']>['items'][number];

const nodesOf = ({ nodes }: StatusFacts): Node[] => nodes.value?.items ?? [];
const liveNodesOf = (facts: StatusFacts): Node[] => nodesOf(facts).filter(({ state }) => state !== 'silent');

function* warnOfStores({ database, store, verification }: StatusFacts): Generator<StatusWarning> {
  if (database.server.problem !== null) yield { code: 'database-unreachable' };
  if (store.reach.problem !== null) yield { code: 'store-unreachable' };
  const damagedCount = verification.value?.damagedCount ?? 0;
  if (damagedCount > 0) yield { code: 'recordings-damaged', count: damagedCount };
}

/** With an object store, the reserve is a part of HOT_LIMIT_BYTES, which has a warning of its own. */
const usedReserveOf = ({ store, reserve: { value } }: StatusFacts): ReserveStatus | null =>
  store.kind === 'disk' && value?.isTouched === true ? value : null;

function* warnOfDisks(facts: StatusFacts): Generator<StatusWarning> {
  const used = usedReserveOf(facts);
  if (used !== null)
    yield {
      code: 'disk-reserve-used',
      freeBytes: used.freeBytes ?? 0,
      reserveBytes: used.reserveBytes,
    };
  for (const { host, disk, isThis } of liveNodesOf(facts)) {
    const isReported = isThis && used !== null;
    if (disk !== null && !isReported && disk.freeBytes < reserves * defaultReserveBytes(disk.totalBytes))
      yield { code: 'disk-nearly-full', host, freeBytes: disk.freeBytes };
  }
}

function* warnOfHotBytes({ store }: StatusFacts): Generator<StatusWarning> {
  const hot = store.hot?.value ?? null;
  if (hot !== null && hot.usedBytes > hotShare * hot.limitBytes) yield { code: 'hot-nearly-full', ...hot };
}

/**
 * The versions of the nodes that run, if they have differed for longer than an update takes: since the first node of
 * the second version started.
 */
function differingVersions(nodes: readonly Node[], nowMs: number): string[] {
  const startOf = new Map<string, number>();
  for (const { version, build, startedAt } of nodes) {
    const name = `${version} (${build})`;
    startOf.set(name, Math.min(startOf.get(name) ?? Infinity, unixMsOf(startedAt)));
  }
  const [, sinceMs = Infinity] = [...startOf.values()].sort((a, b) => a - b);
  return nowMs - sinceMs > maxUpdateMs ? [...startOf.keys()].sort() : [];
}

function* warnOfNodes(facts: StatusFacts, nowMs: number): Generator<StatusWarning> {
  for (const { host, state, heartbeatAgeMs } of nodesOf(facts))
    if (state === 'silent') yield { code: 'node-silent', host, silentMs: heartbeatAgeMs };
  const live = liveNodesOf(facts);
  const versions = differingVersions(live, nowMs);
  if (versions.length > 0) yield { code: 'versions-differ', versions };
  for (const { host, clockAheadMs } of live) {
    const differenceMs = Math.abs(clockAheadMs ?? 0);
    if (differenceMs > clockToleranceMs) yield { code: 'clock-differs', host, differenceMs };
  }
}

function* warnOfBackups({ backups: { value } }: StatusFacts): Generator<StatusWarning> {
  // What is not known is no problem that is known: `isComplete` is false then.
  if (value && value.newest === null && value.failure === null)
    yield { code: 'backup-missing', isScheduled: value.everyMs !== null };
  if (value?.failure) yield { code: 'backup-failed', ...value.failure };
  if (value?.isOverdue === true) yield { code: 'backup-overdue' };
  const newest = value?.newest;
  if (newest && (newest.damagedCount > 0 || newest.problem !== null))
    yield { code: 'backup-incomplete', count: newest.damagedCount, reason: newest.problem };
}

function* warnOfWork({ queue, proxy, verification }: StatusFacts): Generator<StatusWarning> {
  if (verification.value?.completedAt === null) yield { code: 'verification-missing' };
  const failedCount = (queue.value?.kinds ?? []).reduce((sum, { failed }) => sum + failed, 0);
  if (failedCount > 0) yield { code: 'jobs-failed', count: failedCount };
  const waitingMs = queue.value?.oldestWaitingMs ?? 0;
  if (waitingMs >= longWaitMs) yield { code: 'jobs-waiting', waitingMs };
  if (proxy !== null) yield { code: 'proxy-mismatch', ...proxy };
}

/** Whether everything about the nodes is known: each is listed, this one among them, with its measurements. */
function areNodesKnown(facts: StatusFacts): boolean {
  const { nodes, database } = facts;
  const items = nodesOf(facts);
  return (
    items.length === nodes.value?.totalCount &&
    items.some(({ isThis }) => isThis) &&
    liveNodesOf(facts).every(
      ({ disk, clockAheadMs }) => disk !== null && (database.kind === 'sqlite' || clockAheadMs !== null),
    )
  );
}

function isEverythingKnown(facts: StatusFacts): boolean {
  const { database, store, queue, backups, verification, reserve } = facts;
  return (
    areNodesKnown(facts) &&
    reserve.value?.freeBytes !== null &&
    [
      database.server,
      database.sizeBytes,
      store.reach,
      ...(store.hot === null ? [] : [store.hot]),
      queue,
      backups,
      verification,
      reserve,
    ].every(({ problem }) => problem === null)
  );
}

/**
 * Derives what needs the operator from the facts, most urgent first.
 * @returns `isComplete` is false if a fact is not known, so that no warning does not mean that all is well
 */
export function assessStatus(
  facts: StatusFacts,
  nowMs: number,
): Pick<ServerStatus, 'warnings' | 'isComplete'> {
  return {
    warnings: [
      ...warnOfStores(facts),
      ...warnOfDisks(facts),
      ...warnOfHotBytes(facts),
      ...warnOfNodes(facts, nowMs),
      ...warnOfBackups(facts),
      ...warnOfWork(facts),
    ],
    isComplete: isEverythingKnown(facts),
  };
}
