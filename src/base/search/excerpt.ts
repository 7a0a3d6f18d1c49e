import type { LocatedWords } from './locate-words.ts';

/** A part of a text, with the ranges to mark. */
export interface Excerpt {
  /** On one line; `…` replaces the text before and after. */
  text: string;
  /** From, to, in UTF-16 code units of `text`; in order and not overlapping. */
  ranges: [from: number, to: number][];
}

export interface ExcerptLimits {
  maxLength: number;
  ranges: number;
}

type Places = LocatedWords['places'];

/** Length of the context before the first marked word. */
const leadLength = 30;
/** How far a cut is moved to be between two words. */
const wordLength = 20;

const isInside = (text: string, at: number): boolean =>
  /^[\p{M}\u200d\udc00-\udfff]/u.test(text.slice(at, at + 2)) ||
  /[\ud800-\udbff]$/.test(text.slice(Math.max(0, at - 1), at));

/** How many of the wanted words are close together from an index on, and in how many characters. */
function togetherFrom(places: Places, index: number, maxLength: number): { found: number; length: number } {
  const first = places[index]?.from ?? 0;
  const found = new Set<number>();
  let length = 0;
  for (const { term, to } of places.slice(index)) {
    if (to > first + maxLength - leadLength) break;
    if (!found.has(term)) length = to - first;
    found.add(term);
  }
  return { found: found.size, length };
}

/** The start of the densest group with most of the wanted words; the first of several. */
function bestStart(places: Places, maxLength: number): number {
  let best = { from: places[0]?.from ?? 0, found: 0, length: 0 };
  for (const [index, { from }] of places.entries()) {
    const { found, length } = togetherFrom(places, index, maxLength);
    if (found > best.found || (found === best.found && length < best.length)) best = { from, found, length };
  }
  return best.from;
}

/** The start of the excerpt, a few words before the first marked one. */
function startBefore(text: string, marked: number): number {
  const earliest = Math.max(0, marked - leadLength);
  if (earliest === 0) return 0;
  const space = text.slice(earliest, Math.min(marked, earliest + wordLength)).search(/\s/u);
  let start = space === -1 ? earliest : earliest + space + 1;
  while (start < marked && isInside(text, start)) start += 1;
  return start;
}

function endFrom(
  text: string,
  start: number,
  { maxLength, marked }: { maxLength: number; marked: number },
): number {
  const latest = start + maxLength;
  if (latest >= text.length) return text.length;
  const space = text.slice(Math.max(marked, latest - wordLength), latest).search(/\s\S*$/u);
  let end = space === -1 ? latest : Math.max(marked, latest - wordLength) + space;
  while (end > start && isInside(text, end)) end -= 1;
  return end;
}

/** The marked ranges in an excerpt; overlapping ones are merged. */
function rangesIn(places: Places, { start, end }: { start: number; end: number }): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { from, to } of places
    .filter((place) => place.from >= start && place.from < end)
    .toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = ranges.at(-1);
    const until = Math.min(to, end);
    // A word that the end of the excerpt would cut is only marked if nothing else is.
    if (until < to && last !== undefined) break;
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], until);
    else ranges.push([from, until]);
  }
  return ranges;
}

/** The part of a text that best shows its matches, of bounded length. */
export function excerptOf(
  text: string,
  { places }: LocatedWords,
  { maxLength, ranges: maxRanges }: ExcerptLimits,
): Excerpt {
  const isShort = text.length <= maxLength;
  const marked = isShort ? 0 : bestStart(places, maxLength);
  const start = isShort ? 0 : startBefore(text, marked);
  const end = isShort
    ? text.length
    : endFrom(text, start, { maxLength, marked: places.find(({ from }) => from === marked)?.to ?? marked });
  const before = start > 0 ? '…' : '';
  const shift = before.length - start;
  return {
    text: `${before}${text.slice(start, end).replaceAll(/[\t-\r\u2028\u2029]/gu, ' ')}${end < text.length ? '…' : ''}`,
    ranges: rangesIn(places, { start, end })
      .slice(0, maxRanges)
      .map(([from, to]) => [from + shift, to + shift]),
  };
}
