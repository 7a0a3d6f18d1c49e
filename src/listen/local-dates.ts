import { regionalTag } from '#base/regional-tag.ts';

/**
 * Replaces the dates that the server wrote in UTC by those of the reader's time zone, in the language of the page.
 * `data-date` is `day`, or `time` with the time of day.
 */
export function showLocalDates(): void {
  const lang = regionalTag(document.documentElement.lang, navigator.languages);
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-date]')) {
    const style = element.dataset['date'] === 'time' ? { timeStyle: 'short' as const } : {};
    element.textContent = new Intl.DateTimeFormat(lang, { dateStyle: 'long', ...style }).format(
      new Date(element.dateTime),
    );
  }
}
