import { BackOff } from '#base/back-off.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** The result of an attempt to send a change. */
export type SendResult =
  /** The server has it, or will never accept it. The entry is removed. */
  | 'settled'
  /** It waits for an event, such as a decision of its user. The next flush tries it again. */
  | 'not-yet'
  /** The server failed on it. The other entries are still sent, and the flush is repeated after a wait. */
  | 'later'
  /** The server can't be reached. */
  | 'unreachable'
  /** The session ended, or another user has signed in. */
  | 'other-session';

/** Stores entries in IndexedDB, or in this page's memory if the browser blocks IndexedDB. */
export interface OutboxStore {
  /** The entries of one user, oldest first. */
  list: (userId: string) => Promise<OutboxEntry[]>;
  /**
   * Resolves once the entry is on the disk. It replaces an earlier one of the same user, kind and target. Rejects
   * if the disk has no space for it. It is then held in this page's memory.
   */
  put: (entry: OutboxEntry) => Promise<void>;
  /** Whether an entry still has to be sent: no page has settled it or written it again. */
  has: (entry: OutboxEntry) => Promise<boolean>;
  /** Removes an entry that was sent, unless it has been written again. */
  settle: (entry: OutboxEntry) => Promise<void>;
}

export interface OutboxDeps {
  store: OutboxStore;
  /** The signed-in user; null while no user is signed in or a sign-out is in progress. */
  userId: () => string | null;
  /** Never rejects. */
  send: (entry: OutboxEntry) => Promise<SendResult>;
  /** Runs work while no other page of this browser holds the lock. */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** Runs work after a delay. A later call replaces an earlier one. */
  schedule: (delayMs: number, work: () => void) => void;
}

/**
 * Sends changes that are stored elsewhere, such as those of takes. Resolves to true if some need a retry after a
 * wait.
 */
export type OutboxSource = (userId: string) => Promise<boolean>;

/** The unique key of an entry. */
export const entryKeyOf = ({ userId, kind, target }: OutboxEntry): string => `${userId} ${kind} ${target}`;

/**
 * Sends changes made on this device to the server: immediately if possible, otherwise on `flush`. Sending an entry
 * twice is harmless. An entry is never sent with another user's session.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  /** Ensures that of two changes of one target the later one arrives last. */
  readonly #inOrder = new KeyedQueue();
  readonly #writes = new KeyedQueue();
  readonly #sources: OutboxSource[] = [];
  #running: Promise<void> | null = null;
  #isFlushWanted = false;
  /** Whether the wanted flush includes the sources, which read more than the entries. */
  #areSourcesWanted = false;
  readonly #backOff = new BackOff();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a change and sends it. The request starts before the disk has responded, because the page may be closed
   * any moment. Resolves once the change is stored and one attempt to send it has ended.
   * @throws the store's error if neither the server nor the disk has the change
   */
  async add(entry: OutboxEntry): Promise<void> {
    const sending = this.#trySend(entry);
    const [stored] = await Promise.allSettled([this.store(entry)]);
    const result = await sending;
    if (result === 'settled') return this.#deps.store.settle(entry);
    if (result === 'later') this.retryLater();
    if (stored.status === 'rejected') throw stored.reason;
  }

  /**
   * Stores a change, then sends all entries, oldest first and from one page at a time, without the sources. For
   * changes that must arrive in the order in which they were made on any page.
   * @throws the store's error; the change is still sent as long as this page is open
   */
  async enqueue(entry: OutboxEntry): Promise<void> {
    try {
      await this.store(entry);
    } finally {
      this.#start().catch(() => undefined);
    }
  }

  /** Flushes a source now and with every later flush. */
  addSource(source: OutboxSource): void {
    this.#sources.push(source);
    this.flush().catch(() => undefined);
  }

  /** Stores a change without sending it. The caller or the next flush sends it. */
  store(entry: OutboxEntry): Promise<void> {
    // Not queued: screens show a change at once, also while an earlier one of its target is being written.
    const stored = this.#deps.store.put(entry);
    stored.catch(() => undefined);
    return this.#writes.run(entryKeyOf(entry), () => stored);
  }

  /** Whether a change is still to be sent, once what this page is writing of it is on the disk. */
  has(entry: OutboxEntry): Promise<boolean> {
    return this.#writes.run(entryKeyOf(entry), () => this.#deps.store.has(entry));
  }

  /** Removes a change that the server received by other means or that is no longer wanted. */
  drop(entry: OutboxEntry): Promise<void> {
    return this.#writes.run(entryKeyOf(entry), () => this.#deps.store.settle(entry));
  }

  /** Sends one change now if its user is signed in. */
  #trySend(entry: OutboxEntry): Promise<SendResult> {
    return this.#inOrder.run(entryKeyOf(entry), () => this.#send(entry));
  }

  async #send(entry: OutboxEntry): Promise<SendResult> {
    return entry.userId === this.#deps.userId() ? this.#deps.send(entry) : 'other-session';
  }

  /** Sends a stored change. Returns null if it has been settled or written again since it was read. */
  #trySendStored(entry: OutboxEntry): Promise<SendResult | null> {
    const key = entryKeyOf(entry);
    return this.#inOrder.run(key, async () => ((await this.has(entry)) ? this.#send(entry) : null));
  }

  /**
   * Sends all entries of the signed-in user and the changes of all sources. Call it when the server may have become
   * reachable.
   */
  flush(): Promise<void> {
    this.#areSourcesWanted = true;
    return this.#start();
  }

  #start(): Promise<void> {
    this.#isFlushWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isFlushWanted) {
      const withSources = this.#areSourcesWanted;
      this.#isFlushWanted = false;
      this.#areSourcesWanted = false;
      const userId = this.#deps.userId();
      if (userId === null) return;
      const isRetried = await this.#deps.withLock(`outbox ${userId}`, () =>
        this.#sendAll(userId, withSources),
      );
      if (isRetried) this.retryLater();
      else if (withSources) this.#backOff.reset();
    }
  }

  /** Returns whether some changes need a retry after a wait. */
  async #sendAll(userId: string, withSources: boolean): Promise<boolean> {
    let isRetried = await this.#sendEntries(userId);
    for (const source of withSources ? this.#sources : [])
      isRetried = (await source(userId).catch(() => false)) || isRetried;
    return isRetried;
  }

  async #sendEntries(userId: string): Promise<boolean> {
    let isRetried = false;
    for (const entry of await this.#deps.store.list(userId)) {
      const result = await this.#trySendStored(entry);
      if (result === 'settled') await this.#deps.store.settle(entry);
      if (result === 'later') isRetried = true;
      if (result === 'unreachable' || result === 'other-session') return isRetried;
    }
    return isRetried;
  }

  /** Flushes after a wait, which grows with every consecutive failure. */
  retryLater(): void {
    this.#deps.schedule(this.#backOff.nextMs(), () => void this.flush().catch(() => undefined));
  }
}
