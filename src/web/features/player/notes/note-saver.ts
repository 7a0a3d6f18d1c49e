import type { Note } from '#contract/notes-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { createStore, type Store } from '#base/store.ts';

export type Saving =
  /** Nothing was typed since it was opened. */
  | { status: 'untouched' | 'typing' | 'saving' | 'saved' }
  | { status: 'failed'; error: unknown }
  /** Somebody changed the note elsewhere meanwhile; null where its place could not be looked up. */
  | { status: 'conflict'; theirs: Note };

export interface NoteCalls {
  /** Writes the text on top of `revision`; null makes the note. */
  send: (text: string, revision: number | null) => Promise<Note>;
  /** The note as the server has it now. */
  read: () => Promise<Note | null>;
}

/**
 * Keeps what is typed into one note on the server, one request at a time, and never writes over what somebody
 * else wrote.
 */
export class NoteSaver implements Store<Saving & { text: string }> {
  readonly #calls: NoteCalls;
  readonly #store: Store<Saving & { text: string }> & { set: (next: Saving & { text: string }) => void };
  #revision: number | null;
  #savedText: string;
  #text: string;
  #running: Promise<void> | null = null;

  constructor(note: Note | null, calls: NoteCalls) {
    this.#calls = calls;
    this.#revision = note?.revision ?? null;
    this.#savedText = this.#text = note?.text ?? '';
    this.#store = createStore<Saving & { text: string }>({ status: 'untouched', text: this.#text });
  }

  readonly getSnapshot = (): Saving & { text: string } => this.#store.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  get text(): string {
    return this.#text;
  }

  /** The one its next words are written on; null where the server has none. */
  get revision(): number | null {
    return this.#revision;
  }

  /** Whether the server lacks something that was typed; a note without words is none. */
  get isBehind(): boolean {
    return this.#text !== this.#savedText && this.#text.trim() !== '';
  }

  /** The text is this now; `flush` sends it. */
  type(text: string): void {
    this.#text = text;
    const state = this.getSnapshot();
    this.#set(
      state.status === 'conflict' || this.#running !== null
        ? state
        : { status: this.isBehind ? 'typing' : 'saved' },
    );
  }

  /** Sends what was typed; resolves when the server has it all, or cannot have it. Never rejects. */
  flush(): Promise<void> {
    if (this.getSnapshot().status === 'conflict') return Promise.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * The note as it is elsewhere: taken over where nothing here is unsaved. True where the text became
   * another.
   */
  heard(note: Note): boolean {
    if (this.#running !== null || this.#revision === null || note.revision <= this.#revision) return false;
    if (!this.isBehind) return this.#adopt(note);
    // Only its place is another: what is unsaved here is written over nobody's words.
    if (note.text === this.#savedText) this.#revision = note.revision;
    return false;
  }

  /** Ends a conflict: what was typed here takes the place of the other text. */
  saveMine(): Promise<void> {
    const state = this.getSnapshot();
    if (state.status !== 'conflict') return Promise.resolve();
    this.#revision = state.theirs.revision;
    this.#savedText = state.theirs.text;
    this.#set({ status: 'typing' });
    return this.flush();
  }

  /** Ends a conflict: the other text stays, this one is let go. */
  takeTheirs(): void {
    const state = this.getSnapshot();
    if (state.status === 'conflict') this.#adopt(state.theirs);
  }

  #set(state: Saving): void {
    this.#store.set({ ...state, text: this.#text });
  }

  #adopt(note: Note): boolean {
    const isOther = note.text !== this.#text;
    this.#revision = note.revision;
    this.#savedText = this.#text = note.text;
    this.#set({ status: 'saved' });
    return isOther;
  }

  async #run(): Promise<void> {
    try {
      while (this.isBehind) {
        const text = this.#text;
        this.#set({ status: 'saving' });
        const note = await this.#calls.send(text, this.#revision);
        this.#revision = note.revision;
        this.#savedText = text;
        this.#set({ status: 'saved' });
      }
    } catch (error) {
      this.#set(await this.#saveErrorOf(error));
    }
  }

  async #saveErrorOf(error: unknown): Promise<Saving> {
    if (!(error instanceof ApiError) || error.code !== 'note-changed') return { status: 'failed', error };
    const theirs = await this.#calls.read().catch(() => null);
    return theirs === null ? { status: 'failed', error } : { status: 'conflict', theirs };
  }
}
