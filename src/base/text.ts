/** Counts what a person would call characters: code points, so that an emoji or a rare Han character is one. */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/** Folds a text for searching: NFKD, marks removed, lower case; the same for the stored title and for what is typed. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim();
}
