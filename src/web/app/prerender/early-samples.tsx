import { useLingui } from '@lingui/react/macro';
import { DayHeading } from '#web/features/library/list/day-heading.tsx';
import { RecordingListItem } from '#web/features/library/list/recording-list-item.tsx';
import type { LibraryItem } from '#web/features/library/list/library-items.ts';
import rows from '#web/features/library/list/rows.module.css';
import { classes } from '#web/ui/classes.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';

/** A row with a time, which fill-picture.ts replaces, or removes if it is unknown. */
const placeholderRow: LibraryItem = {
  id: '0',
  title: '\u00a0',
  recordedTime: { kind: 'date', date: '2026' },
  durationMs: 1000,
  state: 'server',
  language: null,
  people: [],
  tagIds: [],
  isFavourite: false,
  markers: 0,
  overview: null,
  isOnServer: true,
  isAhead: false,
  isDamaged: false,
  isUnavailable: false,
  isAway: false,
  hit: null,
};
const none = async () => new Uint8Array();

/**
 * A library row without text. fill-picture.ts copies it for each recording and adds the class of `data-compact` if
 * rows are compact.
 */
export function EarlyRows() {
  const { t } = useLingui();
  return (
    <ul className={classes(rows.rows, rows.list, rows.early)} data-compact={rows.compact}>
      <li>
        <DayHeading text={t`Date unknown`} slot="day" />
        <RecordingListItem
          row={placeholderRow}
          title={<UserText slot="title">{placeholderRow.title}</UserText>}
          length={<Timecode ms={1000} slot="length" />}
          overviews={none}
          isFleeting
          controls={() => null}
        />
      </li>
    </ul>
  );
}

/** The header of a recording's page, without its text. */
export function EarlyTitle() {
  return <PageHeader title={<UserText slot="title">{''}</UserText>} />;
}
