/** The colours a marker may have. */
export const labelColours = ['blue', 'green', 'amber', 'violet', 'grey'] as const;
export type LabelColour = (typeof labelColours)[number];

/** What was written at a place of a recording, as files of other programs carry it. */
export interface Label {
  kind: 'marker' | 'note';
  /** Whole milliseconds. */
  atMs: number;
  /** After `atMs`; null where it stands for a moment. */
  endMs: number | null;
  /** May have several lines. */
  text: string;
  /** Of a marker; null where none is named. */
  colour: LabelColour | null;
}

/** A place of a file that could not be read: its line, counted from one, and why. */
interface RejectedLine {
  line: number;
  reason: 'time' | 'columns' | 'format' | 'differs';
}

export interface ReadLabels {
  labels: Label[];
  /** Of each label the line it stands in, counted from one. */
  lines: number[];
  rejected: RejectedLine[];
  /** Names of the columns that were not understood, as they stand in the file. */
  unknownColumns?: string[];
  /**
   * Lines whose hours a spreadsheet has left out, as the rest of the file shows: their time is right only in
   * a recording of less than an hour.
   */
  linesWithoutHours?: readonly number[];
}

/** Kind and colour in a word or two, as they stand beside the text. */
export const metaOf = ({ kind, colour }: Label): string => (colour === null ? kind : `${kind} ${colour}`);

const isColour = (word: string | undefined): word is LabelColour =>
  labelColours.some((colour) => colour === word);

/** What a file says of one label, before anything is known of its kind. */
export interface FoundLabel {
  atMs: number;
  endMs: number | null;
  text: string;
  words: readonly string[];
}

/**
 * A label of what was found; one that does not say what it is is a note where it has a length and words, else
 * a marker at its start.
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

/** The lines of a file, whichever way they end, without a byte order mark. */
export const linesOf = (file: string): string[] => file.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
