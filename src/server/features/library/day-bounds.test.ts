import { expect, test } from 'vitest';
import { second } from '#base/duration.ts';
import { boundsOf } from './day-bounds.ts';

const momentBounds = (range: Parameters<typeof boundsOf>[0]) => boundsOf(range).moments;
const shown = (atMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(atMs);

test.for([
  ['midnight does not come', 'America/Santiago', '2024-09-08', '01:00:00', '2024-09-07 23:59:59'],
  ['midnight does not come', 'Atlantic/Azores', '2025-03-30', '01:00:00', '2025-03-29 23:59:59'],
  ['midnight does not come', 'America/Havana', '2025-03-09', '01:00:00', '2025-03-08 23:59:59'],
  ['midnight does not come', 'America/Asuncion', '2023-10-01', '01:00:00', '2023-09-30 23:59:59'],
  ['midnight does not come', 'Africa/Cairo', '2025-04-25', '01:00:00', '2025-04-24 23:59:59'],
  ['midnight does not come', 'Asia/Beirut', '2025-03-30', '01:00:00', '2025-03-29 23:59:59'],
  ['the hour before midnight does not come', 'America/Nuuk', '2024-03-31', '00:00:00', '2024-03-30 22:59:59'],
  ['the clocks are put forward later', 'Europe/Berlin', '2025-03-30', '00:00:00', '2025-03-29 23:59:59'],
  ['the clocks are put back later', 'Europe/Berlin', '2024-10-27', '00:00:00', '2024-10-26 23:59:59'],
  ['the hour before midnight comes twice', 'Africa/Cairo', '2024-11-01', '00:00:00', '2024-10-31 23:59:59'],
  [
    'the hour before midnight comes twice',
    'America/Santiago',
    '2024-04-07',
    '00:00:00',
    '2024-04-06 23:59:59',
  ],
  ['the hour after midnight comes twice', 'America/Havana', '2024-11-03', '00:00:00', '2024-11-02 23:59:59'],
  ['the hour after midnight comes twice', 'Asia/Amman', '2021-10-29', '00:00:00', '2021-10-28 23:59:59'],
  ['the day before is left out', 'Pacific/Apia', '2011-12-31', '00:00:00', '2011-12-29 23:59:59'],
] as const)(
  'a day starts at its first second and ends before the next day’s where %s: %s, %s',
  ([, timeZone, date, starts, before]) => {
    const { fromMs } = momentBounds({ from: date, timeZone });
    expect([shown(fromMs ?? NaN, timeZone), shown((fromMs ?? NaN) - second, timeZone)]).toEqual([
      `${date} ${starts}`,
      before,
    ]);
    const dayBefore = before.slice(0, 10);
    expect(momentBounds({ to: dayBefore, timeZone }).beforeMs).toBe(fromMs);
  },
);
