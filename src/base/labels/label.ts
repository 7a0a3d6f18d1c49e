/** The colours of markers. */
export const labelColours = ['blue', 'green', 'amber', 'violet', 'grey'] as const;
export type LabelColour = (typeof labelColours)[number];

/** A text at a time of a recording, as exchanged with files of other programs. */
export interface Label {
  kind: 'marker' | 'note';
  /** Whole milliseconds. */
  atMs: number;
  /** After `atMs`; null for a single moment. */
  endMs: number | null;
  /** May contain several lines. */
  text: string;
  /** Colour of a marker; null if none is stated. */
  colour: LabelColour | null;
}

/** A line of a file that could not be read, counted from one, and the reason. */
interface RejectedLine {
  line: number;
  reason: 'time' | 'columns' | 'format' | 'differs';
}

/** What a plain number counts, and the first part of a clock of two parts: minutes unless it is `hours`. */
export type LabelUnit = 'seconds' | 'milliseconds' | 'hours';

export interface ReadLabels {
  labels: Label[];
  /** The line number of each label, counted from one. */
  lines: number[];
  rejected: RejectedLine[];
  /** Names of unknown columns, as in the file. */
  unknownColumns?: string[];
  /** The unit in which plain numbers were read. Missing if the format has only clocks of three parts. */
  unit?: LabelUnit;
  /**
   * Lines whose hours were left out by a spreadsheet, as the rest of the file shows: their time is only right in a
   * recording of less than an hour.
   */
  linesWithoutHours?: readonly number[];
}

/** Kind and colour as one or two words, for storage next to the text. */
export const metaOf = ({ kind, colour }: Label): string => (colour === null ? kind : `${kind} ${colour}`);

const isColour = (word: string | undefined): word is LabelColour =>
  labelColours.some((colour) => colour === word);

/** A label as read from a file, before its kind is known. */
export interface FoundLabel {
  atMs: number;
  endMs: number | null;
  text: string;
  words: readonly string[];
}

/**
 * Converts a found label. Without a stated kind it is a note if it has a length and a text, otherwise a marker at
 * its start.
 */
export function labelOf({ atMs, endMs, text, words }: FoundLabel): Label {
  const named = words.find((word) => word === 'marker' || word === 'note');
  const end = endMs !== null && endMs > atMs && (named !== undefined || text.trim() !== '') ? endMs : null;
  const kind = named ?? (end === null ? 'marker' : 'note');
  return {
    kind,
    atMs,
    endMs: end,
    text,
    colour: (kind === 'marker' ? words.find(isColour) : undefined) ?? null,
  };
}

/** The lines of a file with any line endings, without a byte order mark. */
export const linesOf = (file: string): string[] => file.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
