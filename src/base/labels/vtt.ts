import { second } from '#base/duration.ts';
import { type Label, labelOf, linesOf, metaOf, type ReadLabels } from './label.ts';
import { clockOf, msOf } from './label-time.ts';

/**
 * A cue must have a length (WebVTT §4.1), so a moment is shown for a second, and its identifier marks it as a
 * moment.
 */
const shownMs = second;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
};

const inNumbers = (text: string): string =>
  Array.from(text, (character) => `&#${character.codePointAt(0) ?? 0};`).join('');

/** The text of a cue. An empty line ends a cue, so it is written as character references, like characters that a reader would drop. */
export function vttTextOf(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[^\P{Cc}\t\n]+/gu, inNumbers)
    .replaceAll(/^\n+|\n{2,}|\n+$/g, inNumbers);
}

function characterOf(whole: string, name: string): string {
  const number =
    name.startsWith('#x') || name.startsWith('#X')
      ? Number.parseInt(name.slice(2), 16)
      : Number.parseInt(name.slice(1), 10);
  if (!name.startsWith('#')) return entities[name] ?? whole;
  // Half a surrogate pair is not a character: the server would reject the text, and with it the whole import.
  return number <= 0x10ffff ? String.fromCodePoint(number).toWellFormed() : '\uFFFD';
}

/** The text of a cue without tags such as `<i>` or `<v Roger>`, with character references resolved. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(#\d{1,8}|#[xX][\da-fA-F]{1,7}|[a-z]{2,5});/g, (whole, name: string) =>
      characterOf(whole, name),
    );

const cueOf = (label: Label, index: number): string => {
  const end = label.endMs ?? label.atMs + shownMs;
  const identifier = `${metaOf(label)}${label.endMs === null ? ' moment' : ''} #${index + 1}`;
  return `${identifier}\n${clockOf(label.atMs)} --> ${clockOf(end)}\n${label.text === '' ? '' : `${vttTextOf(label.text)}\n`}`;
};
const header = 'WEBVTT\n';

/** Labels as a WebVTT file; reading it returns the same labels. */
export const toVtt = (labels: readonly Label[]): string => [header, ...labels.map(cueOf)].join('\n');

/** The same text in pieces, of labels that are read while they are written. */
export async function* vttTexts(pages: AsyncIterable<readonly Label[]>): AsyncGenerator<string, void> {
  yield header;
  let index = 0;
  for await (const page of pages)
    for (const label of page) {
      yield `\n${cueOf(label, index)}`;
      index += 1;
    }
}

/** A block of a file, usually the lines between two empty ones, with the number of the first. */
export interface VttBlock {
  line: number;
  lines: string[];
}

/** Two clocks and an arrow, which begin a cue wherever they are (WebVTT §6.1, *collect a block*). */
const timing = /^[ \t]*(?:\d+:)?\d+:\d+(?:[.,]\d+)?[ \t]*-->[ \t]*(?:\d+:)?\d+:\d/;
const startsOtherBlock = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t]|$)/;
const isNumber = (text: string): boolean => /^\d+$/.test(text);
const isBlank = (text: string): boolean => text.trim() === '';

/** Whether the last line before a timing line is the identifier of that cue, and not the end of what stands there. */
function endsWithIdentifier(lines: readonly string[]): boolean {
  const [first = '', last = '', previous] = [lines[0], lines.at(-1), lines.at(-2)];
  if (isBlank(last) || timing.test(last)) return false;
  if (previous === undefined) return !startsOtherBlock.test(last);
  return isBlank(previous) || (isNumber(last) && (isNumber(first) || startsOtherBlock.test(first)));
}

/**
 * Divides a file into blocks. Between cues, some programs leave out the empty line, or write spaces in it, so a
 * timing line ends the block before it.
 */
export function vttBlocksOf(lines: readonly string[]): VttBlock[] {
  const blocks: VttBlock[] = [];
  let open: VttBlock | null = null;
  for (const [index, text] of lines.entries()) {
    if (text === '') {
      open = null;
      continue;
    }
    let block: VttBlock = { line: index + 1, lines: [text] };
    if (open && timing.test(text)) {
      const identifier: string | undefined = endsWithIdentifier(open.lines) ? open.lines.pop() : undefined;
      if (identifier !== undefined) block = { line: index, lines: [identifier, text] };
      while (isBlank(open.lines.at(-1) ?? 'none')) open.lines.pop();
      if (open.lines.length === 0) blocks.pop();
      open = null;
    }
    if (open) open.lines.push(text);
    else blocks.push((open = block));
  }
  return blocks;
}

/** The two times of a cue; null if the line has none. */
function timesOf(timing: string): { atMs: number; endMs: number } | null {
  const times = /^([^>]*)-->[ \t]*([\d:.,]*)/.exec(timing);
  const [atMs, endMs] = [msOf(times?.[1] ?? ''), msOf(times?.[2] ?? '')];
  return atMs === null || endMs === null ? null : { atMs, endMs };
}

export function readCue({ line, lines: [first = '', ...others] }: VttBlock, read: ReadLabels): void {
  const hasName = !first.includes('-->') && others.length > 0;
  const [timing = '', ...words] = hasName ? others : [first, ...others];
  const times = timesOf(timing);
  if (!times) {
    read.rejected.push({ line: line + (hasName ? 1 : 0), reason: 'time' });
    return;
  }
  const said = hasName ? first.split(' ') : [];
  read.lines.push(line + (hasName ? 1 : 0));
  read.labels.push(
    labelOf({
      atMs: times.atMs,
      endMs: said.includes('moment') ? null : times.endMs,
      text: unescaped(words.join('\n')),
      words: said,
    }),
  );
}

/** Reads a WebVTT file from any program; skips comments, styles and regions. */
export function fromVtt(file: string): ReadLabels {
  const [header, ...cues] = vttBlocksOf(linesOf(file));
  if (!header || !/^WEBVTT(?:[ \t]|$)/.test(header.lines[0] ?? ''))
    return { labels: [], lines: [], rejected: [{ line: 1, reason: 'format' }] };
  const read: ReadLabels = { labels: [], lines: [], rejected: [] };
  for (const block of cues)
    if (!/^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(block.lines[0] ?? '')) readCue(block, read);
  return read;
}
