import { formatTimecode } from '#base/format-timecode.ts';
import { clockOf } from '#base/labels/label-time.ts';
import { vttTextOf } from '#base/labels/vtt.ts';
import type { Line } from './line.ts';

export type TranscriptFormat = 'txt' | 'timed-txt' | 'srt' | 'vtt';

type WrittenLine = Pick<Line, 'fromMs' | 'toMs' | 'text'>;

/** The lines with words. Of equal lines in a row two are written: an engine that repeats itself does not stop. */
function writtenLines<Written extends WrittenLine>(lines: readonly Written[]): Written[] {
  const written: Written[] = [];
  for (const line of lines) {
    const isThird = written.length > 1 && written.slice(-2).every(({ text }) => text === line.text);
    if (line.text !== '' && !isThird) written.push(line);
  }
  return written;
}

/** A cue must have a length (WebVTT §4.1). */
const endOf = ({ fromMs, toMs }: WrittenLine): number => Math.max(fromMs + 1, toMs);

const srtTime = (ms: number): string => clockOf(ms).replace('.', ',');

/** An arrow would begin a cue. */
const withoutArrow = (text: string): string => text.replaceAll('-->', '->');

const writers: Readonly<Record<TranscriptFormat, (lines: readonly WrittenLine[]) => string>> = {
  txt: (lines) => lines.map(({ text }) => `${text}\n`).join(''),
  'timed-txt': (lines) => lines.map(({ fromMs, text }) => `${formatTimecode(fromMs)}\t${text}\n`).join(''),
  srt: (lines) =>
    lines
      .map(
        (line, index) =>
          `${index + 1}\n${srtTime(line.fromMs)} --> ${srtTime(endOf(line))}\n${withoutArrow(line.text)}\n`,
      )
      .join('\n'),
  vtt: (lines) =>
    [
      'WEBVTT\n',
      ...lines.map(
        (line) =>
          `${clockOf(line.fromMs)} --> ${clockOf(endOf(line))}\n${vttTextOf(withoutArrow(line.text))}\n`,
      ),
    ].join('\n'),
};

/** A transcript as a file: plain text, SubRip, or WebVTT. */
export const transcriptFile = (lines: readonly WrittenLine[], format: TranscriptFormat): string =>
  writers[format](writtenLines(lines));
