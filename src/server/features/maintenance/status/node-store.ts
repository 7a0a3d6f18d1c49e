import { day, minute } from '#base/duration.ts';
import type { DiskSpace } from '#server/storage/blobs/blob-store.ts';
import { type DatabaseTime, readTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { NodeRow } from '#server/storage/database/operations-tables.ts';

/** After this long without a heartbeat a node is shown as silent: six heartbeats in a row are missing. */
export const silentAfterMs = minute;
/** A node that ended without removing its row is shown for this long. */
const sweptAfterMs = day;

/** What stays the same while a node runs. */
export type NodeFacts = Pick<
  NodeRow,
  'id' | 'host' | 'place' | 'role' | 'version' | 'build' | 'backup_every_ms'
>;

interface Heartbeat {
  state: NodeRow['state'];
  /** The time of the database. */
  nowMs: number;
  startedAtMs: number;
  disk: DiskSpace | null;
  clockAheadMs: number | null;
}

interface ListedNodes {
  rows: NodeRow[];
  totalCount: number;
  /** The time of the database. */
  nowMs: number;
}

/** Reads and writes the rows of nodes. */
export interface NodeStore {
  /** Reads the time of the database. */
  nowMs(): Promise<number>;
  /**
   * Writes a heartbeat. Deletes the rows of nodes that have been silent for a day, and of an earlier process in the
   * same place, which crashed.
   */
  write(node: NodeFacts, heartbeat: Heartbeat): Promise<void>;
  remove(id: string): Promise<void>;
  /** Returns nodes in order of host. */
  list(limit: number): Promise<ListedNodes>;
  /** The shortest interval of backups that a node schedules; null if none does. */
  backupEveryMs(): Promise<number | null>;
}

/** @param time the time of the database, which all nodes share */
export function createNodeStore({ queries }: Database, time: DatabaseTime): NodeStore {
  return {
    nowMs: () => readTime(queries, time),
    async write(node, { state, nowMs, startedAtMs, disk, clockAheadMs }) {
      const current = {
        state,
        seen_at: nowMs,
        disk_free_bytes: disk && disk.freeBytes,
        disk_total_bytes: disk && disk.totalBytes,
        clock_ahead_ms: clockAheadMs,
      };
      await queries
        .insertInto('nodes')
        .values({ ...node, ...current, started_at: startedAtMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(current))
        .execute();
      // A clock that was set back leaves times in the future.
      await queries
        .deleteFrom('nodes')
        .where((eb) =>
          eb.or([
            eb.not(eb.between('seen_at', nowMs - sweptAfterMs, nowMs + sweptAfterMs)),
            eb.and([
              eb('place', '=', node.place),
              eb('id', '<>', node.id),
              eb.not(eb.between('seen_at', nowMs - silentAfterMs, nowMs + silentAfterMs)),
            ]),
          ]),
        )
        .execute();
    },
    async remove(id) {
      await queries.deleteFrom('nodes').where('id', '=', id).execute();
    },
    async list(limit) {
      const [rows, { count }, nowMs] = await Promise.all([
        queries.selectFrom('nodes').selectAll().orderBy('host').orderBy('id').limit(limit).execute(),
        queries
          .selectFrom('nodes')
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow(),
        readTime(queries, time),
      ]);
      return { rows, totalCount: Number(count), nowMs };
    },
    async backupEveryMs() {
      const { everyMs } = await queries
        .selectFrom('nodes')
        .select((eb) => eb.fn.min('backup_every_ms').as('everyMs'))
        .executeTakeFirstOrThrow();
      return everyMs;
    },
  };
}
