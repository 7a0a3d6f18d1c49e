import { Trans, useLingui } from '@lingui/react/macro';
import { summarizeGaps } from '#contract/gap-summary.ts';
import type { BlockReason } from '#device/takes/block-reason.ts';
import { claims } from '#device/takes/claims.ts';
import { viewer } from '#device/takes/viewer.ts';
import { safetyOf } from '#device/takes/recording-state.ts';
import { MissingAudio } from '#web/recordings/gaps/gap-message.tsx';
import { sentenceFor } from '#web/recordings/state/state-messages.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { isInMemory, takeFactsOf } from '#web/features/recorder/take/take-safety.ts';
import type { Take, TakeState } from '#web/features/recorder/take/take.ts';
import styles from './result.module.css';

/**
 * What happens next to the take, from receipts, disk writes and its owner, never from whether the server can be
 * reached.
 */
export function Outcome({
  take,
  userId,
  blockReason,
}: {
  take: Take;
  userId: string | null;
  blockReason: BlockReason | null;
}) {
  const { i18n } = useLingui();
  const claimed = useStore(claims);
  const { tab } = useStore(viewer);
  const facts = takeFactsOf(take, { isOpen: false, userId, tab, claimed, blockReason });
  const safety = safetyOf(facts);
  const isSignedIn = userId !== null;
  const { isComplete } = summarizeGaps(take.gaps);
  const isForgotten = safety !== 'server' && take.journal === 'temporary' && !isInMemory(take);
  if (!isForgotten)
    return i18n._(
      sentenceFor(safety, { owner: facts.owner, isSignedIn, isComplete, blockReason: facts.blockReason }),
    );
  if (!isComplete)
    return isSignedIn ? (
      <Trans>This private window forgets the recording when you close it. Download it first.</Trans>
    ) : (
      <Trans>
        This private window forgets the recording when you close it. Sign in or download it first.
      </Trans>
    );
  return isSignedIn ? (
    <Trans>
      Your recording is complete, but this private window forgets it when you close it. Download it first.
    </Trans>
  ) : (
    <Trans>
      Your recording is complete, but this private window forgets it when you close it. Sign in or download it
      first.
    </Trans>
  );
}

/**
 * What is missing, on one line; nothing if the gaps are negligible. After an internal error it does not claim that
 * there are none, because the take has yet to be recovered.
 */
export function ResultGaps({
  state: {
    take: { gaps },
    ending,
  },
}: {
  state: Extract<TakeState, { status: 'stopped' }>;
}) {
  if (gaps.length === 0) return ending === 'internal' ? null : <Trans>Complete, no gaps</Trans>;
  return (
    <span className={styles.gap}>
      <MissingAudio gaps={gaps} />
    </span>
  );
}
