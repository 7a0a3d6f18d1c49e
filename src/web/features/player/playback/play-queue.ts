import { createStore, type Store } from '#base/store.ts';

/** A recording in the queue. */
export interface QueueItem {
  id: string;
  title: string;
  durationMs: number;
  /** If false, the recording is played from its files on this device. */
  isOnServer: boolean;
}

/**
 * The queue of recordings to play, and the history of those played. A recording is queued at most once: queueing
 * it again moves it.
 */
export class PlayQueue implements Store<readonly QueueItem[]> {
  /** The queued recordings. */
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

  /** Clears the queue and the history. */
  reset(): void {
    this.#played = [];
    this.clear();
  }

  /**
   * Removes the recording that is played now, and adds `instead`, which was playing, to the history. Recordings
   * before it stay queued. Null if it is no longer queued.
   */
  take(id: string, instead: QueueItem | null): QueueItem | null {
    const chosen = this.getSnapshot().find((item) => item.id === id);
    if (!chosen) return null;
    if (instead) this.#played = [...this.#played, instead];
    this.#items.set(this.#without(id));
    return chosen;
  }

  /** The recording played before the current one. */
  get before(): QueueItem | null {
    return this.#played.at(-1) ?? null;
  }

  /** Returns to the recording played before. `instead`, the current one, moves to the front of the queue. */
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
