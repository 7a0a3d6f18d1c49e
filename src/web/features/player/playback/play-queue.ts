import { createStore, type Store } from '#base/store.ts';

/** A recording that waits for its turn. */
export interface QueueItem {
  id: string;
  title: string;
  durationMs: number;
  /** Else it is played from its files on this device. */
  isOnServer: boolean;
}

/**
 * What comes next, in its order, and what came before. A recording waits once: put in again, it changes its
 * place.
 */
export class PlayQueue implements Store<readonly QueueItem[]> {
  /** What waits. */
  readonly #items = createStore<readonly QueueItem[]>([]);
  readonly subscribe = this.#items.subscribe;
  readonly getSnapshot = this.#items.getSnapshot;
  #played: readonly QueueItem[] = [];

  playNext(item: QueueItem): void {
    this.#items.set([item, ...this.#without(item.id)]);
  }

  add(item: QueueItem): void {
    this.#items.set([...this.#without(item.id), item]);
  }

  remove(id: string): void {
    this.#items.set(this.#without(id));
  }

  clear(): void {
    this.#items.set([]);
  }

  /** Forgets also what was played before. */
  reset(): void {
    this.#played = [];
    this.clear();
  }

  /**
   * Takes out what is played now, `instead` of the recording that was playing; those before it go on waiting.
   * Null where it no longer waits.
   */
  take(id: string, instead: QueueItem | null): QueueItem | null {
    const chosen = this.getSnapshot().find((item) => item.id === id);
    if (!chosen) return null;
    if (instead) this.#played = [...this.#played, instead];
    this.#items.set(this.#without(id));
    return chosen;
  }

  /** What was played before. */
  get before(): QueueItem | null {
    return this.#played.at(-1) ?? null;
  }

  /** Goes back to what was played before; the recording it is played `instead` of waits first. */
  previous(instead: QueueItem | null): QueueItem | null {
    const last = this.before;
    if (!last) return null;
    this.#played = this.#played.slice(0, -1);
    this.#items.set(instead ? [instead, ...this.#without(instead.id)] : this.getSnapshot());
    return last;
  }

  #without(id: string): readonly QueueItem[] {
    return this.getSnapshot().filter((item) => item.id !== id);
  }
}
