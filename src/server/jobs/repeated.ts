/**
 * Repeats work of this process, with a pause before each run. Unlike a job it runs in every server, and leaves nothing
 * in the database.
 */
export class Repeated {
  readonly #pauseMs: number;
  readonly #run: () => Promise<void>;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = true;
  #running: Promise<void> = Promise.resolve();

  constructor(pauseMs: number, run: () => Promise<void>) {
    this.#pauseMs = pauseMs;
    this.#run = run;
  }

  /** @param onError called if a run fails; the next one follows as usual */
  start(onError: (error: unknown) => void): void {
    this.#isStopped = false;
    this.#schedule(onError);
  }

  /** Stops after the run in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(onError: (error: unknown) => void): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run()
        .catch(onError)
        .finally(() => this.#schedule(onError));
    }, this.#pauseMs);
    this.#timer.unref();
  }
}
