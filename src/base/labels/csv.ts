import { type Label, labelOf, type LabelUnit, type ReadLabels } from './label.ts';
import { type CsvRow, quoted, csvRowsOf } from './csv-rows.ts';
import { type CsvColumn, columnNamed } from './csv-columns.ts';
import { csvTimeOf, type NoCsvTime } from './csv-times.ts';
import { clockOf, msOf } from './label-time.ts';

/** A spreadsheet treats a cell that starts like this as a formula; a leading apostrophe makes it text. */
const formula = /^'*[=+\-@\t\r]/;
const asText = (text: string): string => (formula.test(text) ? `'${text}` : text);
const asWritten = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text;

/**
 * Labels as a CSV file (RFC 4180) with the columns start, end, label, kind and colour; reading it returns the same
 * labels. The last two columns have the times in whole milliseconds, because Excel saves `01:02:03.500` as
 * `02:03.5`, and reads `3723.5` as a date or as 37,235 in some languages.
 */
export function toCsv(labels: readonly Label[]): string {
  const rows = labels.map(({ atMs, endMs, text, kind, colour }) =>
    [
      clockOf(atMs),
      endMs === null ? '' : clockOf(endMs),
      quoted(asText(text)),
      kind,
      colour ?? '',
      atMs,
      endMs ?? '',
    ].join(','),
  );
  // The byte order mark makes spreadsheets read the file as UTF-8.
  return ['\uFEFFstart,end,label,kind,colour,start_ms,end_ms', ...rows, ''].join('\r\n');
}

/** Excel writes the separator in a separate line before the header. */
const separatorLine = /^sep=(.)[ \t]*(?:\r\n|\n|\r|$)/i;

const separatorOf = (header: string): string =>
  [',', ';', '\t'].find((separator) => header.includes(separator)) ?? ',';

/** The cells of a row that matter. */
interface Cells {
  start: string;
  startMs: string;
  end: string;
  endMs: string;
  duration: string;
  text: string;
  words: string[];
}

/** Reads the cells of a row by the names of the columns, or by position if the first row has no names. */
interface Layout {
  rows: readonly CsvRow[];
  cellsOf: (row: CsvRow) => Cells;
  unknownColumns: string[];
  isOurs: boolean;
}

function namedLayout(header: CsvRow, rows: readonly CsvRow[]): Layout | null {
  const named = header.fields.map((field) => columnNamed(field));
  // If two columns have the same meaning, the first is used and the other is reported.
  const columns = named.map((column, index) => (named.indexOf(column) === index ? column : null));
  if (!columns.includes('start') && !columns.includes('startMs')) return null;
  const cellOf = ({ fields }: CsvRow, column: CsvColumn): string => fields[columns.indexOf(column)] ?? '';
  const wordsOf = (row: CsvRow): string =>
    [cellOf(row, 'label'), cellOf(row, 'description')]
      .map(asWritten)
      .filter((text) => text !== '')
      .join('\n');
  return {
    rows,
    // Only Earshot writes these columns, and always with hours.
    isOurs: ['start', 'label', 'kind', 'colour'].every((name) => header.fields.includes(name)),
    unknownColumns: header.fields.filter((field, index) => columns[index] === null && field.trim() !== ''),
    cellsOf: (row) => ({
      start: cellOf(row, 'start'),
      startMs: cellOf(row, 'startMs'),
      end: cellOf(row, 'end'),
      endMs: cellOf(row, 'endMs'),
      duration: cellOf(row, 'duration'),
      text: wordsOf(row),
      words: [cellOf(row, 'kind'), cellOf(row, 'colour')].map((word) => word.trim().toLowerCase()),
    }),
  };
}

/**
 * The layout of rows without a header: a start, an end if the next cell is a time or empty, and the text. A chat
 * has the name of who wrote the text in a cell before it; a comma in a text without quotes divides it as well.
 */
function bareLayout(rows: readonly CsvRow[], separator: string): Layout | null {
  if (msOf(rows[0]?.fields[0] ?? '') === null) return null;
  return {
    rows,
    unknownColumns: [],
    isOurs: false,
    cellsOf: ({ fields: [start = '', ...others] }) => {
      const hasEnd = others.length > 1 && (others[0] === '' || msOf(others[0] ?? '') !== null);
      return {
        start,
        startMs: '',
        end: hasEnd ? (others[0] ?? '') : '',
        endMs: '',
        duration: '',
        text: asWritten(textOf(others.slice(hasEnd ? 1 : 0), separator)),
        words: [],
      };
    },
  };
}

function textOf(cells: readonly string[], separator: string): string {
  if (separator !== '\t') return cells.join(separator);
  return cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' ');
}

interface Place {
  atMs: number;
  endMs: number | null;
  mayLackHours: boolean;
}

