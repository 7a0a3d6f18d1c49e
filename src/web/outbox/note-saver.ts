import type { Note } from '#contract/notes-api.ts';
import { createStore, type Store } from '#base/store.ts';
import { type NoteCalls, type UnsavedNote, saveNoteText } from '#device/sync/send-note.ts';

export type Saving =
  /** `untouched`: nothing has been typed since the note was opened. */
  | { status: 'untouched' | 'typing' | 'saving' | 'saved' }
  | { status: 'failed'; error: unknown }
  /** The note was changed elsewhere. */
  | { status: 'conflict'; theirs: Note };

/**
 * Saves the text of one note, with one request at a time, and never overwrites changes of another device or tab.
 */
export class NoteSaver implements Store<Saving & { text: string }> {
  readonly #calls: NoteCalls;
  readonly #store: Store<Saving & { text: string }> & { set: (next: Saving & { text: string }) => void };
  #revision: number | null;
  /** Null if unknown, because an earlier page wrote the text. */
  #savedText: string | null;
  #text: string;
  #sentText: string | null;
  #running: Promise<void> | null = null;

  /** @param unsaved text that an earlier page could not save */
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

  /** The revision that is being edited; null if the server doesn't have the note. */
  get revision(): number | null {
    return this.#revision;
  }

  /** Whether there is text that the server doesn't have. An empty note does not count. */
  get isBehind(): boolean {
    return this.#text !== this.#savedText && this.#text.trim() !== '';
  }

  /** The text to store until the server has it; null if the server has everything. */
  get unsaved(): UnsavedNote | null {
    return this.isBehind ? { text: this.#text, revision: this.#revision, sentText: this.#sentText } : null;
  }

  /** Replaces the text. `flush` sends it. */
  type(text: string): void {
    this.#text = text;
    const state = this.getSnapshot();
    this.#set(
      state.status === 'conflict' || this.#running !== null
        ? state
        : { status: this.isBehind ? 'typing' : 'saved' },
    );
  }

  /** Sends the typed text. Resolves when the server has all of it or the attempt failed. Never rejects. */
  flush(): Promise<void> {
    if (this.getSnapshot().status === 'conflict') return Promise.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Handles a newer version of the note, and adopts it if nothing is unsaved. Returns whether the text changed.
   */
  receive(note: Note): boolean {
    if (this.#running !== null || this.#revision === null || note.revision <= this.#revision) return false;
    if (!this.isBehind) return this.#adopt(note);
    // Only the position changed, so saving on top of this revision overwrites no text.
    if (note.text === this.#savedText) this.#revision = note.revision;
    return false;
  }

  /** Ends a conflict: the text of this page replaces the other one. */
  saveMine(): Promise<void> {
    const state = this.getSnapshot();
    if (state.status !== 'conflict') return Promise.resolve();
    this.#continueFrom(state.theirs.revision, state.theirs.text);
    this.#set({ status: 'typing' });
    return this.flush();
  }

  /** Ends a conflict: the other text replaces that of this page. */
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

  /** Sends a text. Returns the version from elsewhere if there is a conflict, otherwise null. */
  async #send(text: string): Promise<Note | null> {
    this.#sentText ??= text;
    const outcome = await saveNoteText(
      { text, revision: this.#revision, sentText: this.#sentText },
      this.#calls,
    );
    if (outcome.type === 'conflict') return outcome.theirs;
    this.#continueFrom(outcome.revision, outcome.text);
    return null;
  }

  #continueFrom(revision: number, savedText: string): void {
    this.#revision = revision;
    this.#savedText = savedText;
    this.#sentText = null;
  }
}
