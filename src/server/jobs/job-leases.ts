import type { Clock } from '#base/clock.ts';
import { day } from '#base/duration.ts';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Database } from '../storage/database/database.ts';
import type { JobRow, Schema } from '../storage/database/schema.ts';
import { backOffMs, mostAttempts } from './back-off.ts';

/** A job in hand. `fence` grows with every claim: who holds an old one can no longer change the row. */
export type ClaimedJob = Pick<JobRow, 'id' | 'kind' | 'payload' | 'attempts' | 'fence'>;

export interface JobLeasesDeps { database: Database; clock: Clock; owner: string; leaseMs: number; random: () => number }

const longestErrorText = 500;
const finishedKeptMs = { done: 7 * day, failed: 90 * day };

const isFree = (nowMs: number) => ({ eb }: { eb: ExpressionBuilder<Schema, 'jobs'> }): Expression<SqlBool> => eb.or([
  eb.and([eb('state', '=', 'queued'), eb('run_at', '<=', nowMs)]),
  eb.and([eb('state', '=', 'running'), eb('lease_until', '<=', nowMs)]),
]);

/** The statements by which runners share one table of jobs. */
export class JobLeases {
  readonly #deps: JobLeasesDeps;

  constructor(deps: JobLeasesDeps) {
    this.#deps = deps;
  }

  /** Takes the next due job of these kinds, or one whose lease ran out; null when there is none. No two callers get the same. */
  async claim(kinds: readonly string[]): Promise<ClaimedJob | null> {
    const { database, clock, owner, leaseMs } = this.#deps;
    const nowMs = clock.nowMs();
    const next = database.queries.selectFrom('jobs').select('id').where('kind', 'in', kinds).where(isFree(nowMs))
      .orderBy('priority', 'desc').orderBy('run_at').orderBy('id').limit(1);
    const claimed = await database.queries.updateTable('jobs')
      .set(({ eb }) => ({
        state: 'running' as const, owner, lease_until: nowMs + leaseMs, updated_at: nowMs, attempts: eb('attempts', '+', 1), fence: eb('fence', '+', 1),
      }))
      .where('id', '=', database.dialect === 'postgres' ? next.forUpdate().skipLocked() : next)
      // Checked again on the row itself: without it two claimers can both have chosen the row before either changed it.
      .where(isFree(nowMs))
      .returning(['id', 'kind', 'payload', 'attempts', 'fence'])
      .executeTakeFirst();
    return claimed ?? null;
  }

  /** Prolongs a lease; false when it is lost. */
  extend(job: ClaimedJob): Promise<boolean> {
    return this.#change(job, { lease_until: this.#deps.clock.nowMs() + this.#deps.leaseMs });
  }

  /** Marks a job done; false when the lease was lost and somebody else does it now. */
  complete(job: ClaimedJob): Promise<boolean> {
    return this.#change(job, { state: 'done', owner: null, lease_until: null, error: null });
  }

  /** Queues a job again after a failure, later each time; after the last attempt it is failed for good. Answers with the new state. */
  async fail(job: ClaimedJob, error: unknown): Promise<'queued' | 'failed' | 'lost'> {
    const state = job.attempts >= mostAttempts ? 'failed' : 'queued';
    const text = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, longestErrorText);
    const runAtMs = this.#deps.clock.nowMs() + backOffMs(job.attempts, this.#deps.random());
    const held = await this.#change(job, { state, owner: null, lease_until: null, error: text, run_at: runAtMs });
    return held ? state : 'lost';
  }

  /** Gives a job back untried, for another runner to take at once, or after `waitMs`. */
  async release(job: ClaimedJob, waitMs = 0): Promise<void> {
    await this.#change(job, { state: 'queued', owner: null, lease_until: null, run_at: this.#deps.clock.nowMs() + waitMs, attempts: job.attempts - 1 });
  }

  /** Ends jobs that took their runner down with them too often. Answers with how many. */
  async failPoisoned(): Promise<number> {
    const nowMs = this.#deps.clock.nowMs();
    const { numUpdatedRows } = await this.#deps.database.queries.updateTable('jobs')
      .set({ state: 'failed', owner: null, lease_until: null, error: 'the server stopped during every attempt', updated_at: nowMs })
      .where('state', '=', 'running').where('lease_until', '<=', nowMs).where('attempts', '>=', mostAttempts)
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  /** Forgets jobs that ended long ago. */
  async forgetFinished(): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    for (const state of ['done', 'failed'] as const) {
      await this.#deps.database.queries.deleteFrom('jobs').where('state', '=', state).where('updated_at', '<', nowMs - finishedKeptMs[state]).execute();
    }
  }

  async #change(job: ClaimedJob, values: Partial<JobRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#deps.database.queries.updateTable('jobs')
      .set({ ...values, updated_at: this.#deps.clock.nowMs() })
      .where('id', '=', job.id).where('fence', '=', job.fence).where('state', '=', 'running')
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }
}
