import { createStore, type Store } from '#base/store.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { entryKeyOf, type OutboxStore } from './outbox.ts';

export interface ObservedStoreDeps {
  store: OutboxStore;
  /** The user whose entries the screens show; null while no user is signed in. */
  viewerId: () => string | null;
  /** Whether screens show an entry. The others are stored, but not observed. */
  isShown: (entry: OutboxEntry) => boolean;
  /** Notifies the other pages of this browser that entries changed which screens show. */
  notify: () => void;
}

/**
 * A store whose entries screens can subscribe to. It holds the viewer's entries: changes of this page immediately,
 * those of other pages after `refresh`.
 */
export class ObservedStore implements OutboxStore {
  readonly #deps: ObservedStoreDeps;
  readonly #entries = createStore<readonly OutboxEntry[]>([]);
  /** Entries that this page has put and that are not on the disk yet. */
  readonly #unwritten = new Map<string, OutboxEntry>();
  #changes = 0;

  constructor(deps: ObservedStoreDeps) {
    this.#deps = deps;
  }

  /** The viewer's shown changes that the server does not have, oldest first. */
  get entries(): Store<readonly OutboxEntry[]> {
    return this.#entries;
  }

  list(userId: string): Promise<OutboxEntry[]> {
    return this.#deps.store.list(userId);
  }

  has(entry: OutboxEntry): Promise<boolean> {
    return this.#deps.store.has(entry);
  }

  async put(entry: OutboxEntry): Promise<void> {
    const key = entryKeyOf(entry);
    this.#unwritten.set(key, entry);
    this.#change((entries) => [...entries.filter((one) => entryKeyOf(one) !== key), entry]);
    try {
      await this.#deps.store.put(entry);
    } finally {
      if (this.#unwritten.get(key) === entry) this.#unwritten.delete(key);
      this.#changes += 1;
      this.#notify(entry);
    }
  }

  async settle(entry: OutboxEntry): Promise<void> {
    await this.#deps.store.settle(entry);
    this.#change((entries) => entries.filter(({ id }) => id !== entry.id));
    this.#notify(entry);
  }

  #notify(entry: OutboxEntry): void {
    if (this.#deps.isShown(entry)) this.#deps.notify();
  }

  /** Reads the entries again after another page changed them or the viewer changed. Never rejects. */
  async refresh(): Promise<void> {
    const viewerId = this.#deps.viewerId();
    // Hides the previous viewer's entries immediately, because reading may take long.
    this.#show(this.#entries.getSnapshot());
    if (viewerId === null) return;
    let entries: OutboxEntry[] = [];
    let readAt = -1;
    // The result may lack changes that were made during the read, so read again until there were none.
    while (readAt !== this.#changes) {
      readAt = this.#changes;
      entries = await this.#deps.store.list(viewerId).catch(() => []);
      if (viewerId !== this.#deps.viewerId()) return;
    }
    const unwritten = [...this.#unwritten.values()].filter(({ userId }) => userId === viewerId);
    this.#show([...entries.filter((entry) => !this.#unwritten.has(entryKeyOf(entry))), ...unwritten]);
  }

  #change(change: (entries: readonly OutboxEntry[]) => OutboxEntry[]): void {
    this.#changes += 1;
    this.#show(change(this.#entries.getSnapshot()));
  }

  /** Filters by viewer, so that entries of the previous user are hidden even before `refresh` is called. */
  #show(entries: readonly OutboxEntry[]): void {
    const viewerId = this.#deps.viewerId();
    const shown = entries.filter((entry) => entry.userId === viewerId && this.#deps.isShown(entry));
    const before = this.#entries.getSnapshot();
    if (shown.length !== before.length || shown.some(({ id }, index) => id !== before[index]?.id))
      this.#entries.set(shown);
  }
}
