/** Sound has been recorded since 1860; earlier years are left to the user's judgement. */
export const recordedYears = { first: 1000, last: 9999 } as const;

/** Whether the day exists in the (proleptic) Gregorian calendar of ISO 8601. */
export function isCalendarDay(year: number, month: number, date: number): boolean {
  if (year < recordedYears.first || year > recordedYears.last) return false;
  const counted = new Date(Date.UTC(year, month - 1, date));
  return (
    counted.getUTCFullYear() === year && counted.getUTCMonth() === month - 1 && counted.getUTCDate() === date
  );
}

/** Whether the text is a day, month or year of the calendar in ISO 8601. */
export function isCalendarDate(text: string): boolean {
  const found = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text);
  return found !== null && isCalendarDay(Number(found[1]), Number(found[2] ?? 1), Number(found[3] ?? 1));
}

/** Whether the text is a day with a time to the second, without a zone. */
export const isLocalDateTime = (text: string): boolean =>
  isCalendarDate(text.slice(0, 10)) && /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text);
