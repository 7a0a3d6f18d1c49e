export const periods = ['today', '7-days', 'month', 'year'] as const;

/** A period that moves with the calendar. */
export type Period = (typeof periods)[number];

const twoDigits = (value: number) => String(value).padStart(2, '0');
const dayText = (day: Date) =>
  `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;

/** The first day of a period, in the time zone of the device. */
export function firstDayOf(period: Period, now: Date): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  switch (period) {
    case 'today':
      return dayText(now);
    case '7-days':
      return dayText(new Date(year, month, day - 6));
    case 'month':
      return dayText(new Date(year, month, 1));
    case 'year':
      return dayText(new Date(year, 0, 1));
  }
}
