import { type Label, labelOf, type ReadLabels } from './label.ts';
import { type CsvRow, quoted, rowsOf } from './csv-rows.ts';
import { clockOf, msOf } from './label-time.ts';

/** A spreadsheet takes a cell that begins like this for a formula; an apostrophe before it makes it text. */
const formula = /^'*[=+\-@\t\r]/;
const asText = (text: string): string => (formula.test(text) ? `'${text}` : text);
const asWritten = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);

/** What other programs call the columns. */
const names = {
  start: ['start', 'begin', 'time', 'from'], end: ['end', 'stop', 'to'], label: ['label', 'text', 'name', 'title'], kind: ['kind', 'type'], colour: ['colour', 'color'],
} satisfies Record<string, readonly string[]>;
type Column = keyof typeof names;

/** Labels as a CSV file (RFC 4180) with the columns start, end, label, kind and colour; reading it gives exactly them again. */
export function toCsv(labels: readonly Label[]): string {
  const rows = labels.map(({ atMs, endMs, text, kind, colour }) => [clockOf(atMs), endMs === null ? '' : clockOf(endMs), quoted(asText(text)), kind, colour ?? ''].join(','));
  // The byte order mark tells spreadsheets that it is UTF-8.
  return ['\uFEFFstart,end,label,kind,colour', ...rows, ''].join('\r\n');
}

const separatorOf = (header: string): string => [',', ';', '\t'].find((separator) => header.includes(separator)) ?? ',';

/** Gives the words of a row by the column's name; null where there is no column for the start. */
function columnsOf(header: CsvRow | undefined): ((row: CsvRow, column: Column) => string) | null {
  const titles = header?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  const placeOf = (column: Column): number => titles.findIndex((title) => names[column].some((name) => name === title));
  const places = { start: placeOf('start'), end: placeOf('end'), label: placeOf('label'), kind: placeOf('kind'), colour: placeOf('colour') };
  return places.start === -1 ? null : ({ fields }, column) => fields[places[column]] ?? '';
}

/** Reads a CSV file whose first line names its columns, in any order; only the start is needed. */
export function fromCsv(file: string): ReadLabels {
  const text = file.replace(/^\uFEFF/, '');
  const [header, ...rows] = rowsOf(text, separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? ''));
  const columns = columnsOf(header);
  if (!columns) return { labels: [], lines: [], refused: [{ line: 1, reason: 'format' }] };
  const read: ReadLabels = { labels: [], lines: [], refused: [] };
  for (const row of rows) {
    const word = (column: Column): string => columns(row, column).trim().toLowerCase();
    const [atMs, endMs] = [msOf(word('start')), msOf(word('end'))];
    if (atMs === null || (endMs === null && word('end') !== '')) read.refused.push({ line: row.line, reason: 'time' });
    else {
      read.lines.push(row.line);
      read.labels.push(labelOf({ atMs, endMs, text: asWritten(columns(row, 'label')), words: [word('kind'), word('colour')] }));
    }
  }
  return read;
}