/** The time range of a row: its end is stated, or its length after the start. */
function placeOf(cells: Cells, unit: LabelUnit | null): Place | NoCsvTime {
  const start = csvTimeOf({ clock: cells.start, ms: cells.startMs }, unit);
  if (start === null || typeof start === 'string') return start ?? 'time';
  const end = csvTimeOf({ clock: cells.end, ms: cells.endMs }, unit);
  if (typeof end === 'string') return end;
  const length = end === null ? csvTimeOf({ clock: cells.duration, ms: '' }, unit) : null;
  if (typeof length === 'string') return length;
  const endMs = end?.ms ?? (length === null ? null : start.ms + length.ms);
  return {
    atMs: start.ms,
    endMs,
    mayLackHours: [start, end, length].some((time) => time?.mayLackHours === true),
  };
}

/** The rows of a file, with its stated separator, or the one in its first line. */
function tableOf(file: string): { separator: string; rows: CsvRow[] } {
  const text = file.replace(/^\uFEFF/, '');
  const stated = separatorLine.exec(text);
  const separator = stated === null ? separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? '') : (stated[1] ?? ',');
  // The line break stays, so that line numbers match the file.
  const start = stated === null ? 0 : stated[0].replace(/[\r\n]+$/, '').length;
  return { separator, rows: csvRowsOf(text.slice(start), separator) };
}

/** Whether a table is one of Whisper, whose times are whole milliseconds under the names of seconds. */
const isWhisper = (header: CsvRow, rows: readonly CsvRow[], separator: string): boolean =>
  separator === '\t' &&
  header.fields.map((field) => field.trim()).join(' ') === 'start end text' &&
  rows.every(({ fields: [start = '', end = ''] }) => /^\d+$/.test(start) && /^\d+$/.test(end));

/** The header with the columns that its times belong to. */
const correctedHeader = (header: CsvRow, rows: readonly CsvRow[], separator: string): CsvRow =>
  isWhisper(header, rows, separator) ? { ...header, fields: ['start_ms', 'end_ms', 'text'] } : header;

const fractionOfDay = /^(?:0|0?[.,]\d{7,})$/;

/**
 * Whether the times of a table are fractions of a day, as a spreadsheet saves times that it shows as numbers. As
 * seconds, all of them would lie within the first one.
 */
const areFractionsOfDays = (rows: readonly Cells[]): boolean => {
  const starts = rows.map(({ start }) => start.trim());
  return starts.some((start) => start !== '0') && starts.every((start) => fractionOfDay.test(start));
};

/**
 * Whether hours are missing in a file: it was exported by Earshot, which writes hours in every time, or times
 * without hours decrease or end before they start.
 */
const lacksHours = ({ isOurs }: Layout, places: readonly Place[]): boolean =>
  places.some(
    ({ atMs, endMs, mayLackHours }, index) =>
      mayLackHours && (isOurs || (endMs !== null && endMs < atMs) || atMs < (places[index - 1]?.atMs ?? 0)),
  );

/** The layout of a file; null if it names no column and begins with no time. */
function layoutOf(file: string, chosen: LabelUnit | null): Layout | null {
  const { separator, rows: all } = tableOf(file);
  const [header, ...rows] = all;
  if (header === undefined) return null;
  const named = chosen === null ? correctedHeader(header, rows, separator) : header;
  return namedLayout(named, rows) ?? bareLayout(all, separator);
}

/** The unit of the numbers of a table. Whisper's, and those whose columns say so, have milliseconds. */
const unitOf = (rows: readonly Cells[], chosen: LabelUnit | null): LabelUnit =>
  chosen ?? (rows.every(({ start }) => start === '') ? 'milliseconds' : 'seconds');

/**
 * Reads a CSV file that names its columns in the first line, in any order, or has a time in its first cell. Only
 * the start is required.
 * @param chosen the unit that the user chose, null for the one that the file states or seems to have
 */
export function fromCsv(file: string, chosen: LabelUnit | null = null): ReadLabels {
  const layout = layoutOf(file, chosen);
  if (layout === null) return { labels: [], lines: [], rejected: [{ line: 1, reason: 'format' }] };
  const { unknownColumns } = layout;
  const rowsOfCells = layout.rows.map((row) => ({ line: row.line, ...layout.cellsOf(row) }));
  const read: ReadLabels = {
    labels: [],
    lines: [],
    rejected: [],
    unit: unitOf(rowsOfCells, chosen),
    ...(unknownColumns.length > 0 && { unknownColumns }),
  };
  const places: Place[] = [];
  const areFractions = chosen === null && areFractionsOfDays(rowsOfCells);
  for (const { line, ...cells } of rowsOfCells) {
    const place = areFractions ? 'time' : placeOf(cells, chosen);
    if (typeof place === 'string') {
      read.rejected.push({ line, reason: place });
      continue;
    }
    places.push(place);
    read.lines.push(line);
    read.labels.push(labelOf({ ...place, text: cells.text, words: cells.words }));
  }
  return lacksHours(layout, places)
    ? { ...read, linesWithoutHours: read.lines.filter((_, index) => places[index]?.mayLackHours === true) }
    : read;
}
