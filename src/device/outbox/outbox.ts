import { BackOff } from '#base/back-off.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** What became of an attempt to send a change. */
export type SendResult =
  /** The server has it, or will never accept it: the entry goes. */
  | 'settled'
  /** It waits for an event of its own, such as its user's decision: the next flush tries it again. */
  | 'not-yet'
  /** The server has a problem with it: the others are tried, and all of it again after a wait. */
  | 'later'
  /** Nothing reaches the server now. */
  | 'unreachable'
  /** The session ended, or another user has signed in. */
  | 'other-session';

/** Where entries are stored: IndexedDB, or this page's memory where the browser refuses that. */
export interface OutboxStore {
  /** The entries of one user, oldest first. */
  list: (userId: string) => Promise<OutboxEntry[]>;
  /**
   * Resolves once it is on the disk, in the place of an earlier one of the same user, kind and target. Rejects where
   * the disk has no space for it; this page still knows it then.
   */
  put: (entry: OutboxEntry) => Promise<void>;
  /** Whether an entry is still to be sent: neither settled nor written again, by any page. */
  has: (entry: OutboxEntry) => Promise<boolean>;
  /** Removes an entry that was sent, unless it was written again meanwhile. */
  settle: (entry: OutboxEntry) => Promise<void>;
}

export interface OutboxDeps {
  store: OutboxStore;
  /** The signed-in user; null while there is none, or while a sign-out is under way. */
  userId: () => string | null;
  /** Never rejects. */
  send: (entry: OutboxEntry) => Promise<SendResult>;
  /** Runs work while no other page of this browser holds the lock. */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** Runs work after a delay; a later call replaces an earlier one. */
  schedule: (delayMs: number, work: () => void) => void;
}

/**
 * Sends changes that are stored with what they change, such as those of a take. Resolves to true where some are to be
 * tried again after a wait.
 */
export type OutboxSource = (userId: string) => Promise<boolean>;

/** At most one entry has a key. */
export const entryKeyOf = ({ userId, kind, target }: OutboxEntry): string => `${userId} ${kind} ${target}`;

/**
 * Sends what was changed on this device to the server: at once where that is possible, else whenever `flush` is
 * called. Sending an entry twice is harmless; an entry is never sent with another user's session.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  /** Of two changes of one target the later one arrives last. */
  readonly #inOrder = new KeyedQueue();
  readonly #writes = new KeyedQueue();
  readonly #sources: OutboxSource[] = [];
  #running: Promise<void> | null = null;
  #isFlushWanted = false;
  readonly #backOff = new BackOff();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a change and sends it. The request starts before the disk has answered, because the page may be
   * closed on the next beat; resolves once the change is stored, and tried.
   * @throws the error of the store where neither the server nor the disk has it
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
   * Stores a change, then sends all that waits, oldest first and one page at a time. For changes that must arrive in
   * the order in which they were made on any page.
   * @throws the error of the store; the change is sent all the same, as long as this page lives
   */
  async enqueue(entry: OutboxEntry): Promise<void> {
    try {
      await this.store(entry);
    } finally {
      this.flush().catch(() => undefined);
    }
  }

  /** Flushes a source together with the entries, now and from now on. */
  addSource(source: OutboxSource): void {
    this.#sources.push(source);
    this.flush().catch(() => undefined);
  }

  /** Stores a change that is sent elsewhere, or by the next flush. */
  store(entry: OutboxEntry): Promise<void> {
    return this.#writes.run(entryKeyOf(entry), () => this.#deps.store.put(entry));
  }

  /** Drops a change that the server has learnt otherwise, or that is not wanted any more. */
  drop(entry: OutboxEntry): Promise<void> {
    return this.#writes.run(entryKeyOf(entry), () => this.#deps.store.settle(entry));
  }

  /** Sends one change now, if its user is signed in. */
  #trySend(entry: OutboxEntry): Promise<SendResult> {
    return this.#inOrder.run(entryKeyOf(entry), () => this.#send(entry));
  }

  async #send(entry: OutboxEntry): Promise<SendResult> {
    return entry.userId === this.#deps.userId() ? this.#deps.send(entry) : 'other-session';
  }

  /** Sends a stored change, unless it was settled or written again since it was read; null then. */
  #trySendStored(entry: OutboxEntry): Promise<SendResult | null> {
    const key = entryKeyOf(entry);
    return this.#inOrder.run(key, async () =>
      (await this.#writes.run(key, () => this.#deps.store.has(entry))) ? this.#send(entry) : null,
    );
  }

  /** Tries all that the signed-in user has to send; there is a reason to hope. */
  flush(): Promise<void> {
    this.#isFlushWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isFlushWanted) {
      this.#isFlushWanted = false;
      const userId = this.#deps.userId();
      if (userId === null) return;
      const isRetried = await this.#deps.withLock(`outbox ${userId}`, () => this.#sendAll(userId));
      if (isRetried) this.retryLater();
      else this.#backOff.reset();
    }
  }

  /** Returns whether a change is to be tried again after a wait. */
  async #sendAll(userId: string): Promise<boolean> {
    let isRetried = await this.#sendEntries(userId);
    for (const source of this.#sources) isRetried = (await source(userId).catch(() => false)) || isRetried;
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

  /** Flushes after a wait, which grows with each failure in a row. */
  retryLater(): void {
    this.#deps.schedule(this.#backOff.nextMs(), () => void this.flush().catch(() => undefined));
  }
}
