import { useLingui } from '@lingui/react/macro';
import { unknownTime } from '#base/recorded-time/recorded-time.ts';
import { DayHeading } from '#web/features/library/list/day-heading.tsx';
import { RecordingListItem } from '#web/features/library/list/recording-list-item.tsx';
import type { LibraryItem } from '#web/features/library/list/library-items.ts';
import rows from '#web/features/library/list/rows.module.css';
import { classes } from '#web/ui/classes.ts';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';

/** Its words for an unknown time stay where one is unknown. */
const nobodys: LibraryItem = {
  id: '0',
  title: '\u00a0',
  recordedTime: unknownTime,
  durationMs: 1000,
  state: 'server',
  language: null,
  people: [],
  tagIds: [],
  isFavourite: false,
  markers: 0,
  overview: null,
  isOnServer: true,
  isDamaged: false,
  isUnavailable: false,
  isAway: false,
  hit: null,
};
const none = async () => new Uint8Array();

/**
 * A row of the library with nothing said in it: copied for each recording that the picture of the page shows
 * (fill-picture.ts). What makes rows compact is told to whoever fills it.
 */
export function EarlyRows() {
  const { t } = useLingui();
  return (
    <ul className={classes(rows.rows, rows.list, rows.early)} data-compact={rows.compact}>
      <li>
        <DayHeading text={t`Date unknown`} />
        <RecordingListItem row={nobodys} overviews={none} isFleeting controls={() => null} />
      </li>
    </ul>
  );
}

/** The head of a recording's page, without its words. */
export function EarlyTitle() {
  return <PageHeader title={<UserText>{''}</UserText>} />;
}
