import { memo, type ReactNode } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { summarizeGaps } from '#contract/gap-summary.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { WhereRecorded } from '#web/recordings/time/where-recorded.tsx';
import type { RecordingState } from '#device/takes/recording-state.ts';
import { StatePill } from '#web/recordings/state/state-pill.tsx';
import { languageName } from '#base/language-name.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import styles from './screen.module.css';

/** Date, duration, language, gaps, whether others can listen, and state, on one line. */
export const FactsLine = memo(function FactsLine({
  recording,
  sharedSign,
}: {
  recording: PlayableRecording;
  sharedSign?: ReactNode;
}) {
  const format = useFormat();
  const { isComplete, places } = summarizeGaps(recording.gaps);
  const { recordedTime, durationMs, language, shownState, hasNoSound } = recording;
  return (
    <div className={styles.facts}>
      <RecordedTimeText time={recordedTime} />
      <WhereRecorded time={recordedTime} />
      {!hasNoSound && (
        <span>{durationMs > 0 ? format.duration(durationMs) : <Trans>Length not known yet</Trans>}</span>
      )}
      {language !== null && <span>{languageName(language, format.locale)}</span>}
      {!isComplete && (
        <span>
          <Plural value={places} one="# gap" other="# gaps" />
        </span>
      )}
      {sharedSign}
      <State state={shownState} />
    </div>
  );
});

function State({ state }: { state: RecordingState }) {
  if (state === 'recording-here' || state === 'recording-elsewhere')
    return (
      <span className={styles.live}>
        <Trans>Recording now</Trans>
      </span>
    );
  return <StatePill state={state} className={styles.state} />;
}
