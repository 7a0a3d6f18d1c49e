import { BackOff } from '#base/back-off.ts';
import { minute, second } from '#base/duration.ts';
import type { BlobComposer } from './blob-composer.ts';
import { pauseAfterScanMs } from './pause-after-scan.ts';
import type { PiecesVacuum } from './pieces-vacuum.ts';
import type { DueTails, TailMover } from './tail-mover.ts';
import type { UnreferencedObjects } from './unreferenced-objects.ts';

/** While 500 people record, three tails a second become due, and the rows of each move are freed by a vacuum. */
const minPauseMs = 2 * second;
/** A scan for tails to move, or for blobs to compose, that finds none takes at most this part of a core. */
const scanParts = 200;
const pauseAfterWork = (): number => minPauseMs;
const pauseAfterScan = (tookMs: number): number =>
  pauseAfterScanMs(tookMs, { minMs: minPauseMs, parts: scanParts });
const sweepEveryMs = 10 * minute;

export interface BackgroundMovesDeps {
  mover: TailMover;
  composer: BlobComposer;
  unreferenced: UnreferencedObjects;
  vacuum: PiecesVacuum;
  due: DueTails;
  /** Called for the first failure, and with null once everything works again. */
  onChanged: (error: unknown) => void;
}

/**
 * Moves tails, composes sealed blobs, sweeps and vacuums, until it is stopped. An outage only makes it wait. Composing
 * a long blob takes minutes, and must not delay moving: rows are bounded by `HOT_LIMIT_BYTES`.
 */
export class BackgroundMoves {
  readonly #deps: BackgroundMovesDeps;
  readonly #stopping = new AbortController();
  readonly #failing = new Set<string>();
  #sweptAtMs = -Infinity;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(deps: BackgroundMovesDeps) {
    this.#deps = deps;
  }

  /** Whether the last attempt of some work failed, for example because the object store does not respond. */
  get isFailing(): boolean {
    return this.#failing.size > 0;
  }

  start(): void {
    const { mover, composer, vacuum, due } = this.#deps;
    this.#ended = Promise.all([
      this.#repeat('moving', async () => (await mover.moveDue(due)) > 0, pauseAfterScan),
      this.#repeat('composing', (signal) => composer.composeNext(signal), pauseAfterScan),
      this.#repeat('sweeping', (signal) => this.#sweepIfDue(signal)),
      // After a failure, PostgreSQL's own vacuum does the work. The next moves report that the database is unavailable.
      this.#repeat('vacuuming', async (signal) => {
        await vacuum.runIfDue(signal).catch(() => undefined);
        return false;
      }),
    ]);
  }

  /**
   * Resolves once the steps that are running have ended. They end after the part or object at which they are, or
   * once the object store is closed.
   */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the store is being closed'));
    await this.#ended;
  }

  /**
   * @param step returns whether there may be more to do at once
   * @param pauseAfter how long to wait after a step that took so long and left nothing to do, in milliseconds
   */
  async #repeat(
    name: string,
    step: (signal: AbortSignal) => Promise<boolean>,
    pauseAfter: (tookMs: number) => number = pauseAfterWork,
  ): Promise<void> {
    const { signal } = this.#stopping;
    const backOff = new BackOff();
    while (!signal.aborted) {
      let pauseMs;
      const startedAtMs = performance.now();
      try {
        pauseMs = (await step(signal)) ? 0 : pauseAfter(performance.now() - startedAtMs);
        backOff.reset();
        this.#note(name, null);
      } catch (error) {
        // A stop interrupted the step.
        if (signal.aborted) return;
        this.#note(name, error);
        pauseMs = backOff.nextMs();
      }
      if (pauseMs > 0) await this.#pause(pauseMs);
    }
  }

  #note(name: string, error: unknown): void {
    const wasFailing = this.isFailing;
    if (error === null) this.#failing.delete(name);
    else this.#failing.add(name);
    if (this.isFailing !== wasFailing) this.#deps.onChanged(error);
  }

  async #sweepIfDue(signal: AbortSignal): Promise<false> {
    if (performance.now() - this.#sweptAtMs < sweepEveryMs) return false;
    await this.#deps.unreferenced.sweep({ signal });
    this.#sweptAtMs = performance.now();
    return false;
  }

  async #pause(pauseMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const elapsed = Promise.withResolvers<void>();
    const timer = setTimeout(elapsed.resolve, pauseMs);
    const stop = (): void => {
      elapsed.resolve();
    };
    signal.addEventListener('abort', stop);
    await elapsed.promise;
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  }
}
