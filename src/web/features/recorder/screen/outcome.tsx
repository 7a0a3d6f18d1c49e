import { Trans, useLingui } from '@lingui/react/macro';
import { claims } from '#device/takes/claims.ts';
import { safetyOf } from '#device/takes/recording-state.ts';
import { sentenceFor } from '#web/recordings/state/state-messages.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { GapMessage } from '#web/features/recorder/notices/gap-notice.tsx';
import { useShortLength } from '#web/features/recorder/notices/use-short-length.ts';
import { isInMemory, takeFactsOf } from '#web/features/recorder/take/take-safety.ts';
import type { Take, TakeState } from '#web/features/recorder/take/take.ts';
import styles from './result.module.css';

/**
 * What happens next to the take, from receipts, disk writes and its owner, never from whether the server can be
 * reached.
 */
export function Outcome({ take, userId }: { take: Take; userId: string | null }) {
  const { i18n } = useLingui();
  const claimed = useStore(claims);
  const facts = takeFactsOf(take, { isOpen: false, userId, claimed });
  const safety = safetyOf(facts);
  const isSignedIn = userId !== null;
  const isForgotten = safety !== 'server' && take.journal === 'database' && !isInMemory(take);
  if (!isForgotten) return i18n._(sentenceFor(safety, { owner: facts.owner, isSignedIn }));
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
 * The gaps, by cause and length. After an internal error it does not claim that there are none, because the take
 * has yet to be recovered.
 */
export function ResultGaps({
  state: {
    take: { gaps },
    ending,
  },
}: {
  state: Extract<TakeState, { status: 'stopped' }>;
}) {
  const length = useShortLength();
  if (gaps.length === 0) return ending === 'internal' ? null : <Trans>Complete, no gaps</Trans>;
  return gaps.map((gap) => (
    <span key={gap.atMs} className={styles.gap}>
      <GapMessage cause={gap.cause} length={length(gap.durationMs)} />
    </span>
  ));
}
