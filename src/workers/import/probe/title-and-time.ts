import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { momentInName } from './moment-in-name.ts';
import { meantText } from './tag-text.ts';

/** What may state what a file is called and when it was recorded. */
export interface FileNews {
  name: string;
  lastModifiedMs: number;
  tagTitle: string | undefined;
  tagDate: Date | undefined;
  /** What the recorder wrote into the container (`recorded-at.ts`), Unix milliseconds; null where it wrote nothing. */
  recordedAtMs: number | null;
}

/** Endings that begin with a digit; any other begins with a letter: `Meeting 10.30am` and `Interview v1.2` have none. */
const endings = /(?<=.)\.(?:3g2|3gpp?2?|8svx|[A-Za-z][A-Za-z0-9]{0,4})$/;

/** A file's name without folder and ending. */
export function nameWithoutEnding(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  return last.replace(endings, '');
}

/** Zero width non-joiner and joiner belong to Persian, Indic scripts and emoji; tag characters to flags. What else is invisible has no use in a title. */
const invisible = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu;
const isVisible = (text: string): boolean => /[^\p{Z}\p{C}\p{M}]/u.test(text);

/** Text as a title may be: one line, without characters that nobody sees, not too long; empty where nothing is left. */
export function asTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(invisible, '').replace(/\s+/g, ' ').trim();
  const title = Array.from(line).slice(0, limits.titleLength).join('').slice(0, limits.titleLength).toWellFormed().trim();
  return isVisible(title) ? title : '';
}

/** A tag that names only a year or a day has no time of its own: midnight in UTC. */
const isDay = (ms: number): boolean => ms % day === 0;

/** Noon of the day here: midnight in UTC is the evening before in America. */
function noonHere(utcMidnightMs: number): number {
  const date = new Date(utcMidnightMs);
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 12).getTime();
}

/** What a tag states: a moment, or a day. */
function taggedIn(tagDate: Date | undefined): { momentMs: number | null; dayMs: number | null } {
  const ms = tagDate?.getTime() ?? NaN;
  if (!Number.isFinite(ms)) return { momentMs: null, dayMs: null };
  return isDay(ms) ? { momentMs: null, dayMs: noonHere(ms) } : { momentMs: ms, dayMs: null };
}

const isSameDay = (momentMs: number | null, dayMs: number | null): boolean => momentMs !== null && dayMs !== null && Math.abs(momentMs - dayMs) < day;

/** The moments that a file states, the most reliable first. */
function statedMoments({ tagDate, recordedAtMs, name }: FileNews): (number | null)[] {
  const tagged = taggedIn(tagDate);
  const named = momentInName(name);
  // A name with a day is a person's or a recorder's own; what a container states may be the day of its conversion.
  const dayMs = named?.ms ?? tagged.dayMs;
  const exact = [tagged.momentMs, named?.hasTime === true ? named.ms : null];
  return [...exact, isSameDay(recordedAtMs, dayMs) ? recordedAtMs : null, dayMs, tagged.dayMs, recordedAtMs];
}

/** From the first sound that was ever recorded, 1860. */
const earliestMs = Date.UTC(1860, 0, 1);

/**
 * The title from the tags or the name; the beginning from the tags, the recorder, the name, or when the file was last changed.
 * @param languages of the user, for tags in a legacy encoding
 */
export function titleAndTime(news: FileNews, { nowMs, languages }: { nowMs: number; languages: readonly string[] }): { title: string; startedAtMs: number } {
  const tagTitle = news.tagTitle === undefined ? null : meantText(news.tagTitle, languages);
  const title = asTitle(tagTitle ?? '') || asTitle(nameWithoutEnding(news.name)) || asTitle(news.name) || '–';
  const isPossible = (ms: number | null): ms is number => ms !== null && ms >= earliestMs && ms <= nowMs;
  const startedAtMs = statedMoments(news).find(isPossible) ?? (isPossible(news.lastModifiedMs) ? news.lastModifiedMs : nowMs);
  return { title, startedAtMs: Math.round(startedAtMs) };
}
