import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { Repeated } from '#server/jobs/repeated.ts';
import type { DiskSpace } from '#server/storage/blobs/blob-store.ts';
import { fileSystemSpace } from '#server/storage/blobs/file-system-space.ts';
import { inTime } from '#server/jobs/in-time.ts';
import type { NodeFacts, NodeStore } from './node-store.ts';

const everyMs = 10 * second;
/** A slower answer says nothing exact about the time at which the database read its clock. */
const maxRoundTripMs = second;
/** How long the shutdown waits for the row to be removed, and a heartbeat for a disk. */
const maxWaitMs = 2 * second;

export interface NodeHeartbeatDeps {
  store: NodeStore;
  clock: Clock;
  /** Whether the database has a clock of its own. */
  hasOtherClock: boolean;
  node: Omit<NodeFacts, 'build'>;
  /** Computes a hash of the code. */
  build: () => Promise<string>;
  dataDir: string;
  isDraining: () => boolean;
}

/**
 * Writes every ten seconds that this node runs, with what only this node can measure. Recording never waits for it:
 * there is one heartbeat at a time, also while the database does not respond.
 */
export class NodeHeartbeat {
  readonly #deps: NodeHeartbeatDeps;
  readonly #startedAt = performance.now();
  readonly #beats = new Repeated(everyMs, () => this.beat());
  #build: Promise<string> | null = null;
  #running: Promise<void> | null = null;
  #hasFailed = false;
  #isStopped = false;

  constructor(deps: NodeHeartbeatDeps) {
    this.#deps = deps;
  }

  /** @param onError called when heartbeats start to fail; they continue */
  start(onError: (error: unknown) => void): void {
    const report = (error: unknown): void => {
      if (!this.#hasFailed) onError(error);
      this.#hasFailed = true;
    };
    this.beat().catch(report);
    this.#beats.start(report);
  }

  /** Writes one heartbeat. Does nothing while the one before has not been answered. */
  beat(): Promise<void> {
    this.#running ??= this.#write().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Stops, and removes the row of this node. Waits two seconds at most for the database. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // Without any heartbeat there is no row.
    if (this.#build === null) return;
    const remove = async (): Promise<void> => {
      await this.#beats.stop();
      await this.#running?.catch(() => undefined);
      await this.#deps.store.remove(this.#deps.node.id);
    };
    await inTime(
      remove().catch(() => undefined),
      { timeoutMs: maxWaitMs, otherwise: undefined },
    );
  }

  async #write(): Promise<void> {
    const { store, clock, node, hasOtherClock } = this.#deps;
    this.#build ??= this.#deps.build();
    const build = await this.#build;
    // The hash of all files may take longer than a start that fails.
    if (this.#isStopped) return;
    const disk = await this.#space();
    const askedAt = performance.now();
    const nowMs = await store.nowMs();
    const roundTripMs = performance.now() - askedAt;
    const clockAheadMs =
      hasOtherClock && roundTripMs <= maxRoundTripMs
        ? Math.round(clock.nowMs() - roundTripMs / 2 - nowMs)
        : null;
    await store.write(
      { ...node, build },
      {
        state: this.#deps.isDraining() ? 'draining' : 'running',
        nowMs,
        startedAtMs: Math.round(nowMs - (performance.now() - this.#startedAt)),
        disk,
        clockAheadMs,
      },
    );
    this.#hasFailed = false;
  }

  /** Null also for the disk of a server that does not respond, for example by NFS. */
  #space(): Promise<DiskSpace | null> {
    return inTime(
      fileSystemSpace(this.#deps.dataDir).catch(() => null),
      { timeoutMs: maxWaitMs, otherwise: null },
    );
  }
}
