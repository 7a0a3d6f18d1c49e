import { Trans, useLingui } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { fileNameOf, saveFile } from '#web/ui/dom/save-file.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { PlayableRecording, PlayableSegment } from '#web/features/player/playable-recording.ts';
import { Fingerprint } from './fingerprint.tsx';
import { proofOf } from './proof.ts';
import styles from './details.module.css';

/** Not translated: the hash has the same name in every language. */
const hashName = 'SHA-256';

/**
 * The server's receipts, one per part: position, size, hash and time of the last check, with a download button.
 */
export function Receipts({ recording }: { recording: PlayableRecording }) {
  const { t } = useLingui();
  const { segments } = recording;
  if (segments.length === 0) return null;
  return (
    <details className={styles.receipts}>
      <summary>
        <Trans>Proof of storage</Trans>
      </summary>
      <ol aria-label={t`Proof of storage`}>
        {segments.map((segment) => (
          <Receipt key={segment.index} segment={segment} />
        ))}
      </ol>
      <Button
        icon={<Download aria-hidden />}
        onPress={() =>
          saveFile(
            new Blob([proofOf(recording)], { type: 'application/json' }),
            fileNameOf(titleText(recording), 'proof.json'),
          )
        }
      >{t`Download proof`}</Button>
    </details>
  );
}

function Receipt({
  segment: { index, startMs, durationMs, sizeBytes, sha256, storedAt, verifiedAt, damagedAt },
}: {
  segment: PlayableSegment;
}) {
  const format = useFormat();
  const number = format.number(index + 1);
  const size = format.fileSize(sizeBytes);
  const stored = storedAt === null ? null : format.dateTime(storedAt);
  const verified = verifiedAt === null ? null : format.dateTime(verifiedAt);
  const damaged = damagedAt === null ? null : format.dateTime(damagedAt);
  return (
    <li className={styles.receipt}>
      <p className={styles.part}>
        <strong>
          <Trans>Part {number}</Trans>
        </strong>{' '}
        <span dir="ltr">
          <Timecode ms={startMs} />–<Timecode ms={startMs + durationMs} />
        </span>{' '}
        {size}
      </p>
      {sha256 !== null && (
        <p className={styles.hash}>
          {hashName} <Fingerprint sha256={sha256} />
        </p>
      )}
      <p>{stored === null ? <Trans>Not fully stored yet</Trans> : <Trans>Stored {stored}</Trans>}</p>
      {verified !== null && damaged === null && (
        <p>
          <Trans>Checked {verified}: unchanged</Trans>
        </p>
      )}
      {damaged !== null && (
        <p className={styles.damaged}>
          <Trans>Checked {damaged}: damaged</Trans>
        </p>
      )}
    </li>
  );
}
