import { day, hour, minute } from '#base/duration.ts';
import type { JobHandler, JobLane } from './job-queue.ts';

/** How many jobs of a lane run at the same time. */
interface LaneLimits {
  /** Per server. */
  slots: number;
  /** Per server and kind: one kind never takes the last slot of a lane with several kinds. */
  perKind: number;
  /** Per user, on all servers; null without a limit. Below `slots`, so that one user never takes the last slot. */
  perUser: number | null;
  /** The time limit of one attempt. */
  budgetMs: number;
}

/** In the order in which a runner looks for jobs. */
export const laneLimits: Readonly<Record<JobLane, LaneLimits>> = {
  short: { slots: 3, perKind: 2, perUser: null, budgetMs: 15 * minute },
  normal: { slots: 3, perKind: 3, perUser: 2, budgetMs: hour },
  long: { slots: 3, perKind: 2, perUser: 1, budgetMs: day },
  background: { slots: 2, perKind: 1, perUser: 1, budgetMs: day },
};

const allLanes: readonly JobLane[] = ['short', 'normal', 'long', 'background'];

/**
 * The share of claims that ignore priorities. They are chosen at random: every fourth could always fall on a moment at
 * which the kind that waits has no free slot.
 */
const fairShare = 0.25;

/** A lane with a free slot, and the kinds that a runner may claim in it. */
export interface ClaimableLane {
  lane: JobLane;
  kinds: readonly string[];
  /** The kinds that count towards `perUser`. */
  kindsOfLane: readonly string[];
  perUser: number | null;
  ignoresPriority: boolean;
}

/** Decides what a runner may claim next, from the lanes of its handlers and what it runs. */
export class JobLanes {
  readonly #laneOfKind: ReadonlyMap<string, JobLane>;
  readonly #random: () => number;

  constructor(handlers: readonly Pick<JobHandler, 'kind' | 'lane'>[], random = Math.random) {
    this.#random = random;
    this.#laneOfKind = new Map(handlers.map(({ kind, lane }) => [kind, lane ?? 'short']));
  }

  laneOf(kind: string): JobLane {
    return this.#laneOfKind.get(kind) ?? 'short';
  }

  /**
   * Returns the lanes with a free slot.
   * @param runningKinds the kind of each job that this runner runs
   */
  claimable(runningKinds: readonly string[]): ClaimableLane[] {
    return allLanes.flatMap((lane) => {
      const { slots, perKind, perUser } = laneLimits[lane];
      const kindsOfLane = [...this.#laneOfKind].filter(([, its]) => its === lane).map(([kind]) => kind);
      if (runningKinds.filter((kind) => this.laneOf(kind) === lane).length >= slots) return [];
      const kinds = kindsOfLane.filter(
        (kind) => runningKinds.filter((running) => running === kind).length < perKind,
      );
      if (kinds.length === 0) return [];
      return [{ lane, kinds, kindsOfLane, perUser, ignoresPriority: this.#random() >= 1 - fairShare }];
    });
  }
}
