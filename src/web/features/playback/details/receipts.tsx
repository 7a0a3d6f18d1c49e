import { Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { PlayableSegment } from '../playable-recording.ts';
import { Fingerprint } from './fingerprint.tsx';
import styles from './details.module.css';

/** The name of the hash is the same in every language. */
const hashName = 'SHA-256';

/** What the server has signed for, part by part: where it lies, how large it is, its hash, and when it was last read again. */
export function Receipts({ segments }: { segments: readonly PlayableSegment[] }) {
  const { t } = useLingui();
  if (segments.length === 0) return null;
  return (
    <details className={styles.receipts}>
      <summary><Trans>Proof of storage</Trans></summary>
      <ol aria-label={t`Proof of storage`}>
        {segments.map((segment) => <Receipt key={segment.index} segment={segment} />)}
      </ol>
    </details>
  );
}

function Receipt({ segment: { index, startMs, durationMs, sizeBytes, sha256, storedAt, verifiedAt, damagedAt } }: { segment: PlayableSegment }) {
  const format = useFormat();
  const number = format.number(index + 1);
  const size = format.fileSize(sizeBytes);
  const stored = storedAt === null ? null : format.dateTime(storedAt);
  const verified = verifiedAt === null ? null : format.dateTime(verifiedAt);
  const damaged = damagedAt === null ? null : format.dateTime(damagedAt);
  return (
    <li className={styles.receipt}>
      <p className={styles.part}><strong><Trans>Part {number}</Trans></strong> <span dir="ltr"><Timecode ms={startMs} />–<Timecode ms={startMs + durationMs} /></span> {size}</p>
      {sha256 !== null && <p className={styles.hash}>{hashName} <Fingerprint sha256={sha256} /></p>}
      <p>{stored === null ? <Trans>Not fully stored yet</Trans> : <Trans>Stored {stored}</Trans>}</p>
      {verified !== null && damaged === null && <p><Trans>Checked {verified}: unchanged</Trans></p>}
      {damaged !== null && <p className={styles.damaged}><Trans>Checked {damaged}: damaged</Trans></p>}
    </li>
  );
}
