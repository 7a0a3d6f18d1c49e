import { useMemo, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { dayGroup } from '#web/recordings/time/day-group.ts';
import type { LibraryItem } from './library-items.ts';
import { slotAttribute, type Slot } from '#web/ui/text/slot.ts';
import styles from './rows.module.css';

/** Returns a function that finds the heading of a row: its day, if the previous row is of another day. */
export function useDayHeadings(
  rows: readonly LibraryItem[],
  isByDay: boolean,
): (index: number) => string | null {
  const { t } = useLingui();
  const { locale } = useFormat();
  const unknown = t`Date unknown`;
  const [nowMs] = useState(() => Date.now());
  return useMemo(() => {
    const groupAt = (index: number) => {
      const row = rows[index];
      return row && (dayGroup(row.recordedTime, { locale, nowMs }) ?? unknown);
    };
    return (index) => {
      if (!isByDay) return null;
      const group = groupAt(index) ?? null;
      return index > 0 && (rows[index - 1] === undefined || groupAt(index - 1) === group) ? null : group;
    };
  }, [rows, isByDay, locale, nowMs, unknown]);
}

export function DayHeading({ text, slot }: { text: string | null; slot?: Slot }) {
  return text === null ? null : (
    <h2 className={styles.day} {...slotAttribute(slot)}>
      {text}
    </h2>
  );
}
