import type { Note } from '#contract/notes-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { createStore, type Store } from '#base/store.ts';

export type Saving =
  /** Nothing was typed since it was opened. */
  | { status: 'untouched' | 'typing' | 'saving' | 'saved' }
  | { status: 'failed'; error: unknown }
  /** The note was changed elsewhere meanwhile. */
  | { status: 'conflict'; theirs: Note };

/** What was typed and the server lacks, as it is stored until the server has it. */
export interface UnsavedNote {
  text: string;
  /** The revision that the text was written on; null where the server has no such note. */
  revision: number | null;
  /** A text that was sent and not answered: where the server has it, nobody else wrote it. */
  sentText: string | null;
}

export interface NoteCalls {
  /** Writes the text on top of `revision`; null makes the note. */
  send: (text: string, revision: number | null) => Promise<Note>;
  /** The note as the server has it now. */
  read: () => Promise<Note | null>;
}

/**
 * Saves what is typed into one note, one request at a time, and never writes over what another device or tab
 * wrote.
 */
export class NoteSaver implements Store<Saving & { text: string }> {
  readonly #calls: NoteCalls;
  readonly #store: Store<Saving & { text: string }> & { set: (next: Saving & { text: string }) => void };
  #revision: number | null;
  /** Null where that is not known: an earlier page wrote the text. */
  #savedText: string | null;
  #text: string;
  #sentText: string | null;
  #running: Promise<void> | null = null;

  /** @param unsaved what an earlier page could not save of it */
  constructor(note: Note | null, calls: NoteCalls, unsaved: UnsavedNote | null = null) {
    this.#calls = calls;
    const known = unsaved ?? note ?? { text: '', revision: null };
    this.#revision = known.revision;
    this.#text = known.text;
    this.#savedText = unsaved ? null : known.text;
    this.#sentText = unsaved?.sentText ?? null;
    const status = unsaved ? 'typing' : 'untouched';
    this.#store = createStore<Saving & { text: string }>({ status, text: known.text });
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

  /** What has to be stored until the server has it; null where the server lacks nothing. */
  get unsaved(): UnsavedNote | null {
    return this.isBehind ? { text: this.#text, revision: this.#revision, sentText: this.#sentText } : null;
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
    this.#continueFrom(state.theirs.revision, state.theirs.text);
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
    this.#text = note.text;
    this.#continueFrom(note.revision, note.text);
    this.#set({ status: 'saved' });
    return isOther;
  }

  async #run(): Promise<void> {
    try {
      while (this.isBehind) {
        this.#set({ status: 'saving' });
        const theirs = await this.#send(this.#text);
        if (theirs) return this.#set({ status: 'conflict', theirs });
        this.#set({ status: 'saved' });
      }
    } catch (error) {
      this.#set({ status: 'failed', error });
    }
  }

  /** Sends a text. Returns the note as it was changed elsewhere; null where this page may write on. */
  async #send(text: string): Promise<Note | null> {
    const isNew = this.#revision === null;
    this.#sentText ??= text;
    try {
      const note = await this.#calls.send(text, this.#revision);
      // A note that is there already, because an earlier answer was lost, is not changed by making it again.
      this.#continueFrom(note.revision, isNew ? note.text : text);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'note-changed') throw error;
      const theirs = await this.#calls.read().catch(() => null);
      if (theirs === null) throw error;
      if (theirs.text !== text && theirs.text !== this.#sentText) return theirs;
      this.#continueFrom(theirs.revision, theirs.text);
      return null;
    }
  }

  #continueFrom(revision: number, savedText: string): void {
    this.#revision = revision;
    this.#savedText = savedText;
    this.#sentText = null;
  }
}
