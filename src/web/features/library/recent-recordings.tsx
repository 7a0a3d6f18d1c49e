import { Trans } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { RecordingRow } from './recording-row.tsx';
import { rowsOf, type LocalTakeFacts } from './rows.ts';
import { useRecordings } from './use-recordings.ts';
import styles from './rows.module.css';

const newest = 5;

/** The newest recordings under the recorder, and the way to all of them; nothing where there are none. */
export function RecentRecordings({ localTakes }: { localTakes: readonly LocalTakeFacts[] }) {
  const { status } = useSession();
  const { recordings, hasList } = useRecordings({ search: '', isEnabled: status === 'signed-in', limit: newest });
  const rows = rowsOf({ takes: localTakes, recordings, search: '', hasServerList: hasList })
    .filter(({ state }) => state !== 'recording-here')
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
    .slice(0, newest);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="recent-recordings">
      <div className={styles.recentHeading}>
        <h2 id="recent-recordings"><Trans>Newest recordings</Trans></h2>
        <Link href="/library" className={styles.allLink}><Trans>Show all</Trans></Link>
      </div>
      <ul>{rows.map((row) => <li key={row.id}><RecordingRow row={row} actions={null} /></li>)}</ul>
    </section>
  );
}
