import { isCalendarDate, isLocalDateTime } from '#base/recorded-time/calendar.ts';
import { formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { compactRows } from '#web/features/library/list/density.ts';
import { peekEarlyResponse } from '#web/api/connection/early-responses.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { dayGroup } from '#web/recordings/time/day-group.ts';
import { timeTitle } from '#web/recordings/time/reader-time.ts';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';

/** What is read of a recording (the contract's `Recording`). */
interface Said {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  durationMs: number;
}

/** More than any window shows before it is scrolled. */
const mostRows = 20;

function isTime(value: unknown): value is RecordedTime {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const { kind, at, dateTime, date } = { at: '', dateTime: '', date: '', ...value };
  return (
    kind === 'unknown' ||
    (kind === 'moment' && !Number.isNaN(Date.parse(at))) ||
    (kind === 'local' && isLocalDateTime(dateTime)) ||
    (kind === 'date' && isCalendarDate(date))
  );
}

function isSaid(value: unknown): value is Said {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('id' in value && 'title' in value && 'recordedTime' in value && 'durationMs' in value)
  )
    return false;
  return (
    [value.id, value.title].every((part) => typeof part === 'string') &&
    isTime(value.recordedTime) &&
    typeof value.durationMs === 'number'
  );
}

/** The recordings of an answer: of a list, or of one. */
function saidIn(answer: unknown): Said[] {
  const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : [answer];
  return Array.isArray(items) ? items.filter(isSaid).slice(0, mostRows) : [];
}

function timeElement(recordedTime: RecordedTime, locale: string): HTMLTimeElement | null {
  const text = formatRecordedTime(recordedTime, { locale });
  if (text === null) return null;
  const time = document.createElement('time');
  time.dataset['time'] = '';
  time.textContent = text;
  return time;
}

/**
 * Puts the time into its place. The sample has the words for an unknown time; a recording without a title has
 * its time as its name.
 */
function showTime(place: Element | null, shown: { recordedTime: RecordedTime; locale: string } | null): void {
  if (shown === null) return place?.remove();
  const time = timeElement(shown.recordedTime, shown.locale);
  if (time !== null) place?.replaceWith(time);
}

function written(sample: Element, { id, title, recordedTime, durationMs }: Said, locale: string): Element {
  const drawn = sample.cloneNode(true) as Element;
  drawn.querySelector('[id]')?.removeAttribute('id');
  drawn.querySelector('a')?.setAttribute('href', `/recordings/${id}`);
  drawn
    .querySelector('bdi')
    ?.replaceChildren(title === '' ? (timeTitle(recordedTime, { locale }) ?? '') : title);
  showTime(drawn.querySelector('[data-time]'), title === '' ? null : { recordedTime, locale });
  // A length is the one thing that is written from left to right in every language.
  drawn.querySelector('[dir="ltr"]')?.replaceChildren(durationMs > 0 ? formatTimecode(durationMs) : '');
  return drawn;
}

const sortsByDay = (): boolean => !/[?&]sort=(?!newest|oldest)/.test(location.search);

/** Gives each row the heading of its day where the row before it is of another day, as the list does. */
function showDays(all: readonly Element[], recordings: readonly Said[], locale: string): void {
  const isByDay = sortsByDay();
  const nowMs = Date.now();
  let before: string | null | undefined;
  for (const [index, { recordedTime }] of recordings.entries()) {
    const heading = all[index]?.querySelector('h2');
    const group = dayGroup(recordedTime, { locale, nowMs });
    if (!isByDay || group === before) heading?.remove();
    else if (group !== null) heading?.replaceChildren(group);
    before = group;
  }
}

/**
 * Where recordings stand in a picture, and what one of them looks like there; null where the picture shows
 * none.
 */
function placeIn(picture: HTMLElement): { place: Element; drawing: Element } | null {
  const place = picture.querySelector('[data-early]');
  const drawing = picture.querySelector('template')?.content.firstElementChild;
  return place && drawing ? { place, drawing } : null;
}

/** Puts recordings into the page's picture, in the place of what stands for them. */
function fillPicture(recordings: readonly Said[], locale: string): boolean {
  const picture = document.querySelector<HTMLElement>('[data-stand-in]');
  const found = picture && placeIn(picture);
  if (!found || recordings.length === 0) return false;
  const { place, drawing } = found;
  const row = drawing.querySelector('li');
  const all = recordings.map((recording) => written(row ?? drawing, recording, locale));
  showDays(all, recordings, locale);
  // The browser says when it is seen (Element Timing).
  all[0]?.querySelector('[data-time], h1')?.setAttribute('elementtiming', 'filled');
  const { compact } = (drawing as HTMLElement).dataset;
  if (compact !== undefined && compactRows.getSnapshot()) drawing.classList.add(compact);
  // Rows stand in their list; a title is all there is.
  row?.replaceWith(...all);
  place.replaceWith(...(row ? [drawing] : all));
  picture.dataset['filled'] = '';
  return true;
}

/**
 * Writes into the picture what the page shows of a person's, as soon as the server has said it: the program
 * that draws it comes later. False where nothing was written. To be called when the picture is painted: the
 * first format for dates takes longer than all that is written, and is made while the answer is on its way.
 */
export async function fillPictureEarly(address: string | null): Promise<boolean> {
  if (address === null) return false;
  const locale = regionalLocale(document.documentElement.lang);
  formatRecordedTime(momentOf(new Date().toISOString(), null), { locale });
  const answer = await peekEarlyResponse(address);
  return answer?.ok === true && fillPicture(saidIn(await answer.json()), locale);
}
