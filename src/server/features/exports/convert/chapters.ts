import { chapterComments } from '#base/labels/chapters.ts';

/** The range to convert. */
export interface Cut {
  fromMs: number;
  toMs: number;
}

export interface Chapter {
  atMs: number;
  label: string;
}

/**
 * How a format stores chapters: as a feature of its container, or as comments (VorbisComment chapter extension);
 * null if it can't.
 */
export type ChapterKind = 'own' | 'comments' | null;

export interface ExportMetadata {
  title: string;
  date: string | null;
  chapters: readonly Chapter[];
  cut: Cut;
}

/** Escapes ffmpeg's metadata format: a backslash precedes `=`, `;`, `#`, `\` and line ends. */
const escaped = (text: string): string => text.replace(/[=;#\\\n]/g, (sign) => `\\${sign}`);

/** The chapters within a cut, with times relative to its start. */
function inside({ title, chapters, cut: { fromMs, toMs } }: ExportMetadata): Chapter[] {
  const marked = chapters
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, label }, index) => ({
      atMs: atMs - fromMs,
      label: label === '' ? String(index + 1) : label,
    }));
  // In MP4 every chapter starts where the previous one ends, and the first one starts at zero.
  return marked.length > 0 && marked[0]?.atMs !== 0 ? [{ atMs: 0, label: title }, ...marked] : marked;
}

/** Chapters as comments. They are written explicitly because ffmpeg's own rounding is off by up to a second. */
const asComments = (chapters: readonly Chapter[]): string =>
  chapterComments(chapters.map(({ atMs, label }) => ({ kind: 'marker', atMs, text: label })))
    .map((comment) => {
      const [name = '', ...value] = comment.split('=');
      return `${name}=${escaped(value.join('='))}
`;
    })
    .join('');

const asChapters = (chapters: readonly Chapter[], lengthMs: number): string =>
  chapters
    .map(
      ({ atMs, label }, index) =>
        `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${atMs}\nEND=${chapters[index + 1]?.atMs ?? lengthMs}\ntitle=${escaped(label)}\n`,
    )
    .join('');

/**
 * Title, date and chapters in ffmpeg's metadata format. Times are relative to the start of the cut, and markers
 * outside of it are omitted.
 */
export function ffmetadata(metadata: ExportMetadata, kind: Exclude<ChapterKind, null>): string {
  const chapters = inside(metadata);
  const { fromMs, toMs } = metadata.cut;
  return `;FFMETADATA1\ntitle=${escaped(metadata.title)}\n${metadata.date === null ? '' : `date=${escaped(metadata.date)}\n`}${kind === 'comments' ? asComments(chapters) : asChapters(chapters, toMs - fromMs)}`;
}
