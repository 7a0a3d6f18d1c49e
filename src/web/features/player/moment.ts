import { hour, minute, second } from '#base/duration.ts';

/** The moment, or the range with an end, that a link points to. */
export interface Moment {
  fromMs: number;
  toMs: number | null;
}

const units: Record<string, number> = { h: hour, m: minute, s: second };

/** Parses `83.5`, `83s`, `1m15s`, `1h2m`, `1:23` or `1:02:03.5` to milliseconds; null for anything else. */
export function parseTime(text: string): number | null {
  const trimmed = text.trim().replace(/^npt:/, '');
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * second);
  if (/^\d+(:[0-5]?\d){1,2}(\.\d+)?$/.test(trimmed)) {
    return Math.round(trimmed.split(':').reduce((total, part) => total * 60 + Number(part), 0) * second);
  }
  if (!/^(\d+h)?(\d+m)?(\d+(\.\d+)?s)?$/.test(trimmed) || trimmed === '') return null;
  const parts = trimmed.matchAll(/(\d+(?:\.\d+)?)([hms])/g);
  return Math.round(
    [...parts].reduce((total, [, amount, unit]) => total + Number(amount) * (units[unit ?? ''] ?? 0), 0),
  );
}

/**
 * Parses the moment in a URL fragment: `#t=83.5`, `#t=1m15s`, `#t=1:23`, `#t=a,b` (W3C Media Fragments §4.2.1, and
 * other common spellings).
 */
export function parseMoment(fragment: string): Moment | null {
  const value = new URLSearchParams(fragment.replace(/^#/, '')).get('t');
  if (value === null) return null;
  const [from = '', to] = value.split(',');
  const fromMs = from === '' && to !== undefined ? 0 : parseTime(from);
  if (fromMs === null) return null;
  const toMs = to === undefined ? null : parseTime(to);
  return { fromMs, toMs: toMs !== null && toMs > fromMs ? toMs : null };
}

const seconds = (atMs: number): number => Math.round(Math.max(0, atMs) / 100) / 10;

/** The fragment for a moment, in seconds with at most one decimal: `#t=83.5`. */
export const momentFragment = (atMs: number): string => `#t=${seconds(atMs)}`;

/** The fragment for a range: `#t=83.5,90`. */
export const rangeFragment = ({ fromMs, toMs }: { fromMs: number; toMs: number }): string =>
  `#t=${seconds(fromMs)},${seconds(toMs)}`;
