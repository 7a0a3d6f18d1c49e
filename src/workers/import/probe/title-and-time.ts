import { limits } from '#contract/limits.ts';

/** What may tell what a file is called and when it was recorded. */
export interface FileNews {
  name: string;
  lastModifiedMs: number;
  tagTitle: string | undefined;
  tagDate: Date | undefined;
}

/** No phone recorded before. */
const earliestMs = Date.UTC(1970, 0, 2);

// A day, then perhaps a time: 2024-05-17 14.03, 20240517_140305, 2024_05_17T14-03-05, WhatsApp Audio 2024-05-17 at 14.03.05.
const dayPattern = /(?<![0-9])((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?![0-9])/;
const timePattern = /^(?:[ _T-]+(?:at[ _]+)?)([01]\d|2[0-3])[-_.:h ]?([0-5]\d)(?:[-_.:m ]?([0-5]\d))?(?![0-9])/i;

/** The moment in a file's name, by this device's clock and time zone, in Unix milliseconds; null where it holds none. */
export function momentInName(name: string): number | null {
  const day = dayPattern.exec(name);
  if (day === null) return null;
  const [found, year, , month, date] = day;
  const [, hours = '12', minutes = '0', seconds = '0'] = timePattern.exec(name.slice(day.index + found.length)) ?? [];
  const moment = new Date(Number(year), Number(month) - 1, Number(date), Number(hours), Number(minutes), Number(seconds));
  // The 31st of a month that has thirty days is no date.
  return moment.getDate() === Number(date) ? moment.getTime() : null;
}

/** A file's name without folder and ending. */
export function nameWithoutEnding(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  return last.replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, '');
}

/** Text as a title may be: one line, without characters that nobody sees, not too long; empty where nothing is left. */
export function asTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').replace(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, limits.titleLength).join('').slice(0, limits.titleLength).toWellFormed().trim();
}

const asMoment = (date: Date | undefined, nowMs: number): number | null => {
  const ms = date?.getTime() ?? NaN;
  return ms >= earliestMs && ms <= nowMs ? ms : null;
};

/** A tag that names only a year or a day has no time of its own: midnight in UTC. */
const hasTime = (ms: number): boolean => ms % 86_400_000 !== 0;

/** The title from the tags or the name; the beginning from the tags, the name, or when the file was last changed. */
export function titleAndTime(news: FileNews, nowMs: number): { title: string; startedAtMs: number } {
  const title = asTitle(news.tagTitle ?? '') || asTitle(nameWithoutEnding(news.name)) || asTitle(news.name) || '–';
  const tagged = asMoment(news.tagDate, nowMs);
  const named = momentInName(news.name);
  // The name of a day with its time is better than a tag that says only the year.
  const chosen = tagged !== null && (hasTime(tagged) || named === null) ? tagged : named;
  const startedAtMs = chosen !== null && chosen <= nowMs ? chosen : news.lastModifiedMs;
  return { title, startedAtMs: Math.round(Math.min(Math.max(startedAtMs, earliestMs), nowMs)) };
}
