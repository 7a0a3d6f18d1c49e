import { Suspense } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import {
  ForeignTakeTitle,
  IdleLevel,
  NewMarker,
  ResultCard,
  TakeLevel,
  TakeWave,
} from '#web/features/recorder/lazy-parts.tsx';
import { recorder, useTakeClock } from '#web/features/recorder/recorder.ts';
import { takeOf, type TakeState } from '#web/features/recorder/take/take.ts';
import { TitleField } from './title-field.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import live from '#web/features/recorder/live/live.module.css';
import { classes } from '#web/ui/classes.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import styles from './screen.module.css';

export interface TakeStageProps {
  state: TakeState;
  /** The signed-in user or, while the session is unknown, the last known one. */
  userId: string | null;
  /** The title for the next take, until it starts. */
  draftTitle: string;
  onDraftTitle: (title: string) => void;
  onRecord: () => void;
  /** The marker that was just set and has no name yet. */
  toName: MarkerToName | null;
  onNamed: () => void;
}

/** Title, clock and waveform, at the same position before and during a take; after it, the result. */
export function TakeStage({
  state,
  userId,
  draftTitle,
  onDraftTitle,
  onRecord,
  toName,
  onNamed,
}: TakeStageProps) {
  const { t } = useLingui();
  if (state.status === 'foreign')
    return (
      <>
        <p className={classes(styles.title, styles.foreign)}>
          <Suspense>
            <ForeignTakeTitle ownerId={state.ownerId} />
          </Suspense>
        </p>
        <TakeTime isResting={false} />
      </>
    );
  if (state.status !== 'stopped')
    return (
      <RunningStage
        state={state}
        draftTitle={draftTitle}
        onDraftTitle={onDraftTitle}
        toName={toName}
        onNamed={onNamed}
      />
    );
  return (
    <Suspense fallback={<Spinner label={t`Opening…`} />}>
      <ResultCard state={state} userId={userId} onRecordAnother={onRecord} />
    </Suspense>
  );
}

/** Title, clock, waveform and level. */
function RunningStage({
  state,
  draftTitle,
  onDraftTitle,
  toName,
  onNamed,
}: Pick<TakeStageProps, 'state' | 'draftTitle' | 'onDraftTitle' | 'toName' | 'onNamed'>) {
  const { t } = useLingui();
  const take = takeOf(state);
  const isLive = state.status === 'recording';
  const handleTitle = (title: string | null) => {
    if (!take) onDraftTitle(title ?? '');
    else recorder.rename(title ?? '');
  };

  const marker = take?.markers.find(({ id }) => id === toName?.markerId);
  const meter = (
    <Suspense fallback={<div className={live.meter} />}>
      {state.status === 'idle' ? <IdleLevel /> : <TakeLevel state={state} />}
    </Suspense>
  );
  return (
    <>
      <TitleField
        value={take?.title ?? draftTitle}
        placeholder={t`Name this recording`}
        onCommit={handleTitle}
      />
      <TakeTime isResting={!isLive} />
      <Suspense fallback={<div className={live.wave} />}>
        <TakeWave
          isLive={isLive}
          {...(take ? { markers: take.markers, passages: take.passages, isMeasured: take.hasLevel } : {})}
        />
      </Suspense>
      {toName && marker ? (
        <Suspense fallback={meter}>
          <NewMarker marker={marker} toName={toName} onRename={recorder.renameMarker} onDone={onNamed} />
        </Suspense>
      ) : (
        meter
      )}
    </>
  );
}

/** The clock of the take. Screen readers read it only on request. */
function TakeTime({ isResting }: { isResting: boolean }) {
  const ms = useTakeClock();
  return (
    <div role="timer" aria-live="off" className={classes(styles.clock, isResting && styles.resting)}>
      <Timecode ms={ms} tenths />
    </div>
  );
}
