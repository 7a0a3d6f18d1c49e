import { second } from '#base/duration.ts';

/** A word and when it is said, in milliseconds on the recording's timeline. */
export interface TimedWord {
  fromMs: number;
  toMs: number;
  text: string;
}

/** From, to (milliseconds on the recording's timeline), and the length of the word with the space before it, in UTF-16 units. */
type WordTime = [fromMs: number, toMs: number, length: number];

/** A part of a transcript that is shown, corrected and exported as one. */
export interface Line {
  fromMs: number;
  toMs: number;
  text: string;
  /** Divides the whole text into words. */
  times: WordTime[];
}

const maxLineMs = 10 * second;
const maxLineLength = 200;
/** The scripts without spaces between words need about a third of the letters. */
const maxSpacelessLength = 60;
const pauseMs = 0.8 * second;

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？，]/u;
const endsSentence = /[.!?…。！？؟۔।]["'”’»)\]]*$/u;

/** What divides two words: nothing in scripts without spaces. */
const spaceBetween = (before: string, after: string): string =>
  before === '' || (spaceless.test(before.slice(-1)) && spaceless.test(after.slice(0, 1))) ? '' : ' ';

/** Joins words to one line. There must be at least one. */
export function lineOfWords(words: readonly TimedWord[]): Line {
  let text = '';
  const times: WordTime[] = words.map((word) => {
    const added = `${spaceBetween(text, word.text)}${word.text}`;
    text += added;
    return [word.fromMs, word.toMs, added.length];
  });
  return { fromMs: words[0]?.fromMs ?? 0, toMs: words.at(-1)?.toMs ?? 0, text, times };
}

/** The words of a line, without the spaces between them. */
export function wordsOfLine({ text, times }: Pick<Line, 'text' | 'times'>): TimedWord[] {
  let at = 0;
  return times.map(([fromMs, toMs, length]) => {
    const word = text.slice(at, at + length).trim();
    at += length;
    return { fromMs, toMs, text: word };
  });
}

function isFull(line: readonly TimedWord[], next: TimedWord): boolean {
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined) return false;
  const length = line.reduce((sum, { text }) => sum + text.length + 1, next.text.length);
  return (
    endsSentence.test(last.text) ||
    next.fromMs - last.toMs >= pauseMs ||
    next.toMs - first.fromMs > maxLineMs ||
    length > (spaceless.test(next.text) ? maxSpacelessLength : maxLineLength)
  );
}

/** Divides words into lines: at the end of a sentence, at pauses, and where a line would be too long. */
export function linesOfWords(words: readonly TimedWord[]): Line[] {
  const lines: TimedWord[][] = [];
  for (const word of words) {
    const open = lines.at(-1);
    if (open === undefined || isFull(open, word)) lines.push([word]);
    else open.push(word);
  }
  return lines.map(lineOfWords);
}

/**
 * The lines of a part of a recording, with times from its start. Of a line at an edge, the words that are wholly inside
 * stay.
 */
export function linesWithin(
  lines: readonly Pick<Line, 'text' | 'times'>[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Line[] {
  return lines.flatMap((line) => {
    const inside = wordsOfLine(line)
      .filter((word) => word.fromMs >= fromMs && word.toMs <= toMs)
      .map((word) => ({ ...word, fromMs: word.fromMs - fromMs, toMs: word.toMs - fromMs }));
    return inside.length === 0 ? [] : [lineOfWords(inside)];
  });
}
