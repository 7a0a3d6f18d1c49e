import { BackOff } from '#base/back-off.ts';
import { minute, second } from '#base/duration.ts';
import type { BlobComposer } from './blob-composer.ts';
import type { DueTails, TailMover } from './tail-mover.ts';
import type { UnreferencedObjects } from './unreferenced-objects.ts';

const usualPauseMs = 5 * second;
const sweepEveryMs = 10 * minute;

export interface BackgroundMovesDeps {
  mover: TailMover;
  composer: BlobComposer;
  unreferenced: UnreferencedObjects;
  due: DueTails;
  /** Called for the first failure, and with null once everything works again. */
  onChanged: (error: unknown) => void;
}

/** Moves tails, composes sealed blobs and sweeps, until it is stopped. An outage only makes it wait. */
export class BackgroundMoves {
  readonly #deps: BackgroundMovesDeps;
  readonly #stopped = Promise.withResolvers<void>();
  readonly #backOff = new BackOff();
  #isStopped = false;
  #isFailing = false;
  #sweptAtMs = -Infinity;
  #ended: Promise<void> = Promise.resolve();

  constructor(deps: BackgroundMovesDeps) {
    this.#deps = deps;
  }

  /** Whether the last attempt failed, for example because the object store does not respond. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  start(): void {
    this.#ended = this.#run();
  }

  /** Resolves once the step that is running has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.resolve();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const pauseMs = await this.#step();
      if (pauseMs > 0) await this.#pause(pauseMs);
    }
  }

  /** Returns how long to wait before the next step. */
  async #step(): Promise<number> {
    const { mover, composer, unreferenced, due, onChanged } = this.#deps;
    try {
      const moved = await mover.moveDue(due);
      const isComposed = await composer.composeNext();
      if (performance.now() - this.#sweptAtMs >= sweepEveryMs) {
        await unreferenced.sweep();
        this.#sweptAtMs = performance.now();
      }
      this.#backOff.reset();
      if (this.#isFailing) onChanged(null);
      this.#isFailing = false;
      return moved > 0 || isComposed ? 0 : usualPauseMs;
    } catch (error) {
      if (!this.#isFailing) onChanged(error);
      this.#isFailing = true;
      return this.#backOff.nextMs();
    }
  }

  async #pause(pauseMs: number): Promise<void> {
    const elapsed = Promise.withResolvers<void>();
    const timer = setTimeout(elapsed.resolve, pauseMs);
    await Promise.race([elapsed.promise, this.#stopped.promise]);
    clearTimeout(timer);
  }
}
