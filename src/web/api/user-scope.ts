import { createStore, type Store, type WritableStore } from '#base/store.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';

type Dispose = () => void;

/** Where the tab remembers its user, also after a reload. */
interface UserMemory {
  read: () => string | null;
  write: (userId: string | null) => void;
}

/**
 * The data of the current user in this page's memory. Every module that holds some registers here, so that no data
 * of one user is left for the next. It ends in two steps: the data on the screens ends with the session; work that
 * the user started stays for a sign-in after a lost session, and ends with the user.
 */
export class UserScope {
  readonly #onSessionEnd = new Set<Dispose>();
  readonly #onUserLeft = new Set<Dispose>();
  readonly #generation = createStore(0);
  readonly #memory: UserMemory;
  #userId: string | null;
  #isOpen = false;

  constructor(memory: UserMemory = { read: () => null, write: () => undefined }) {
    this.#memory = memory;
    this.#userId = memory.read();
  }

  /** Changes when the user leaves. A screen with this key remounts for the next user. */
  readonly generation: Store<number> = this.#generation;

  /** The user of the session that is open or ended last; null before the first sign-in and after the user left. */
  get userId(): string | null {
    return this.#userId;
  }

  /** A store that returns to its first value when the session ends. */
  createStore<State>(first: State): WritableStore<State> {
    const store = createStore(first);
    this.onSessionEnd(() => store.set(first));
    return store;
  }

  /** Calls back each time a session ends, before any other part of the page learns of it. */
  onSessionEnd(dispose: Dispose): void {
    this.#onSessionEnd.add(dispose);
  }

  /**
   * Calls back each time a user leaves: by signing out, by cancelling the sign-in, or by being replaced by another
   * user. Calls back at once if one has left since this page was opened: what is stored in the tab may be theirs.
   */
  onUserLeft(dispose: Dispose): void {
    this.#onUserLeft.add(dispose);
    if (this.#generation.getSnapshot() > 0) dispose();
  }

  /** Follows the session. `isLeaving`: the user ends it on purpose and is not expected back. */
  follow(userId: string | null, isLeaving: boolean): void {
    const before = this.#userId;
    if (this.#isOpen && userId !== before) {
      this.#isOpen = false;
      for (const dispose of this.#onSessionEnd) dispose();
    }
    const isGone = userId === null ? isLeaving : before !== null && userId !== before;
    if (before !== null && isGone) {
      this.#remember(null);
      for (const dispose of this.#onUserLeft) dispose();
      this.#generation.set(this.#generation.getSnapshot() + 1);
    }
    if (userId === null) return;
    this.#remember(userId);
    this.#isOpen = true;
  }

  #remember(userId: string | null): void {
    if (userId === this.#userId) return;
    this.#userId = userId;
    this.#memory.write(userId);
  }
}

const key = 'earshot.user';

/** The user scope of this page. session-state.ts opens and ends it. */
export const userScope = new UserScope({
  read: () => readText('sessionStorage', key),
  write: (userId) => {
    writeText('sessionStorage', key, userId);
  },
});
