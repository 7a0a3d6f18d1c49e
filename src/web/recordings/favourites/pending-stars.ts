import { createStore, type Store } from '#base/store.ts';
import { isRecord } from '#device/site-data/text-store.ts';

/** What a person wants of recordings and the server has not confirmed: starred or not, by recording. */
export type Stars = ReadonlyMap<string, boolean>;

export interface PendingStarsDeps {
  /** For whom the page is; null where that is not known. */
  viewerId(): string | null;
  /** Whom the server knows as signed in; null where it does not say. */
  senderId(): string | null;
  /** The stored JSON value, which all tabs share. */
  read(): unknown;
  write(text: string | null): void;
  /** Runs the work in one tab at a time. */
  alone(work: () => Promise<void>): Promise<void>;
  send(recordingId: string, isFavourite: boolean): Promise<unknown>;
  /** Whether a failure says nothing about the star: it is sent again later. */
  isPassing(error: unknown): boolean;
  onSaved(recordingId: string, isFavourite: boolean): void;
  onRejected(error: unknown): void;
}

/**
 * Stars that are shown before the server has them. They are stored on the device until it does, so that one
 * set without a connection is sent later, once, also after a reload. One that the server refuses goes back.
 */
export class PendingStars {
  readonly #deps: PendingStarsDeps;
  readonly #store = createStore<Stars>(new Map());

  constructor(deps: PendingStarsDeps) {
    this.#deps = deps;
    this.refresh();
  }

  get stars(): Store<Stars> {
    return this.#store;
  }

  /** Shows a star at once and sends it, or stores it to be sent. */
  async set(recordingId: string, isFavourite: boolean): Promise<void> {
    this.#write(new Map([...this.#read(), [recordingId, isFavourite]]));
    await this.send();
  }

  /** Drops what is pending for recordings that were starred by another way. */
  forget(recordingIds: readonly string[]): void {
    const stars = this.#read();
    const left = new Map([...stars].filter(([id]) => !recordingIds.includes(id)));
    if (left.size < stars.size) this.#write(left);
  }

  /** Reads again what is stored: another tab, or another person, changed it. */
  refresh(): void {
    this.#show(this.#read());
  }

  /** Sends what is pending, each star as it is wanted at that moment; what cannot be sent now stays. */
  async send(): Promise<void> {
    if (this.#store.getSnapshot().size > 0) await this.#deps.alone(() => this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!(await this.#sendOne(...next))) break;
    }
    // Another tab may have sent some of them.
    this.refresh();
  }

  #next(): [recordingId: string, isFavourite: boolean] | undefined {
    return this.#deps.senderId() === this.#deps.viewerId() ? [...this.#read()][0] : undefined;
  }

  async #sendOne(recordingId: string, isFavourite: boolean): Promise<boolean> {
    const sender = this.#deps.senderId();
    try {
      await this.#deps.send(recordingId, isFavourite);
      this.#deps.onSaved(recordingId, isFavourite);
    } catch (error) {
      if (this.#deps.isPassing(error)) return false;
      this.#deps.onRejected(error);
    }
    // A star that was changed meanwhile stays pending, and so does another person's.
    if (this.#deps.viewerId() === sender && this.#read().get(recordingId) === isFavourite)
      this.forget([recordingId]);
    return true;
  }

  #read(): Stars {
    const viewerId = this.#deps.viewerId();
    const stored = viewerId === null ? null : this.#deps.read();
    return new Map(
      isRecord(stored) && stored['userId'] === viewerId && Array.isArray(stored['stars'])
        ? stored['stars'].filter(isStar)
        : [],
    );
  }

  #write(stars: Stars): void {
    const userId = this.#deps.viewerId();
    if (userId === null) return;
    this.#deps.write(stars.size === 0 ? null : JSON.stringify({ userId, stars: [...stars] }));
    this.#show(stars);
  }

  #show(stars: Stars): void {
    if (JSON.stringify([...stars]) !== JSON.stringify([...this.#store.getSnapshot()])) this.#store.set(stars);
  }
}

const isStar = (value: unknown): value is [string, boolean] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
