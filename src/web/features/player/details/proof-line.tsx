import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ShieldCheck } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { summarizeGaps } from '#contract/gap-summary.ts';
import { MissingAudio } from '#web/recordings/gaps/gap-message.tsx';
import { isProven, lastCheckedAt } from './proof.ts';
import styles from './details.module.css';

/**
 * Confirms that the server has every part of the recording. Shows what is missing from it and the date of the last full
 * check.
 */
export function ProofLine({ recording }: { recording: PlayableRecording }) {
  const { t } = useLingui();
  const format = useFormat();
  if (!isProven(recording)) return null;
  const { gaps, segments } = recording;
  const count = gaps.length;
  const { isComplete } = summarizeGaps(gaps);
  const checkedAt = lastCheckedAt(segments);
  const date = checkedAt === null ? null : format.date(Date.parse(checkedAt));
  return (
    <p className={styles.proof}>
      <ShieldCheck aria-hidden />
      <span>
        {!isComplete ? (
          <MissingAudio gaps={gaps} />
        ) : count === 0 ? (
          <Trans>Complete, no gaps</Trans>
        ) : (
          t`${plural(count, { one: 'Complete, # named gap', other: 'Complete, # named gaps' })}`
        )}
      </span>
      {date !== null && (
        <span>
          <Trans>Checked {date}</Trans>
        </span>
      )}
    </p>
  );
}
