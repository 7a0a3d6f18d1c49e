import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { StorageReport } from '#contract/storage-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import styles from './account-data.module.css';

/** Recordings on the server that are still being received or were interrupted, with their sizes and links. */
export function UnfinishedRecordings({
  unfinished: { bytes, count, oldest },
}: {
  unfinished: StorageReport['unfinished'];
}) {
  const { t } = useLingui();
  const format = useFormat();
  const size = format.fileSize(bytes);
  return (
    <section className={styles.section}>
      <h3>
        <Trans>Unfinished recordings</Trans>
      </h3>
      <p>
        <Plural value={count} one="# unfinished recording" other="# unfinished recordings" />, {size}
      </p>
      <p className={styles.hint}>
        <Trans>
          These recordings aren’t finished. If a device has more of them, it uploads the rest when you open
          Earshot there and sign in.
        </Trans>
      </p>
      <ul aria-label={t`Unfinished recordings`} className={styles.rows}>
        {oldest.map(({ isInterrupted, bytes: ownBytes, ...recording }) => (
          <li key={recording.id} className={styles.pressed}>
            <p className={styles.line}>
              <Link href={`/recordings/${recording.id}`}>
                <RecordingTitle of={recording} />
              </Link>
              <span className={styles.meta}>{format.fileSize(ownBytes)}</span>
            </p>
            <p className={styles.meta}>
              <RecordedTimeText time={recording.recordedTime} isDateOnly />
              {isInterrupted && (
                <>
                  , <Trans>Interrupted</Trans>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {count > oldest.length && (
        <Link href="/library?state=receiving%2Cabandoned">
          <Trans>Show all unfinished recordings</Trans>
        </Link>
      )}
    </section>
  );
}
