import { second } from '#base/duration.ts';

/** A draft is saved after this pause, so that a page that dies loses no more than the last words. */
const draftRestMs = second;

/** Saves what is typed into a field: after a pause, and when the field or the page is left. */
export class TypedDraft {
  readonly #save: (text: string) => void;
  #before = '';
  #typed: string | null = null;
  #isSaved = true;
  #hasSaved = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(save: (text: string) => void) {
    this.#save = save;
  }

  /** @param before the value of the field when typing began */
  type(text: string, before: string): void {
    if (this.#typed === null) this.#before = before;
    this.#typed = text;
    this.#isSaved = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), draftRestMs);
  }

  /** Saves what has not been saved yet. The draft stays open. */
  save(): void {
    clearTimeout(this.#timer);
    if (this.#typed === null || this.#isSaved) return;
    this.#isSaved = true;
    this.#hasSaved = true;
    this.#save(this.#typed);
  }

  /** Saves, and ends the draft. */
  leave(): void {
    this.save();
    this.#end();
  }

  /** Ends the draft and restores the value from before, if the draft has replaced it. */
  discard(): void {
    clearTimeout(this.#timer);
    if (this.#hasSaved) this.#save(this.#before);
    this.#end();
  }

  #end(): void {
    [this.#typed, this.#isSaved, this.#hasSaved] = [null, true, false];
  }
}
