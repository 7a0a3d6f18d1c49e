import { Trans, useLingui } from '@lingui/react/macro';
import type { StorageReport } from '#contract/storage-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recorded-time/recorded-time-text.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import styles from '../exporting.module.css';

/** The recordings on the server that take most space. */
export function Largest({ largest }: { largest: StorageReport['largest'] }) {
  const { t } = useLingui();
  const format = useFormat();
  return (
    <section className={styles.section}>
      <h3><Trans>Largest recordings</Trans></h3>
      <ol aria-label={t`Largest recordings`} className={styles.rows}>
        {largest.map(({ id, title, recordedTime, durationMs, bytes }) => (
          <li key={id} className={styles.pressed}>
            <p className={styles.line}><Link href={`/recordings/${id}`}><UserText>{title}</UserText></Link><span className={styles.meta}>{format.fileSize(bytes)}</span></p>
            <p className={styles.meta}><RecordedTimeText time={recordedTime} isDateOnly />{durationMs > 0 && <>, <Timecode ms={durationMs} /></>}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
