import { useEffect, useRef } from 'react';
import { Mic } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { SafetyPill } from '#web/features/recorder/notices/safety-pill.tsx';
import { recorder } from '#web/features/recorder/recorder.ts';
import { takeSafetyOf } from '#web/features/recorder/take/take-safety.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { ChangedResult } from './changed-result.tsx';
import { BlockedActions } from './blocked-actions.tsx';
import { useBlockReason } from './use-block-reason.ts';
import { mayContinue } from '#web/features/recorder/take/take-length.ts';
import { Outcome, ResultGaps } from './outcome.tsx';
import { PlayLink } from '#web/features/recorder/play-link.tsx';
import { continueTake } from '#web/features/recorder/continue-take.ts';
import { TitleField } from './title-field.tsx';
import { useResultFate } from './use-result-fate.ts';
import styles from './result.module.css';

type Stopped = Extract<TakeState, { status: 'stopped' }>;

export interface ResultCardProps {
  state: Stopped;
  /** The signed-in user or, while the session is unknown, the last known one; null while signed out. */
  userId: string | null;
  onRecordAnother: () => void;
}

/** Continuing requires the stored take, and a take that reached the maximum length can't be continued. */
const isContinuable = ({ take, ending }: Stopped): boolean =>
  ending !== 'longest-take' &&
  take.journal !== 'memory' &&
  mayContinue({ startedAtMs: take.startedAtMs, durationMs: take.progress.capturedMs });

/**
 * Moves the focus to the title if it was on Stop or on nothing. On touch screens it moves to the card, so that no
 * on-screen keyboard covers the result.
 */
function useFocusOnArrival() {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a low screen the page was scrolled to the Stop button.
    if ((card.current?.getBoundingClientRect().top ?? 0) < 0) scrollTo({ top: 0 });
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement?.matches('[data-record]') !== true) return;
    const field = matchMedia('(pointer: fine)').matches ? card.current?.querySelector('input') : null;
    if (field) field.select();
    (field ?? card.current)?.focus({ preventScroll: true });
  }, []);
  return card;
}

/**
 * Replaces clock and wave after Stop: the title, the length, whether the take is complete, where it is saved, and
 * what the user can do with it.
 */
export function ResultCard({ state, userId, onRecordAnother }: ResultCardProps) {
  const { t } = useLingui();
  const format = useFormat();
  const card = useFocusOnArrival();
  const { take } = state;
  const blockReason = useBlockReason(take);
  const safety = takeSafetyOf(state, blockReason);
  const fate = useResultFate(take);
  const handleTitle = (title: string | null) => {
    recorder.rename(title ?? '');
  };
  if (fate !== 'here')
    return (
      <section ref={card} tabIndex={-1} className={styles.card} aria-label={t`Recording`}>
        <ChangedResult take={take} fate={fate} onRecordAnother={onRecordAnother} />
      </section>
    );
  return (
    <section ref={card} tabIndex={-1} className={styles.card} aria-label={t`Recording`}>
      <div className={styles.text}>
        <TitleField value={take.title} placeholder={titleText(take)} onCommit={handleTitle} />
        <p className={styles.facts}>
          <strong>{format.duration(take.progress.capturedMs)}</strong>{' '}
          <span>
            <ResultGaps state={state} />
          </span>
        </p>
        {safety && <SafetyPill safety={safety} isMicrophoneOpen={false} />}
      </div>
      <div className={styles.actions}>
        <PlayLink id={take.id} variant="primary" />
        {blockReason !== null && <BlockedActions take={take} blockReason={blockReason} />}
        {isContinuable(state) && (blockReason === null || blockReason === 'account-off') && (
          <Button
            onPress={() => {
              continueTake({ id: take.id, lengthMs: take.progress.capturedMs });
            }}
          >
            <Trans>Continue recording</Trans>
          </Button>
        )}
        <Button onPress={onRecordAnother} icon={<Mic />}>
          <Trans>Record another</Trans>
        </Button>
        {userId === null && blockReason !== 'account-deleted' && blockReason !== 'account-off' && (
          <Button
            variant="plain"
            onPress={() => {
              requestSignIn();
            }}
          >
            <Trans>Sign in</Trans>
          </Button>
        )}
      </div>
      <p className={styles.fate}>
        <Outcome take={take} userId={userId} blockReason={blockReason} />
      </p>
    </section>
  );
}
