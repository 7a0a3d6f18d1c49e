import { hour } from '#base/duration.ts';
import { isPossible, orderMsOf } from '#base/recorded-time/order.ts';
import { type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';

/** The sources of a recording time; null for a source that states none. */
export interface Evidence {
  tag: RecordedTime | null;
  name: RecordedTime | null;
  recorder: RecordedTime | null;
}

type Dated = Extract<RecordedTime, { kind: 'date' }>;

const isExact = (time: RecordedTime | null): time is Exclude<RecordedTime, Dated> =>
  time !== null && time.kind !== 'date';
const isDate = (time: RecordedTime | null): time is Dated => time?.kind === 'date';

/** In the zone where the file was named, it may be the previous or the next day. */
const zonesMs = 14 * hour;

/** Whether an exact time is within a day, month or year. */
function isWithin(time: RecordedTime, { date }: Dated): boolean {
  const days = [-zonesMs, 0, zonesMs].map((shiftMs) => new Date(orderMsOf(time) + shiftMs).toISOString());
  return days.some((day) => day.startsWith(date));
}

/** The date in the name, or a tag that refines it. */
function statedDate(name: RecordedTime | null, tag: RecordedTime | null): Dated | null {
  if (!isDate(name)) return isDate(tag) ? tag : null;
  return isDate(tag) && tag.date.startsWith(name.date) ? tag : name;
}

/**
 * When a file was recorded. A tag or a name with a time of day was written by a recorder or a user. A day in the
 * name or in a tag is more reliable than a container's time, which may be the time of a conversion; that is used
 * only if it agrees or is the only source. The file's own date is no evidence, because copying changes it.
 */
export function recordedWhen(evidence: Evidence, nowMs: number): RecordedTime {
  const possible = (time: RecordedTime | null): RecordedTime | null =>
    time !== null && isPossible(time, nowMs) ? time : null;
  const [tag, name, recorder] = [
    possible(evidence.tag),
    possible(evidence.name),
    possible(evidence.recorder),
  ];
  if (isExact(tag)) return tag;
  if (isExact(name)) return name;
  const date = statedDate(name, tag);
  if (date === null) return recorder ?? unknownTime;
  return isExact(recorder) && isWithin(recorder, date) ? recorder : date;
}
