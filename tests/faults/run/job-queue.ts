import type { FaultKind } from '#tests/faults/kinds/outcome.ts';

export interface Job {
  kind: FaultKind;
  seed: number;
}

/** How long a run usually takes, ms; a kind that takes much longer than most says so. */
export const usualMsOf = ({ usualMs = 15_000 }: FaultKind): number => usualMs;

const placesOf = ({ places = 1 }: FaultKind, all: number): number => Math.min(places, all);

/**
 * The one that needs the whole machine first, then the longest: what begins last is short, and no processor
 * is left without work for long.
 */
const inOrder = (jobs: Job[]): Job[] =>
  jobs.toSorted(
    (a, b) => (b.kind.places ?? 1) - (a.kind.places ?? 1) || usualMsOf(b.kind) - usualMsOf(a.kind),
  );

/**
 * Runs that wait for their turn, in rounds: none of a later round begins before all of an earlier one have.
 * Within a round whatever fits into the free places comes next.
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

  /**
   * Takes the next one that can begin now, if there is one; `isReady` knows which kinds are still being
   * prepared.
   */
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
