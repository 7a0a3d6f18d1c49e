import type { FaultKind } from '#tests/faults/kinds/outcome.ts';

export interface Job {
  kind: FaultKind;
  seed: number;
}

/** The usual duration of a run in ms. A kind that takes much longer than most states it. */
export const typicalMsOf = ({ typicalMs = 15_000 }: FaultKind): number => typicalMs;

const placesOf = ({ places = 1 }: FaultKind, all: number): number => Math.min(places, all);

/**
 * Puts the jobs that need the most slots first, then the longest, so that the last jobs are short and no processor
 * is idle for long.
 */
const inOrder = (jobs: Job[]): Job[] =>
  jobs.toSorted(
    (a, b) => (b.kind.places ?? 1) - (a.kind.places ?? 1) || typicalMsOf(b.kind) - typicalMsOf(a.kind),
  );

/**
 * A queue of runs in rounds: no run of a later round starts before all of an earlier one have started. Within a
 * round, the next run is the first that fits into the free slots.
 */
export class JobQueue {
  readonly #rounds: Job[][];
  readonly #places: number;
  readonly #running = new Set<Job>();

  constructor(rounds: Job[][], places: number) {
    this.#rounds = rounds.map(inOrder);
    this.#places = places;
  }

  get isEmpty(): boolean {
    return this.#rounds.every((round) => round.length === 0);
  }

  /** Removes and returns the next job that can start now, or null. `isReady` says which kinds are prepared. */
  take(isReady: (kind: FaultKind) => boolean): Job | null {
    const round = this.#rounds.find(({ length }) => length > 0) ?? [];
    const index = round.findIndex(({ kind }) => this.#fits(kind) && isReady(kind));
    const [job] = index < 0 ? [] : round.splice(index, 1);
    if (!job) return null;
    this.#running.add(job);
    return job;
  }

  end(job: Job): void {
    this.#running.delete(job);
  }

  #fits(kind: FaultKind): boolean {
    const running = [...this.#running].map((job) => job.kind);
    if (kind.needs !== undefined && running.some(({ needs }) => needs === kind.needs)) return false;
    return (
      running.reduce((sum, one) => sum + placesOf(one, this.#places), placesOf(kind, this.#places)) <=
      this.#places
    );
  }
}
