import { type Label, labelOf, type LabelUnit, linesOf, metaOf, type ReadLabels } from './label.ts';
import { msOf, secondsOf } from './label-time.ts';

/** Written in the fourth column if the text is escaped. */
const escapedWord = 'escaped';
const special = /[\t\n\r]/;

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
const meant: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };
const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, letter: string) => meant[letter] ?? letter);

/**
 * Labels as an Audacity label track: start, end and text, separated by tabs, in seconds. A fourth column, which
 * Audacity ignores, has kind and colour, so that reading the file returns the same labels.
 */
export function toAudacity(labels: readonly Label[]): string {
  return labels
    .map((label) => {
      const { atMs, endMs, text } = label;
      const isSpecial = special.test(text);
      return `${secondsOf(atMs)}\t${secondsOf(endMs ?? atMs)}\t${isSpecial ? escaped(text) : text}\t${metaOf(label)}${isSpecial ? ` ${escapedWord}` : ''}\n`;
    })
    .join('');
}

function readLine(text: string, line: number, read: ReadLabels & { unit: LabelUnit }): void {
  const [start = '', end, words = '', about = ''] = text.split('\t');
  const [atMs, endMs] = [msOf(start, read.unit), msOf(end ?? start, read.unit)];
  const said = about.split(' ');
  if (end === undefined) read.rejected.push({ line, reason: 'columns' });
  else if (atMs === null || endMs === null) read.rejected.push({ line, reason: 'time' });
  else {
    read.lines.push(line);
    read.labels.push(
      labelOf({ atMs, endMs, text: said.includes(escapedWord) ? unescaped(words) : words, words: said }),
    );
  }
}

/** Reads a label track. Skips lines that start with a backslash (frequencies of a spectral selection). */
export function fromAudacity(file: string, unit: LabelUnit = 'seconds'): ReadLabels {
  const read = { labels: [], lines: [], rejected: [], unit };
  for (const [index, text] of linesOf(file).entries())
    if (text !== '' && !text.startsWith('\\')) readLine(text, index + 1, read);
  return read;
}
