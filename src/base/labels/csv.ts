import { type Label, labelOf, type ReadLabels } from './label.ts';
import { type CsvRow, quoted, rowsOf } from './csv-rows.ts';
import { type Column, columnNamed } from './csv-columns.ts';
import { clockOf, msOf } from './label-time.ts';

/** A spreadsheet takes a cell that begins like this for a formula; an apostrophe before it makes it text. */
const formula = /^'*[=+\-@\t\r]/;
const asText = (text: string): string => (formula.test(text) ? `'${text}` : text);
const asWritten = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);

/** Labels as a CSV file (RFC 4180) with the columns start, end, label, kind and colour; reading it gives exactly them again. */
export function toCsv(labels: readonly Label[]): string {
  const rows = labels.map(({ atMs, endMs, text, kind, colour }) => [clockOf(atMs), endMs === null ? '' : clockOf(endMs), quoted(asText(text)), kind, colour ?? ''].join(','));
  // The byte order mark tells spreadsheets that it is UTF-8.
  return ['\uFEFFstart,end,label,kind,colour', ...rows, ''].join('\r\n');
}

/** Excel names the separator in a line of its own before the header. */
const separatorLine = /^sep=(.)[ \t]*(?:\r\n|\n|\r|$)/i;

const separatorOf = (header: string): string => [',', ';', '\t'].find((separator) => header.includes(separator)) ?? ',';

/** What stands in a row. */
interface Cells { start: string; end: string; duration: string; text: string; words: string[] }

/** Reads the cells of a row by the columns' names, or, where the first row has none, by their places. */
interface Layout { rows: readonly CsvRow[]; cellsOf: (row: CsvRow) => Cells; unknownColumns: string[] }

function namedLayout(header: CsvRow, rows: readonly CsvRow[]): Layout | null {
  const named = header.fields.map((field) => columnNamed(field));
  // Of two columns for the same thing the first counts; the other is named as left out.
  const columns = named.map((column, index) => (named.indexOf(column) === index ? column : null));
  if (!columns.includes('start')) return null;
  const cellOf = ({ fields }: CsvRow, column: Column): string => fields[columns.indexOf(column)] ?? '';
  const wordsOf = (row: CsvRow): string => [cellOf(row, 'label'), cellOf(row, 'description')].map(asWritten).filter((text) => text !== '').join('\n');
  return {
    rows,
    unknownColumns: header.fields.filter((field, index) => columns[index] === null && field.trim() !== ''),
    cellsOf: (row) => ({
      start: cellOf(row, 'start'), end: cellOf(row, 'end'), duration: cellOf(row, 'duration'), text: wordsOf(row),
      words: [cellOf(row, 'kind'), cellOf(row, 'colour')].map((word) => word.trim().toLowerCase()),
    }),
  };
}

/** Rows without a header: a start, an end where the next cell is a time or empty, and the words. */
function bareLayout(rows: readonly CsvRow[]): Layout | null {
  if (msOf(rows[0]?.fields[0] ?? '') === null) return null;
  return {
    rows, unknownColumns: [],
    cellsOf: ({ fields: [start = '', ...others] }) => {
      const hasEnd = others.length > 1 && (others[0] === '' || msOf(others[0] ?? '') !== null);
      return { start, end: hasEnd ? others[0] ?? '' : '', duration: '', text: asWritten(others[hasEnd ? 1 : 0] ?? ''), words: [] };
    },
  };
}

/** Where a stretch ends: as it states, or its length behind its start; null for a moment, NaN for what is no time. */
function endOf({ end, duration }: Cells, atMs: number): number | null {
  if (end.trim() !== '') return msOf(end) ?? NaN;
  if (duration.trim() === '') return null;
  const lengthMs = msOf(duration);
  return lengthMs === null ? NaN : atMs + lengthMs;
}

/** The rows of a file, with the separator that it states, or that its first line has. */
function tableOf(file: string): CsvRow[] {
  const text = file.replace(/^\uFEFF/, '');
  const stated = separatorLine.exec(text);
  if (stated === null) return rowsOf(text, separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? ''));
  // The line's end stays, so that lines are counted as the file has them.
  return rowsOf(text.slice(stated[0].replace(/[\r\n]+$/, '').length), stated[1] ?? ',');
}

function readRow(line: number, cells: Cells, read: ReadLabels): void {
  const atMs = msOf(cells.start);
  const endMs = atMs === null ? null : endOf(cells, atMs);
  if (atMs === null || Number.isNaN(endMs)) {
    read.refused.push({ line, reason: 'time' });
    return;
  }
  read.lines.push(line);
  read.labels.push(labelOf({ atMs, endMs, text: cells.text, words: cells.words }));
}

/** Reads a CSV file whose first line names its columns, in any order, or that has a time in its first cell; only the start is needed. */
export function fromCsv(file: string): ReadLabels {
  const [header, ...rows] = tableOf(file);
  const layout = header === undefined ? null : namedLayout(header, rows) ?? bareLayout([header, ...rows]);
  if (layout === null) return { labels: [], lines: [], refused: [{ line: 1, reason: 'format' }] };
  const { unknownColumns } = layout;
  const read: ReadLabels = { labels: [], lines: [], refused: [], ...(unknownColumns.length > 0 && { unknownColumns }) };
  for (const row of layout.rows) readRow(row.line, layout.cellsOf(row), read);
  return read;
}
