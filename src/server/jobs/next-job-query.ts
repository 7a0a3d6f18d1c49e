import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import type { Schema } from '#server/storage/database/schema.ts';
import type { ClaimableLane } from './job-lanes.ts';

/** A job is set aside if its process ended this often during the job, because the job may be the cause. */
export const maxDeaths = 2;

/**
 * A search reads this many users of each kind and priority from the first user on, and as many after the user whose
 * job was claimed last. It costs the same however many jobs and users wait, and every user's turn comes.
 */
const maxTurnsPerSearch = 50;

type JobCondition = (context: { eb: ExpressionBuilder<Schema, 'jobs'> }) => Expression<SqlBool>;

/**
 * Matches jobs of other runners whose lease expired. A runner's own jobs continue when a suspended machine wakes
 * up after their lease expired.
 */
export const isOrphaned =
  (now: Expression<number>, owner: string): JobCondition =>
  ({ eb }) =>
    eb.and([eb('state', '=', 'running'), eb('lease_until', '<=', now), eb('owner', '!=', owner)]);

/**
 * Matches jobs without impossible numbers. Such a job would be claimed again and again, before all others: its row could
 * never be marked as done.
 */
const isPossible: JobCondition = ({ eb }) =>
  eb.and([
    eb.between('fence', 0, Number.MAX_SAFE_INTEGER - 1),
    eb.between('attempts', 0, Number.MAX_SAFE_INTEGER - 1),
  ]);

/** Matches jobs that are orphaned and not to be set aside. */
const isRetriable =
  (now: Expression<number>, owner: string): JobCondition =>
  ({ eb }) =>
    eb.and([isOrphaned(now, owner)({ eb }), eb('deaths', '<', maxDeaths - 1)]);

/** Matches jobs that are due, or orphaned and not to be set aside. */
export const isFree =
  (now: Expression<number>, owner: string): JobCondition =>
  ({ eb }) =>
    eb.and([
      eb.or([eb.and([eb('state', '=', 'queued'), eb('run_at', '<=', now)]), isRetriable(now, owner)({ eb })]),
      isPossible({ eb }),
    ]);

/** Whose turn a job takes: its user's, or that of its kind if it belongs to no user. An index has this expression. */
const turnOf = sql<string>`coalesce(jobs.user_id, jobs.kind)`;

/** The kinds that may be claimed: their lane, its place, and 0 if this claim ignores its priorities. */
const kindsOf = (lanes: readonly ClaimableLane[]): RawBuilder<unknown> =>
  sql.join(
    lanes.flatMap(({ lane, kinds, ignoresPriority }, place) =>
      kinds.map(
        (kind) =>
          sql`(${sql.lit(kind)}, ${sql.lit(lane)}, ${sql.lit(place)}, ${sql.lit(ignoresPriority ? 0 : 1)})`,
      ),
    ),
  );

/** The kinds whose running jobs count towards the limit of a user in a lane. */
const limitsOf = (lanes: readonly ClaimableLane[]): RawBuilder<unknown> =>
  sql.join(
    lanes.flatMap(({ lane, kindsOfLane, perUser }) =>
      kindsOfLane.map(
        (kind) => sql`(${sql.lit(lane)}, ${sql.lit(kind)}, ${sql.lit(perUser ?? Number.MAX_SAFE_INTEGER)})`,
      ),
    ),
  );

/** Matches the jobs of a kind and priority that wait. The state is a literal, because the index covers only these jobs. */
const waitsIn = (level: 'levels' | 'turns'): RawBuilder<SqlBool> =>
  sql`jobs.state = 'queued' and jobs.kind = ${sql.ref(`${level}.kind`)} and jobs.priority = ${sql.ref(`${level}.priority`)}`;

export interface NextJobOptions {
  lanes: readonly ClaimableLane[];
  now: Expression<number>;
  /** The runner. */
  owner: string;
  /** The user, or kind, whose job this runner claimed last; empty if none. */
  lastTurnOf: string;
}

/**
 * The statement that finds the job that a runner should claim next. It jumps through an index from user to user, and
 * reads when the first job of each is due.
 */
export function nextJobQuery({ lanes, now, owner, lastTurnOf }: NextJobOptions): RawBuilder<{ id: string }> {
  const eb = expressionBuilder<Schema, 'jobs'>();
  const possible = isPossible({ eb });
  return sql<{ id: string }>`
    with recursive
    kinds (kind, lane, place, weight) as (values ${kindsOf(lanes)}),
    limits (lane, kind, per_user) as (values ${limitsOf(lanes)}),
    running (kind, user_id) as materialized (
      select jobs.kind, jobs.user_id from jobs
      where jobs.state = 'running' and jobs.lease_until > ${now} and jobs.user_id is not null
    ),
    busy (lane, turn_of) as (
      select limits.lane, running.user_id from running join limits on limits.kind = running.kind
      group by limits.lane, limits.per_user, running.user_id having count(*) >= limits.per_user
    ),
    starts (after) as (values (''), (${lastTurnOf})),
    levels (kind, priority) as (
      select kinds.kind, (
        select max(jobs.priority) from jobs where jobs.state = 'queued' and jobs.kind = kinds.kind
      ) from kinds
      union all
      select levels.kind, (
        select max(jobs.priority) from jobs
        where jobs.state = 'queued' and jobs.kind = levels.kind and jobs.priority < levels.priority
      ) from levels where levels.priority is not null
    ),
    turns (kind, priority, turn_of, depth) as (
      select levels.kind, levels.priority, (
        select min(${turnOf}) from jobs
        where ${waitsIn('levels')} and ${turnOf} > starts.after
      ), 1 from levels cross join starts where levels.priority is not null
      union all
      select turns.kind, turns.priority, (
        select min(${turnOf}) from jobs
        where ${waitsIn('turns')} and ${turnOf} > turns.turn_of
      ), turns.depth + 1 from turns where turns.turn_of is not null and turns.depth < ${sql.lit(maxTurnsPerSearch)}
    ),
    candidates (id, kind, priority, turn_of) as materialized (
      select (
        select jobs.id from jobs
        where ${waitsIn('turns')} and ${turnOf} = turns.turn_of and jobs.run_at <= ${now} and ${possible}
        order by jobs.run_at, jobs.id limit 1
      ), turns.kind, turns.priority, turns.turn_of from turns where turns.turn_of is not null
      union all
      select jobs.id, jobs.kind, jobs.priority, ${turnOf} from jobs where ${isRetriable(now, owner)({ eb })} and ${possible}
    )
    select candidates.id from candidates
    join kinds on kinds.kind = candidates.kind
    left join busy on busy.lane = kinds.lane and busy.turn_of = candidates.turn_of
    left join job_lane_turns
      on job_lane_turns.lane = kinds.lane and job_lane_turns.turn_of = candidates.turn_of
    where candidates.id is not null and busy.turn_of is null
    order by kinds.place, candidates.priority * kinds.weight desc, coalesce(job_lane_turns.served_at, 0),
      (select jobs.run_at from jobs where jobs.id = candidates.id), candidates.id
    limit 1`;
}
