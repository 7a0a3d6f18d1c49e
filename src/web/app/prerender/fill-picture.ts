import { isCalendarDate, isLocalDateTime } from '#base/recorded-time/calendar.ts';
import { formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { compactRows } from '#web/features/library/list/density.ts';
import { peekEarlyResponse } from '#web/api/connection/early-responses.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { dayGroup } from '#web/recordings/time/day-group.ts';
import { timeTitle } from '#web/recordings/time/reader-time.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import type { Slot } from '#web/ui/text/slot.ts';

/** The fields that are read from a recording (`Recording` of the contract). */
interface EarlyRecording {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  durationMs: number;
}

const slotIn = (drawn: Element | undefined, slot: Slot): Element | null | undefined =>
  drawn?.querySelector(`[data-slot="${slot}"]`);

/** More than any window shows before it is scrolled. */
const maxRows = 20;

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

function isEarlyRecording(value: unknown): value is EarlyRecording {
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

/** The recordings of a response: of a list, or a single one. */
function recordingsIn(answer: unknown): EarlyRecording[] {
  const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : [answer];
  return Array.isArray(items) ? items.filter(isEarlyRecording).slice(0, maxRows) : [];
}

function timeElement(recordedTime: RecordedTime, locale: string): HTMLTimeElement | null {
  const text = formatRecordedTime(recordedTime, { locale });
  if (text === null) return null;
  const time = document.createElement('time');
  time.dataset['time'] = '';
  time.textContent = text;
  return time;
}

/** Renders a known time in its place. An untitled recording has its time as its title instead. */
function showTime(place: Element | null, shown: { recordedTime: RecordedTime; locale: string } | null): void {
  const time = shown && timeElement(shown.recordedTime, shown.locale);
  if (time === null) place?.remove();
  else place?.replaceWith(time);
}

function renderRecording(
  sample: Element,
  { id, title, recordedTime, durationMs }: EarlyRecording,
  locale: string,
): Element {
  const drawn = sample.cloneNode(true) as Element;
  drawn.querySelector('[id]')?.removeAttribute('id');
  drawn.querySelector('a')?.setAttribute('href', `/recordings/${id}`);
  slotIn(drawn, 'title')?.replaceChildren(title === '' ? (timeTitle(recordedTime, { locale }) ?? '') : title);
  showTime(drawn.querySelector('[data-time]'), title === '' ? null : { recordedTime, locale });
  slotIn(drawn, 'length')?.replaceChildren(durationMs > 0 ? formatTimecode(durationMs) : '');
  return drawn;
}

const sortsByDay = (): boolean => !/[?&]sort=(?!newest|oldest)/.test(location.search);

/** Gives the first row of each day a heading, as the list does. */
function showDays(all: readonly Element[], recordings: readonly EarlyRecording[], locale: string): void {
  const isByDay = sortsByDay();
  const nowMs = Date.now();
  let before: string | null | undefined;
  for (const [index, { recordedTime }] of recordings.entries()) {
    const heading = slotIn(all[index], 'day');
    const group = dayGroup(recordedTime, { locale, nowMs });
    if (!isByDay || group === before) heading?.remove();
    else if (group !== null) heading?.replaceChildren(group);
    before = group;
  }
}

/** The place for recordings in a prerendered page and the sample of one; null if the page shows none. */
function findPlaceholder(picture: HTMLElement): { place: Element; drawing: Element } | null {
  const place = picture.querySelector('[data-early]');
  const drawing = picture.querySelector('template')?.content.firstElementChild;
  return place && drawing ? { place, drawing } : null;
}

/** Replaces the placeholder of the prerendered page with recordings. Returns whether it did. */
function fillPicture(recordings: readonly EarlyRecording[], locale: string): boolean {
  const picture = document.querySelector<HTMLElement>('[data-prerendered]');
  const found = picture && findPlaceholder(picture);
  if (!found || recordings.length === 0) return false;
  const { place, drawing } = found;
  const row = drawing.querySelector('li');
  const all = recordings.map((recording) => renderRecording(row ?? drawing, recording, locale));
  showDays(all, recordings, locale);
  // The browser reports when it is visible (Element Timing).
  all[0]?.querySelector('[data-time], h1')?.setAttribute('elementtiming', 'filled');
  const { compact } = (drawing as HTMLElement).dataset;
  if (compact !== undefined && compactRows.getSnapshot()) drawing.classList.add(compact);
  // Rows are inside their list; a title is a single element.
  row?.replaceWith(...all);
  place.replaceWith(...(row ? [drawing] : all));
  picture.dataset['filled'] = '';
  return true;
}

/**
 * Renders the user's data into the prerendered page as soon as the response arrives, before the app has loaded.
 * Returns false if it rendered nothing. Call it after the first paint: the first date format takes longer than the
 * rendering, and is created while the response is on its way.
 */
export async function fillPictureEarly(address: string): Promise<boolean> {
  const locale = regionalLocale(document.documentElement.lang);
  formatRecordedTime(momentOf(new Date().toISOString(), null), { locale });
  const answer = await peekEarlyResponse(address);
  return answer?.ok === true && fillPicture(recordingsIn(await answer.json()), locale);
}
