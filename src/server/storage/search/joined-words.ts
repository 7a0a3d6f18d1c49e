import { codePointLength } from '#base/text.ts';

/** PostgreSQL takes a mebibyte of words for one recording; what is beyond this is not found. */
const mostCharacters = 250_000;

/**
 * Words as they are stored: each once, with a space before, between and behind them; up to a number of
 * characters.
 */
export class JoinedWords {
  readonly #known = new Set<string>();
  #text = ' ';
  #isFull = false;

  constructor(words: Iterable<string> = []) {
    this.add(words);
  }

  /** Nothing that is added from here on is kept. */
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
      this.#isFull = codePointLength(word) + this.#text.length > mostCharacters;
      if (this.#isFull) return;
      this.#known.add(word);
      this.#text += `${word} `;
    }
  }

  /** Adds words that are stored. */
  addStored(stored: string): void {
    this.add(stored.split(' ').filter((word) => word !== ''));
  }
}
