import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '#base/clock.ts';
import { hour, minute, second } from '#base/duration.ts';
import { inTime } from './in-time.ts';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import { databaseTime, type DatabaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { holdLease, LeaseLostError } from '#server/storage/held-lease.ts';
import { workContext } from '#server/logs/work-context.ts';
import type { WakingJobQueue } from './database-job-queue.ts';
import { JobLanes, laneLimits } from './job-lanes.ts';
import { JobLeases, type ClaimedJob, type HeldJob } from './job-leases.ts';
import { maxDeaths } from './next-job-query.ts';
import type { JobHandler } from './job-queue.ts';
import { enqueueScheduled, type Schedule } from './job-schedule.ts';

export interface JobRunnerOptions {
  database: Database;
  queue: WakingJobQueue;
  handlers: readonly JobHandler[];
  clock?: Clock;
  /** What leases and due times are compared with; the database's time unless given. */
  time?: DatabaseTime;
  /**
   * How long without a renewal before another runner may claim a job; `holdLease` says when a job is aborted.
   */
  leaseMs?: number;
  /** How often the table is polled, even without a wake. */
  pollMs?: number;
  /** Called after each run, in the job's work context; `failed` only after the last attempt. */
  onEnded?: (run: {
    kind: string;
    outcome: 'set-aside' | 'done' | 'again' | 'retried' | 'failed' | 'released' | 'postponed' | 'lost';
    error?: unknown;
  }) => void;
  /** Called for errors of the table itself; the next poll retries. */
  onError?: (error: unknown) => void;
  random?: () => number;
}

const settleAfterAbortMs = 2 * second;
/** The delay before a job that found no space, or a store that does not respond, is retried. */
const postponedMs = minute;

const inContextOf = <Result>({ id, request_id: requestId }: ClaimedJob, work: () => Result): Result =>
  workContext.run({ requestId, jobId: id }, work);

/** Runs the jobs of its kinds until it is stopped. Each job has one runner at a time. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #clock: Clock;
  readonly #time: DatabaseTime;
  readonly #leaseMs: number;
  readonly #leases: JobLeases;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #lanes: JobLanes;
  readonly #schedules: Schedule[] = [];
  readonly #running = new Map<Promise<void>, { kind: string; controller: AbortController }>();
  #phase: 'new' | 'started' | 'stopping' = 'new';
  #pumping: Promise<void> | null = null;
  #pumpAgain = false;
  #tidiedAtMs = Number.NEGATIVE_INFINITY;
  #release: (() => void)[] = [];

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#time = options.time ?? databaseTime(options.database, this.#clock);
    this.#leaseMs = options.leaseMs ?? minute;
    this.#leases = new JobLeases({
      database: options.database,
      time: this.#time,
      owner: randomUUID(),
      leaseMs: this.#leaseMs,
      random: options.random ?? Math.random,
    });
    this.#handlers = new Map(options.handlers.map((handler) => [handler.kind, handler]));
    this.#lanes = new JobLanes(options.handlers, options.random);
    if (this.#handlers.size !== options.handlers.length)
      throw new TypeError('two job handlers have the same kind');
  }

  /** Runs a job of this kind once in every `everyMs`, whatever the number of servers. */
  schedule(kind: string, everyMs: number): void {
    if (!this.#handlers.has(kind)) throw new TypeError(`no handler for the scheduled job ${kind}`);
    this.#schedules.push({ kind, everyMs });
  }

  /** Starts to claim jobs. */
  start(): void {
    if (this.#phase !== 'new') throw new Error('a job runner can only start once');
    this.#phase = 'started';
    const poll = setInterval(() => {
      this.#pump();
    }, this.#options.pollMs ?? second);
    this.#release = [
      () => {
        clearInterval(poll);
      },
      this.#options.queue.onWake(() => {
        this.#pump();
      }),
    ];
    this.#pump();
  }

  /**
   * Claims no more jobs and waits for the running ones; after `graceMs` it aborts them and returns them to the
   * queue. A handler that ignores its signal holds its lease until it expires.
   */
  async stop(options: { graceMs?: number } = {}): Promise<void> {
    this.#phase = 'stopping';
    for (const release of this.#release.splice(0)) release();
    await this.#pumping;
    await this.#settledWithin(options.graceMs ?? 10 * second);
    for (const { controller } of this.#running.values())
      controller.abort(new Error('the server is stopping'));
    await this.#settledWithin(settleAfterAbortMs);
  }

  /** Runs all due jobs one after another and returns their number, for tests and commands. */
  async runDue(): Promise<number> {
    await this.#prepare();
    for (let count = 0; ; count += 1) {
      const job = await this.#claim();
      if (job === null) return count;
      await this.#track(job);
    }
  }

  #pump(): void {
    this.#pumpAgain = true;
    this.#pumping ??= this.#fill()
      .catch((error: unknown) => this.#options.onError?.(error))
      .finally(() => {
        this.#pumping = null;
      });
  }

  async #fill(): Promise<void> {
    while (this.#pumpAgain) {
      this.#pumpAgain = false;
      await this.#prepare();
      while (this.#phase === 'started') {
        const job = await this.#claim();
        if (job === null) break;
        void this.#track(job).then(() => {
          if (this.#phase === 'started') this.#pump();
        });
      }
    }
  }

  #claim(): Promise<HeldJob | null> {
    const runningKinds = [...this.#running.values()].map(({ kind }) => kind);
    return this.#leases.claim(this.#lanes.claimable(runningKinds));
  }

  async #prepare(): Promise<void> {
    await enqueueScheduled({ database: this.#options.database, time: this.#time }, this.#schedules);
    for (const job of await this.#leases.deadly())
      await inContextOf(job, () =>
        this.#setAside(job, {
          error: new Error('the server ended while this job ran'),
          deaths: maxDeaths,
        }),
      );
    if (this.#clock.nowMs() - this.#tidiedAtMs < hour) return;
    this.#tidiedAtMs = this.#clock.nowMs();
    await this.#leases.forgetFinished();
  }

  #track(job: HeldJob): Promise<void> {
    const controller = new AbortController();
    const run = inContextOf(job, () =>
      this.#run(job, controller).catch((error: unknown) => this.#options.onError?.(error)),
    ).finally(() => {
      this.#running.delete(run);
    });
    this.#running.set(run, { kind: job.kind, controller });
    return run;
  }

  async #run(job: HeldJob, controller: AbortController): Promise<void> {
    const lease = holdLease({
      leaseMs: this.#leaseMs,
      takenAtMs: job.claimedAtMs,
      renew: () => this.#leases.extend(job),
      onError: (error) => this.#options.onError?.(error),
    });
    try {
      await this.#attempt(job, AbortSignal.any([controller.signal, lease.signal]));
    } finally {
      lease.stop();
    }
  }

  async #attempt(job: ClaimedJob, held: AbortSignal): Promise<void> {
    const budgetMs =
      this.#handlers.get(job.kind)?.budgetMs ?? laneLimits[this.#lanes.laneOf(job.kind)].budgetMs;
    const budget = AbortSignal.timeout(budgetMs);
    const signal = AbortSignal.any([held, budget]);
    let rest: 'again' | void;
    try {
      held.throwIfAborted();
      rest = await this.#handlers.get(job.kind)?.run(
        {
          id: job.id,
          payload: JSON.parse(job.payload) as unknown,
          attempts: job.attempts,
          enqueuedAtMs: job.created_at,
        },
        { signal, progressed: () => this.#leases.progressed(job) },
      );
    } catch (error) {
      const giveBack = budget.aborted
        ? () =>
            this.#setAside(job, {
              error: new Error(`the job took longer than its budget of ${budgetMs / minute} minutes`),
            })
        : () => this.#giveBack(job, held, error);
      return await this.#onceThereIsSpace(giveBack, held);
    }
    const end = () => (rest === 'again' ? this.#leases.continueLater(job) : this.#leases.complete(job));
    const isEnded = await this.#onceThereIsSpace(end, held);
    const outcome = isEnded ? (rest === 'again' ? 'again' : 'done') : 'lost';
    this.#options.onEnded?.({ kind: job.kind, outcome });
  }

  /**
   * Writes the outcome of a run. While the database is full, the runner holds the job: otherwise only the next
   * start would free it, and count a crash.
   */
  async #onceThereIsSpace<Result>(write: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isNoSpaceError(error) || signal.aborted) throw error;
        this.#options.onError?.(error);
        await delay(this.#options.pollMs ?? second, undefined, { signal });
      }
    }
  }

  /**
   * Calls the handler first: if the process ends in between, the job is set aside again later, and no recording
   * waits for ever.
   */
  async #setAside(job: ClaimedJob, { error, deaths }: { error: Error; deaths?: number }): Promise<void> {
    try {
      await this.#handlers.get(job.kind)?.onSetAside?.(JSON.parse(job.payload) as unknown);
    } catch (failure) {
      this.#options.onError?.(failure);
    }
    const isSetAside = await this.#leases.setAside(job, {
      error: error.message,
      ...(deaths === undefined ? {} : { deaths }),
    });
    this.#options.onEnded?.(
      isSetAside ? { kind: job.kind, outcome: 'set-aside', error } : { kind: job.kind, outcome: 'lost' },
    );
  }

  async #giveBack(job: ClaimedJob, signal: AbortSignal, error: unknown): Promise<void> {
    if (signal.aborted && this.#phase === 'stopping') {
      await this.#leases.release(job);
      this.#options.onEnded?.({ kind: job.kind, outcome: 'released' });
      return;
    }
    // Nobody else may have the job yet. This attempt does not count, because the job is not the cause.
    if (signal.reason instanceof LeaseLostError) {
      await this.#leases.release(job);
      this.#options.onEnded?.({ kind: job.kind, outcome: 'lost' });
      return;
    }
    // A full disk, or a store that does not respond, is not the fault of the job.
    if (isStorageOutage(error)) {
      await this.#leases.release(job, postponedMs);
      this.#options.onEnded?.({ kind: job.kind, outcome: 'postponed' });
      return;
    }
    const state = await this.#leases.fail(job, error);
    this.#options.onEnded?.({ kind: job.kind, outcome: state === 'queued' ? 'retried' : state, error });
  }

  /** Waits for the running jobs up to a time limit. */
  async #settledWithin(timeoutMs: number): Promise<void> {
    await inTime(Promise.all(this.#running.keys()), { timeoutMs, otherwise: null });
  }
}
