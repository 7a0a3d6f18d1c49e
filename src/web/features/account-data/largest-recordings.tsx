import { Trans, useLingui } from '@lingui/react/macro';
import type { StorageReport } from '#contract/storage-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import styles from './account-data.module.css';

/** The recordings that use the most storage on the server. */
export function LargestRecordings({ largest }: { largest: StorageReport['largest'] }) {
  const { t } = useLingui();
  const format = useFormat();
  return (
    <section className={styles.section}>
      <h3>
        <Trans>Largest recordings</Trans>
      </h3>
      <ol aria-label={t`Largest recordings`} className={styles.rows}>
        {largest.map(({ bytes, durationMs, ...recording }) => (
          <li key={recording.id} className={styles.pressed}>
            <p className={styles.line}>
              <Link href={`/recordings/${recording.id}`}>
                <RecordingTitle of={recording} />
              </Link>
              <span className={styles.meta}>{format.fileSize(bytes)}</span>
            </p>
            <p className={styles.meta}>
              <RecordedTimeText time={recording.recordedTime} isDateOnly />
              {durationMs > 0 && (
                <>
                  , <Timecode ms={durationMs} />
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
