import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { HistoryEntry } from '#contract/recordings.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import styles from './details.module.css';

/** Changes made after the recording was finished, with their device and time. */
export function Changes({ history }: { history: readonly HistoryEntry[] }) {
  const { t } = useLingui();
  if (history.length === 0) return null;
  return (
    <section className={styles.changes}>
      <h3>
        <Trans>Changes after finishing</Trans>
      </h3>
      <ol aria-label={t`Changes after finishing`}>
        {history.map((entry, index) => (
          <Change key={index} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Change({ entry: { at, kind, deviceLabel, fromMs, durationMs, count } }: { entry: HistoryEntry }) {
  const { t } = useLingui();
  const format = useFormat();
  const messages = {
    reopened: t`Reopened`,
    'segment-added': t`Part added`,
    'gaps-added': t`${plural(count ?? 1, { one: '# gap added', other: '# gaps added' })}`,
    'finished-again': t`Finished again`,
  };
  const placeMs = kind === 'finished-again' ? durationMs : fromMs;
  return (
    <li className={styles.receipt}>
      <p className={styles.part}>
        <strong>{messages[kind]}</strong>
        {placeMs !== null && (
          <span dir="ltr">
            <Timecode ms={placeMs} />
          </span>
        )}
      </p>
      <p className={styles.part}>
        <span>{format.dateTime(at)}</span>
        {deviceLabel !== '' && <UserText>{deviceLabel}</UserText>}
      </p>
    </li>
  );
}
