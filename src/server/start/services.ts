import type { Service } from '#server/features/feature.ts';
import { closeAll } from './close-all.ts';

/** What this process has started, in order. */
export class Services {
  readonly #closers: (() => void | Promise<void>)[] = [];

  /**
   * Starts services one after another.
   * @throws the error of the first that cannot start; `stop` then also stops that one
   */
  async start(...services: readonly Service[]): Promise<void> {
    for (const service of services) {
      this.#closers.push(() => service.stop?.());
      await service.start?.();
    }
  }

  /** Stops them in the reverse order, even if one of them cannot be stopped. */
  async stop(): Promise<void> {
    await closeAll(this.#closers);
  }
}
