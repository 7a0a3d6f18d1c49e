import { chapterComments } from '#base/labels/chapters.ts';

/** What is to be converted: all of it, or from one moment to another. */
export interface Cut {
  fromMs: number;
  toMs: number;
}

export interface Chapter {
  atMs: number;
  label: string;
}

/**
 * How a format carries chapters: as its own, or as comments of the VorbisComment chapter extension; null
 * where it has none.
 */
export type ChapterKind = 'own' | 'comments' | null;

export interface ExportMetadata {
  title: string;
  date: string | null;
  chapters: readonly Chapter[];
  cut: Cut;
}

/** ffmpeg's own text of metadata: `=`, `;`, `#`, `\` and line ends stand behind a backslash. */
const escaped = (text: string): string => text.replace(/[=;#\\\n]/g, (sign) => `\\${sign}`);

/** The chapters within a cut, counted from its beginning. */
function inside({ title, chapters, cut: { fromMs, toMs } }: ExportMetadata): Chapter[] {
  const marked = chapters
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, label }, index) => ({
      atMs: atMs - fromMs,
      label: label === '' ? String(index + 1) : label,
    }));
  // MP4 has no chapter that begins later than the one before it ends, and none before the first.
  return marked.length > 0 && marked[0]?.atMs !== 0 ? [{ atMs: 0, label: title }, ...marked] : marked;
}

/** Chapters as comments: ffmpeg's own rounding of them is a second off, so they are written out. */
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
 * Title, date and chapters as ffmpeg reads them; times are from the beginning of the cut, and markers outside
 * of it are left out.
 */
export function ffmetadata(metadata: ExportMetadata, kind: Exclude<ChapterKind, null>): string {
  const chapters = inside(metadata);
  const { fromMs, toMs } = metadata.cut;
  return `;FFMETADATA1\ntitle=${escaped(metadata.title)}\n${metadata.date === null ? '' : `date=${escaped(metadata.date)}\n`}${kind === 'comments' ? asComments(chapters) : asChapters(chapters, toMs - fromMs)}`;
}
