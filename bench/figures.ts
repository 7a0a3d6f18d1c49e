/** Returns the value below which the given share (0–1) of all values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One row of a section's table. */
export type Row = Record<string, string | number>;

export interface Section {
  title: string;
  note: string;
  rows: Row[];
}

/** Runs a measurement and returns its results. */
export type SectionMaker = () => Section | Section[] | Promise<Section | Section[]>;

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** Formats a section as a Markdown table. */
export function toMarkdown({ title, note, rows }: Section): string {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `## ${title}`,
    '',
    note,
    '',
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ''))),
    '',
  ].join('\n');
}
