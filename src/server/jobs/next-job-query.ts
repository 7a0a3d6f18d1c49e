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

/** The users who have as many jobs running in a lane as they may. */
const busyUsers = (lanes: readonly ClaimableLane[], now: Expression<number>): RawBuilder<unknown> =>
  sql.join(
    [
      sql`select '' as lane, '' as turn_of where 1 = 0`,
      ...lanes.flatMap(({ lane, kindsOfLane, perUser }) =>
        perUser === null
          ? []
          : [
              sql`select ${sql.lit(lane)} as lane, jobs.user_id as turn_of from jobs
                where jobs.state = 'running' and jobs.lease_until > ${now} and jobs.user_id is not null
                  and jobs.kind in (${sql.join(kindsOfLane)})
                group by jobs.user_id having count(*) >= ${sql.lit(perUser)}`,
            ],
      ),
    ],
    sql` union all `,
  );

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
  const isMet = isPossible({ eb });
  // Literals, because the index covers only jobs with this state.
  return sql<{ id: string }>`
    with recursive
    kinds (kind, lane, place, weight) as (values ${kindsOf(lanes)}),
    busy (lane, turn_of) as (${busyUsers(lanes, now)}),
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
        where jobs.state = 'queued' and jobs.kind = levels.kind and jobs.priority = levels.priority
          and ${turnOf} > starts.after
      ), 1 from levels cross join starts where levels.priority is not null
      union all
      select turns.kind, turns.priority, (
        select min(${turnOf}) from jobs
        where jobs.state = 'queued' and jobs.kind = turns.kind and jobs.priority = turns.priority
          and ${turnOf} > turns.turn_of
      ), turns.depth + 1 from turns where turns.turn_of is not null and turns.depth < ${sql.lit(maxTurnsPerSearch)}
    ),
    candidates (state, kind, priority, turn_of, run_at) as materialized (
      select 'queued', turns.kind, turns.priority, turns.turn_of, (
        select min(jobs.run_at) from jobs
        where jobs.state = 'queued' and jobs.kind = turns.kind and jobs.priority = turns.priority
          and ${turnOf} = turns.turn_of and ${isMet}
      ) from turns where turns.turn_of is not null
      union all
      select jobs.state, jobs.kind, jobs.priority, ${turnOf}, jobs.run_at
      from jobs where ${isRetriable(now, owner)({ eb })} and ${isMet}
    ),
    best (state, kind, priority, turn_of, run_at) as (
      select candidates.state, candidates.kind, candidates.priority, candidates.turn_of, candidates.run_at
      from candidates
      join kinds on kinds.kind = candidates.kind
      left join busy on busy.lane = kinds.lane and busy.turn_of = candidates.turn_of
      left join job_lane_turns
        on job_lane_turns.lane = kinds.lane and job_lane_turns.turn_of = candidates.turn_of
      where busy.turn_of is null and (candidates.state = 'running' or candidates.run_at <= ${now})
      order by kinds.place, candidates.priority * kinds.weight desc, coalesce(job_lane_turns.served_at, 0),
        candidates.run_at
      limit 1
    )
    select (
      select jobs.id from jobs
      where jobs.state = best.state and jobs.kind = best.kind and jobs.priority = best.priority
        and ${turnOf} = best.turn_of and jobs.run_at = best.run_at and ${isMet}
        and (jobs.state = 'queued' or ${isRetriable(now, owner)({ eb })})
      order by jobs.id limit 1
    ) as id from best`;
}
