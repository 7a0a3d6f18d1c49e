import { day, hour, second } from '#base/duration.ts';
import { type Expression, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DatabaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { ClaimableLane } from './job-lanes.ts';
import { isFree, isOrphaned, maxDeaths, nextJobQuery } from './next-job-query.ts';

/** After this many failures a job is not retried, but shown to the administrator. */
const maxAttempts = 10;

/**
 * Returns the delay after a failure: one second, doubled each time, at most an hour, plus up to a fifth at random
 * so that jobs that failed together spread out.
 * @param attempts attempts so far, including the last
 * @param random between 0 and 1
 */
export function jobBackOffMs(attempts: number, random: number): number {
  const waitMs = Math.min(hour, second * 2 ** (Math.max(1, attempts) - 1));
  return Math.round(waitMs * (1 + random / 5));
}

const claimedColumns = ['id', 'kind', 'payload', 'attempts', 'fence', 'request_id', 'created_at'] as const;

/** A claimed job. `fence` grows with every claim, so the holder of an old claim can no longer change the row. */
export type ClaimedJob = Pick<Selectable<Schema['jobs']>, (typeof claimedColumns)[number]>;

/** A job that this runner may run until its lease ends. */
export interface HeldJob extends ClaimedJob {
  /** `performance.now()` from before the job was claimed. */
  claimedAtMs: number;
}

export interface JobLeasesDeps {
  database: Database;
  time: DatabaseTime;
  owner: string;
  leaseMs: number;
  random: () => number;
}

/** Another runner claims the job that was found only if both found it at the same moment. */
const maxClaimAttempts = 10;
const maxErrorLength = 500;
const finishedRetentionMs = { done: 7 * day, failed: 90 * day };

/** The statements with which runners share one table of jobs. */
export class JobLeases {
  readonly #deps: JobLeasesDeps;
  #lastTurnOf = '';

  constructor(deps: JobLeasesDeps) {
    this.#deps = deps;
  }

  /**
   * Claims the next job of these lanes that is due or whose lease expired; null if there is none. No two callers get
   * the same job. Within a lane, the highest priority comes first, then the user who was served longest ago in that
   * lane, with their job that has been due longest. Jobs without a user take turns by their kind.
   */
  async claim(lanes: readonly ClaimableLane[]): Promise<HeldJob | null> {
    if (lanes.length === 0) return null;
    for (let attempt = 0; attempt < maxClaimAttempts; attempt += 1) {
      const claimedAtMs = performance.now();
      const { database, time, owner } = this.#deps;
      const { rows } = await nextJobQuery({
        lanes,
        now: time(),
        owner,
        lastTurnOf: this.#lastTurnOf,
      }).execute(database.queries);
      if (rows[0] === undefined) return null;
      const job = await this.#take(rows[0].id, lanes);
      if (job !== null) return { ...job, claimedAtMs };
    }
    return null;
  }

  /** Claims this job; null if another runner was faster. */
  async #take(id: string, lanes: readonly ClaimableLane[]): Promise<ClaimedJob | null> {
    const { database, time, owner } = this.#deps;
    const now = time();
    const claimed = await database.queries
      .updateTable('jobs')
      .set(({ eb }) => ({
        state: 'running' as const,
        owner,
        lease_until: this.#leaseEnd(),
        updated_at: now,
        attempts: eb('attempts', '+', 1),
        fence: eb('fence', '+', 1),
        // A running job can be claimed only after its lease expired, so its previous runner crashed.
        deaths: eb
          .case()
          .when('state', '=', 'running')
          .then(eb('deaths', '+', 1))
          .else(eb.ref('deaths'))
          .end(),
      }))
      .where('id', '=', id)
      .where(isFree(now, owner))
      .returning([...claimedColumns, 'user_id'])
      .executeTakeFirst();
    if (claimed === undefined) return null;
    const { user_id: userId, ...job } = claimed;
    this.#lastTurnOf = userId ?? job.kind;
    await database.queries
      .insertInto('job_lane_turns')
      .values({
        lane: lanes.find(({ kinds }) => kinds.includes(job.kind))?.lane ?? '',
        turn_of: this.#lastTurnOf,
        served_at: now,
      })
      .onConflict((conflict) => conflict.columns(['lane', 'turn_of']).doUpdateSet({ served_at: now }))
      .execute();
    return job;
  }

  /** Extends a lease. Returns false if the lease is lost. */
  extend(job: ClaimedJob): Promise<boolean> {
    return this.#change(job, { lease_until: this.#leaseEnd() });
  }

  /** Marks a job as done. Returns false if the lease is lost and another runner has the job. */
  complete(job: ClaimedJob): Promise<boolean> {
    return this.#change(job, { state: 'done', owner: null, lease_until: null, error: null });
  }

  /**
   * Queues a job again after a failure, with a growing delay. After the last attempt it fails for good. Returns
   * the new state.
   */
  async fail(job: ClaimedJob, error: unknown): Promise<'queued' | 'failed' | 'lost'> {
    const state = job.attempts >= maxAttempts ? 'failed' : 'queued';
    const text = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(
      0,
      maxErrorLength,
    );
    const held = await this.#change(job, {
      state,
      owner: null,
      lease_until: null,
      error: text,
      run_at: this.#after(jobBackOffMs(job.attempts, this.#deps.random())),
    });
    return held ? state : 'lost';
  }

  /**
   * Returns a job to the queue without counting the attempt, for any runner to claim immediately or after
   * `waitMs`.
   */
  async release(job: ClaimedJob, waitMs = 0): Promise<void> {
    await this.#change(job, {
      state: 'queued',
      owner: null,
      lease_until: null,
      run_at: this.#after(waitMs),
      attempts: Math.max(0, job.attempts - 1),
    });
  }

  /** Queues a job that has work left, as if it were new. Returns false if the lease is lost. */
  continueLater(job: ClaimedJob): Promise<boolean> {
    return this.#change(job, {
      state: 'queued',
      owner: null,
      lease_until: null,
      run_at: this.#deps.time(),
      attempts: 0,
      deaths: 0,
      error: null,
    });
  }

  /** Forgets earlier failures of a running job, because it has stored a part of its work. */
  async progressed(job: ClaimedJob): Promise<void> {
    job.attempts = 0;
    await this.#change(job, { attempts: 0, deaths: 0 });
  }

  /** Sets a job aside, so that it is not retried automatically. Returns false if the lease is lost. */
  setAside(job: ClaimedJob, change: { error: string; deaths?: number }): Promise<boolean> {
    return this.#change(job, { state: 'failed', owner: null, lease_until: null, ...change });
  }

  /** Returns the jobs during which processes have ended too often. */
  deadly(): Promise<ClaimedJob[]> {
    const { database, time, owner } = this.#deps;
    return database.queries
      .selectFrom('jobs')
      .select(claimedColumns)
      .where(isOrphaned(time(), owner))
      .where('deaths', '>=', maxDeaths - 1)
      .execute();
  }

  /** Deletes jobs that ended long ago and turns older than a day. */
  async forgetFinished(): Promise<void> {
    for (const table of ['job_turns', 'job_lane_turns'] as const)
      await this.#deps.database.queries
        .deleteFrom(table)
        .where('served_at', '<', this.#after(-day))
        .execute();
    for (const state of ['done', 'failed'] as const) {
      await this.#deps.database.queries
        .deleteFrom('jobs')
        .where('state', '=', state)
        .where('updated_at', '<', this.#after(-finishedRetentionMs[state]))
        .execute();
    }
  }

  /** The database's time after a delay in milliseconds, which may be negative. */
  #after(delayMs: number): Expression<number> {
    return sql<number>`${this.#deps.time()} + ${sql.lit(delayMs)}`;
  }

  #leaseEnd(): Expression<number> {
    return this.#after(this.#deps.leaseMs);
  }

  async #change(job: ClaimedJob, values: UpdateObject<Schema, 'jobs'>): Promise<boolean> {
    const { numUpdatedRows } = await this.#deps.database.queries
      .updateTable('jobs')
      .set({ ...values, updated_at: this.#deps.time() })
      .where('id', '=', job.id)
      .where('fence', '=', job.fence)
      .where('state', '=', 'running')
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }
}
