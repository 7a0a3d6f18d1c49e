import { codePointLength } from '#base/text.ts';

/** PostgreSQL accepts one mebibyte of words per recording; words beyond this limit are not found. */
const maxCharacters = 250_000;

/** Joins words for storage: each once, with a space before, between and after them, up to a maximum length. */
export class JoinedWords {
  readonly #known = new Set<string>();
  #text = ' ';
  #isFull = false;

  constructor(words: Iterable<string> = []) {
    this.add(words);
  }

  /** Whether the limit is reached; further words are dropped. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get text(): string {
    return this.#text;
  }

  add(words: Iterable<string>): void {
    for (const word of words) {
      if (this.#isFull) return;
      if (this.#known.has(word)) continue;
      this.#isFull = codePointLength(word) + this.#text.length > maxCharacters;
      if (this.#isFull) return;
      this.#known.add(word);
      this.#text += `${word} `;
    }
  }

  /** Adds words in their stored form. */
  addStored(stored: string): void {
    this.add(stored.split(' ').filter((word) => word !== ''));
  }
}
