import { newestFirst } from '#base/recorded-time/order.ts';
import { Trans } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { Link } from '#web/ui/controls/link.tsx';
import type { LocalOverviews } from '#web/features/library/list/local-overviews.ts';
import { RecordingListItem } from '#web/features/library/list/recording-list-item.tsx';
import { transfers } from '#web/recordings/state/transfers.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { libraryItemsOf, type ListedTake } from '#web/features/library/list/library-items.ts';
import { LibraryUnreachable } from './library-states.tsx';
import { useOfflineList } from './use-offline-list.ts';
import { useRecordings } from './use-recordings.ts';
import { wholeLibrary } from '#web/features/library/view/library-view.ts';
import styles from '#web/features/library/list/rows.module.css';

const newest = 5;

/**
 * The newest recordings below the recorder, with a link to all. Renders nothing if there are none and the server
 * can be reached.
 */
export function RecentRecordings({
  localTakes,
  overviews,
}: {
  localTakes: readonly ListedTake[];
  overviews: LocalOverviews;
}) {
  const { status } = useSession();
  const query = useRecordings({
    view: wholeLibrary,
    isEnabled: status === 'signed-in',
    limit: newest,
  });
  const { recordings, hasList, isUnanswered } = query;
  const { lastList } = useOfflineList(query);
  const { user, isConfirmed } = useViewer();
  const isAway = isUnanswered || (user !== null && !isConfirmed);
  // The recording in progress is already shown above, and its row would displace the others.
  const running = new Set(localTakes.filter(({ state }) => state === 'recording').map(({ id }) => id));
  const rows = libraryItemsOf({
    takes: localTakes,
    recordings,
    transfers: useStore(transfers),
    search: '',
    isFiltered: false,
    hasServerList: hasList,
    lastList,
    isAway,
  })
    .filter(({ id }) => !running.has(id))
    .toSorted((a, b) => newestFirst(a.recordedTime, b.recordedTime))
    .slice(0, newest);
  if (rows.length === 0 && !isAway) return null;
  return (
    <section aria-labelledby="recent-recordings">
      <div className={styles.recentHeading}>
        <h2 id="recent-recordings">
          <Trans>Recent recordings</Trans>
        </h2>
        <Link href="/library" className={styles.allLink}>
          <Trans>Show all</Trans>
        </Link>
      </div>
      {isAway && <LibraryUnreachable rows={rows} isPartial={false} />}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.id}>
            <RecordingListItem row={row} overviews={overviews} />
          </li>
        ))}
      </ul>
    </section>
  );
}
