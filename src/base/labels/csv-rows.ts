/** One record of a CSV file and the number of its first line, from one. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** Quotes a field if it needs quotes (RFC 4180). */
export const quoted = (field: string): string =>
  /[",\r\n;\t]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;

/** The offset of the closing quote of the field that starts at `from`, or the end of the file. */
function closingQuote(file: string, from: number): number {
  let at = file.indexOf('"', from + 1);
  while (at !== -1 && file[at + 1] === '"') at = file.indexOf('"', at + 2);
  return at === -1 ? file.length : at;
}

const lineBreaks = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** Reads one field. `end` is the offset of its separator, its line break or the end of the file. */
function fieldAt(file: string, at: number, plain: RegExp): { field: string; end: number } {
  const close = file[at] === '"' ? closingQuote(file, at) : null;
  plain.lastIndex = close === null ? at : close + 1;
  const end = plain.exec(file)?.index ?? file.length;
  if (close === null) return { field: file.slice(at, end), end };
  return { field: file.slice(at + 1, close).replaceAll('""', '"') + file.slice(close + 1, end), end };
}

/**
 * Reads the records of a CSV file (RFC 4180) with any line endings; skips empty lines. `separator` is a comma, a
 * semicolon or a tab.
 */
export function csvRowsOf(file: string, separator: string): CsvRow[] {
  const plain = new RegExp(`[${separator}\\r\\n]|$`, 'g');
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  let row: CsvRow = { line, fields: [] };
  while (at < file.length) {
    const { field, end } = fieldAt(file, at, plain);
    line += lineBreaks(file.slice(at, end));
    row.fields.push(field);
    if (file[end] !== separator) {
      rows.push(row);
      line += 1;
      row = { line, fields: [] };
    }
    at = end + (file.startsWith('\r\n', end) ? 2 : 1);
  }
  if (row.fields.length > 0) rows.push(row);
  return rows.filter(({ fields }) => fields.some((text) => text !== ''));
}
