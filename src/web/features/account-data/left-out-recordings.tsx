import { Trans, useLingui } from '@lingui/react/macro';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { LeftOutReason, LeftOutRecording } from '#contract/exports-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { stateMessages } from '#web/recordings/state/state-messages.ts';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import styles from './account-data.module.css';

/** The words of the library for the same states. A newer server has reasons that this page does not know. */
const reasonMessages: Partial<Record<string, MessageDescriptor>> = {
  receiving: stateMessages.incomplete.long,
  interrupted: stateMessages.interrupted.long,
  processing: stateMessages['not-ready'].long,
  damaged: stateMessages.damaged.long,
  'finished-since': msg`Finished since then`,
} satisfies Record<LeftOutReason, MessageDescriptor>;

/**
 * The recordings that an export does not contain, with the reasons.
 * @param props.more how many others there are, at most
 */
export function LeftOutRecordings({
  recordings,
  more,
}: {
  recordings: readonly LeftOutRecording[];
  more: number;
}) {
  const { t, i18n } = useLingui();
  const others = useFormat().number(more);
  if (recordings.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>
        <Trans>Not in this export</Trans>
      </h3>
      <ul aria-label={t`Not in this export`} className={styles.rows}>
        {recordings.map(({ reason, ...recording }) => {
          const message = reasonMessages[reason];
          return (
            <li key={recording.id} className={styles.pressed}>
              <p className={styles.line}>
                <Link href={`/recordings/${recording.id}`}>
                  <RecordingTitle of={recording} />
                </Link>
                <span className={styles.meta}>{message && i18n._(message)}</span>
              </p>
              <p className={styles.meta}>
                <RecordedTimeText time={recording.recordedTime} isDateOnly />
              </p>
            </li>
          );
        })}
      </ul>
      {more > 0 && (
        <p className={styles.hint}>
          <Trans>{others} more. The full list is in export.json in the ZIP file.</Trans>
        </p>
      )}
      {recordings.some(({ reason }) => reason === 'finished-since') && (
        <p className={styles.hint}>
          <Trans>To include the recordings that have been finished since then, prepare a new export.</Trans>
        </p>
      )}
    </section>
  );
}
