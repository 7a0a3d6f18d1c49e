/** The reader's regional form of a language, en-GB for en; the language itself if the reader names none. */
export function regionalForm(language: string, preferred: readonly string[]): string {
  const scriptOf = (tag: string) => new Intl.Locale(tag).maximize().script;
  const isForm = (tag: string) =>
    tag.split('-', 1)[0] === language.split('-', 1)[0] && scriptOf(tag) === scriptOf(language);
  return preferred.find(isForm) ?? language;
}

/**
 * Replaces the dates that the server wrote in UTC by those of the reader's time zone, in the language of the page.
 * `data-date` is `day`, or `time` with the time of day.
 */
export function showLocalDates(): void {
  const lang = regionalForm(document.documentElement.lang, navigator.languages);
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-date]')) {
    const style = element.dataset['date'] === 'time' ? { timeStyle: 'short' as const } : {};
    element.textContent = new Intl.DateTimeFormat(lang, { dateStyle: 'long', ...style }).format(
      new Date(element.dateTime),
    );
  }
}
