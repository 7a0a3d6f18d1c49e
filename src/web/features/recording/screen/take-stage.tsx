import { Suspense } from 'react';
import { useLingui } from '@lingui/react/macro';
import { useShortcuts } from '#web/keys/use-shortcuts.ts';
import { LevelMeter } from '../live/level-meter.tsx';
import { LiveWave } from '../live/live-wave.tsx';
import { ResultCard } from '../later.tsx';
import { recorder } from '../recorder.ts';
import { interruptionOf } from '../take/interruption.ts';
import { isOpen, takeOf, type TakeState } from '../take/take.ts';
import { Controls } from './controls.tsx';
import { TakeTime } from './take-time.tsx';
import { TitleField } from './title-field.tsx';

export interface TakeStageProps {
  state: TakeState;
  /** The person signed in, or the last one known; null: nobody. */
  userId: string | null;
  /** The title for the next take, while there is none. */
  draftTitle: string;
  onDraftTitle: (title: string) => void;
  onRecord: () => void;
  onMark: (by: 'key' | 'press') => void;
}

/** Title, clock, wave and the buttons, in the same place before and during a take; after it the result stands above a smaller Record. */
export function TakeStage({ state, userId, draftTitle, onDraftTitle, onRecord, onMark }: TakeStageProps) {
  const take = takeOf(state);

  useShortcuts({
    'recorder.record': take === null || state.status === 'stopped' ? onRecord : undefined,
    'recorder.pause': state.status === 'paused' ? recorder.resume : recorder.pause,
    'recorder.stop': isOpen(state) ? recorder.stop : undefined,
    'recorder.mark': isOpen(state) ? () => onMark('key') : undefined,
  });

  return (
    <>
      {state.status === 'stopped' ? (
        <Suspense><ResultCard state={state} userId={userId} onRecordAnother={onRecord} /></Suspense>
      ) : (
        <RunningStage state={state} draftTitle={draftTitle} onDraftTitle={onDraftTitle} />
      )}
      <Controls state={state} onRecord={onRecord} onStop={recorder.stop} onPause={recorder.pause} onResume={recorder.resume} onMark={() => onMark('press')} />
    </>
  );
}

/** What is heard, and what it is called. */
function RunningStage({ state, draftTitle, onDraftTitle }: Pick<TakeStageProps, 'state' | 'draftTitle' | 'onDraftTitle'>) {
  const { t } = useLingui();
  const take = takeOf(state);
  const isLive = state.status === 'recording';
  const handleTitle = (title: string | null) => {
    if (!take) onDraftTitle(title ?? '');
    else if (title !== null) recorder.rename(title);
  };

  return (
    <>
      <TitleField value={take?.title ?? draftTitle} placeholder={t`Name this recording`} onCommit={handleTitle} />
      <TakeTime isResting={!isLive} />
      <LiveWave peaks={recorder.livePeaks} isLive={isLive} {...(take ? { markers: take.markers } : {})} />
      <LevelMeter level={recorder.livePeaks.level} isOn={isOpen(state) && interruptionOf(state) === null} />
    </>
  );
}
