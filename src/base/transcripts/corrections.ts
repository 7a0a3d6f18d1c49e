import { foldForSearch } from '#base/text.ts';
import { type Line, lineOfWords, type TimedWord, wordsOfLine } from './line.ts';

/** What a user wrote in place of the words of a span; an empty text says that nothing is said there. */
export interface Correction {
  id: string;
  fromMs: number;
  toMs: number;
  text: string;
  revision: number;
}

/** A line as it is shown: of a correction, or as the engine heard it. */
export type ShownLine<Heard extends Line> =
  | (Heard & { correction: null })
  | (Line & { correction: Pick<Correction, 'id' | 'revision'> });

const isWithin = (word: TimedWord, { fromMs, toMs }: Pick<Correction, 'fromMs' | 'toMs'>): boolean => {
  const middleMs = (word.fromMs + word.toMs) / 2;
  return middleMs >= fromMs && middleMs < toMs;
};

const sameWord = (one: string, other: string): boolean =>
  one === other || foldForSearch(one) === foldForSearch(other);

/** A longer text is not compared word by word: its words share the time of the span. */
const maxCompared = 1000;

/** The lengths of the longest common subsequences of the rests of two lists of words, by row and column. */
class CommonLengths {
  readonly #width: number;
  readonly #lengths: Uint16Array;

  constructor(heard: readonly string[], written: readonly string[]) {
    this.#width = written.length + 1;
    this.#lengths = new Uint16Array((heard.length + 1) * this.#width);
    for (let row = heard.length - 1; row >= 0; row -= 1)
      for (let column = written.length - 1; column >= 0; column -= 1)
        this.#lengths[row * this.#width + column] = sameWord(heard[row] ?? '', written[column] ?? '')
          ? this.at(row + 1, column + 1) + 1
          : Math.max(this.at(row + 1, column), this.at(row, column + 1));
  }

  at(row: number, column: number): number {
    return this.#lengths[row * this.#width + column] ?? 0;
  }
}

/** For each word of `written` the index of the word of `heard` that it is, or null. */
function matchesOf(heard: readonly string[], written: readonly string[]): (number | null)[] {
  const matches: (number | null)[] = written.map(() => null);
  if (heard.length > maxCompared || written.length > maxCompared) return matches;
  const lengths = new CommonLengths(heard, written);
  for (let row = 0, column = 0; row < heard.length && column < written.length;) {
    if (sameWord(heard[row] ?? '', written[column] ?? '')) {
      matches[column] = row;
      row += 1;
      column += 1;
    } else if (lengths.at(row + 1, column) >= lengths.at(row, column + 1)) row += 1;
    else column += 1;
  }
  return matches;
}

/** Gives words without times equal parts of the time between those that have some. */
function withTimes(
  written: readonly string[],
  known: readonly (TimedWord | null)[],
  { fromMs, toMs }: Pick<Correction, 'fromMs' | 'toMs'>,
): TimedWord[] {
  const words: TimedWord[] = [];
  for (let start = 0; start < written.length;) {
    const own = known[start];
    if (own) {
      words.push({ ...own, text: written[start] ?? '' });
      start += 1;
      continue;
    }
    let end = start;
    while (end < written.length && !known[end]) end += 1;
    const startMs = words.at(-1)?.toMs ?? fromMs;
    const endMs = Math.max(startMs, known[end]?.fromMs ?? toMs);
    const eachMs = (endMs - startMs) / (end - start);
    for (let index = start; index < end; index += 1)
      words.push({
        fromMs: Math.round(startMs + (index - start) * eachMs),
        toMs: Math.round(startMs + (index - start + 1) * eachMs),
        text: written[index] ?? '',
      });
    start = end;
  }
  return words;
}

/** The line of a correction. Words that the user did not change have their times; the others share those between. */
function correctedLine(correction: Correction, heard: readonly TimedWord[]): Line {
  const { fromMs, toMs, text } = correction;
  const written = text.split(/\s+/u).filter((word) => word !== '');
  if (written.length === 0) return { fromMs, toMs, text: '', times: [] };
  const matches = matchesOf(
    heard.map(({ text: word }) => word),
    written,
  );
  const known = matches.map((index) => (index === null ? null : (heard[index] ?? null)));
  return { ...lineOfWords(withTimes(written, known, correction)), fromMs, toMs };
}

/**
 * Lays corrections over lines: they replace the words whose middle is in their span. What is left of a line stays.
 * @param corrections do not overlap each other
 */
export function withCorrections<Heard extends Line>(
  lines: readonly Heard[],
  corrections: readonly Correction[],
): ShownLine<Heard>[] {
  const replaced = new Map<string, TimedWord[]>(corrections.map(({ id }) => [id, []]));
  const shown: ShownLine<Heard>[] = lines.flatMap((line): ShownLine<Heard>[] => {
    const over = corrections.filter(({ fromMs, toMs }) => fromMs < line.toMs && toMs > line.fromMs);
    // A stretch without words is hidden only if a correction covers all of it.
    const isCovered = over.some(({ fromMs, toMs }) => fromMs <= line.fromMs && toMs >= line.toMs);
    if (over.length === 0 || (line.times.length === 0 && !isCovered)) return [{ ...line, correction: null }];
    const left: TimedWord[] = [];
    for (const word of wordsOfLine(line)) {
      const by = over.find((correction) => isWithin(word, correction));
      if (by === undefined) left.push(word);
      else replaced.get(by.id)?.push(word);
    }
    if (left.length > 0 && left.length === line.times.length) return [{ ...line, correction: null }];
    return dividedBy(left, over).map((part) => ({ ...line, ...lineOfWords(part), correction: null }));
  });
  for (const correction of corrections)
    shown.push({
      ...correctedLine(correction, replaced.get(correction.id) ?? []),
      correction: { id: correction.id, revision: correction.revision },
    });
  return shown.toSorted((one, other) => one.fromMs - other.fromMs || one.toMs - other.toMs);
}

/** Divides the words that are left of a line where a correction stands between them. */
function dividedBy(words: readonly TimedWord[], corrections: readonly Correction[]): TimedWord[][] {
  const parts: TimedWord[][] = [];
  for (const word of words) {
    const last = parts.at(-1)?.at(-1);
    const isApart =
      last === undefined || corrections.some(({ fromMs }) => fromMs >= last.fromMs && fromMs <= word.fromMs);
    if (isApart) parts.push([word]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}
